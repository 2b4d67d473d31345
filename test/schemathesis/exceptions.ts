/**
 * Answers that Schemathesis calls failures and that are right. Each has its reason; remove an
 * exception that no longer comes in the full run.
 */
import type { FailedCheck } from './report.ts';

export interface Exception {
  readonly name: string;
  /** Why the answer is right all the same. */
  readonly why: string;
  readonly check: string;
  readonly status: number;
  /** The problem's code; left out for answers that are no problem. */
  readonly code?: string;
  /** The pointer of an item of the problem's `errors`; left out for answers that list none. */
  readonly pointer?: RegExp;
  readonly detail?: string;
  /** The detail of the problem itself, where it lists no errors. */
  readonly says?: RegExp;
}

const NO_COMPARISON = 'JSON Schema cannot compare one member with another.';
const CONTRACT_400 =
  'The contract has a status of its own, 400, for values that are of the right type and mean nothing; ' +
  'its schema takes them.';

export const EXCEPTIONS: readonly Exception[] = [
  {
    name: 'a range that ends before it begins',
    why: NO_COMPARISON,
    check: 'positive_data_acceptance',
    status: 422,
    code: 'ValidationFailed',
    pointer: /^\/(histogram|(select|baseline)\/\d+(\/any\/\d+)?)\/from$/,
    detail: 'The beginning must be before the end ("to").',
  },
  {
    name: 'a facet, an order or stats of one field twice',
    why: 'JSON Schema can forbid equal items, not items that are equal in one member.',
    check: 'positive_data_acceptance',
    status: 422,
    code: 'ValidationFailed',
    pointer: /^\/(facets\/\d+\/field|stats\/\d+\/field|sorting\/\d+\/sort_by)$/,
  },
  {
    name: 'more conditions than fifty, those within alternatives counted',
    why: 'JSON Schema cannot add up the lengths of lists.',
    check: 'positive_data_acceptance',
    status: 422,
    code: 'ValidationFailed',
    pointer: /^\/(select|baseline)$/,
  },
  {
    name: 'the order by lift without a baseline, or its least count without the order',
    why: 'The schema lists the members of a facet, and leaves to the text which belong together.',
    check: 'positive_data_acceptance',
    status: 422,
    code: 'ValidationFailed',
    pointer: /^\/facets\/\d+\/(order|min_count)$/,
  },
  {
    name: 'a view of a project that is not there',
    why: 'The schema does not know which projects there are.',
    check: 'positive_data_acceptance',
    status: 422,
    code: 'ValidationFailed',
    pointer: /^\/project_id$/,
  },
  {
    name: 'a view of a table that is not there',
    why: 'The schema does not know which tables the caller may see.',
    check: 'positive_data_acceptance',
    status: 422,
    code: 'ValidationFailed',
    pointer: /^\/table$/,
  },
  {
    name: 'more buckets than were asked for',
    why: 'How many buckets a histogram needs depends on the data.',
    check: 'positive_data_acceptance',
    status: 400,
    code: 'TooManyBuckets',
  },
  {
    name: 'a text that is no routing key',
    why: CONTRACT_400,
    check: 'positive_data_acceptance',
    status: 400,
    code: 'InvalidTaskSearchRequest',
    pointer: /^\/filters\/routing_keys\/\d+$/,
  },
  {
    name: 'a project of another path',
    why: NO_COMPARISON,
    check: 'positive_data_acceptance',
    status: 400,
    code: 'ProjectMismatch',
  },
  {
    name: 'a scope other than `project` on the path of a project',
    why: CONTRACT_400,
    check: 'positive_data_acceptance',
    status: 400,
    code: 'ScopeMismatch',
  },
  {
    name: 'a moment that the store has not reached',
    why: 'The schema does not know the time of the store.',
    check: 'positive_data_acceptance',
    status: 422,
    code: 'ValidationFailed',
    says: /^The header Search-Not-Before is more than \d+ s ahead of the store\.$/,
  },
  {
    name: 'a header whose value is the number 0',
    why: 'Schemathesis takes it for a text that fits; the pattern of the header excludes it.',
    check: 'positive_data_acceptance',
    status: 422,
    code: 'ValidationFailed',
    says: /^The header Search-Not-Before must be a moment that Search-As-Of told/,
  },
];

/**
 * An exception for every problem of a failed check's answer; undefined where one of them has none.
 */
export function excusesOf(failed: FailedCheck): readonly Exception[] | undefined {
  const { check, status, problem } = failed;
  const possible = EXCEPTIONS.filter(
    (one) => one.check === check && one.status === status && one.code === problem?.code,
  );
  const errors = problem?.errors ?? [undefined];
  const excuses = errors.map((error) =>
    possible.find(
      ({ pointer, detail, says }) =>
        (pointer === undefined || (error !== undefined && pointer.test(error.pointer))) &&
        (detail === undefined || detail === error?.detail) &&
        (says === undefined || says.test(problem?.detail ?? '')),
    ),
  );
  return excuses.every((one) => one !== undefined) ? excuses : undefined;
}
