/** The failures of a route: those that follow from its definition, and those that it adds itself. */
import { PROBLEMS, type ProblemCode } from '../../errors.ts';
import type { JsonSchema } from '../../tables/definition/jsonSchema.ts';
import type { Description, HeaderName } from '../description.ts';
import { PROBLEM } from '../problem.ts';
import { hasBody, type ListedRoute } from '../route.ts';
import type { Components } from './components.ts';

/** Failures of requests that reach no route. */
const OF_HTTP: readonly ProblemCode[] = ['MalformedRequest', 'RequestTimeout', 'HeadersTooLarge'];

/** The codes of a route, by status. */
export function failuresOf(
  route: ListedRoute,
  { problems = [] }: Pick<Description, 'problems'>,
): ReadonlyMap<number, readonly ProblemCode[]> {
  const { permission, path, query } = route;
  const codes: ProblemCode[] = [...OF_HTTP, 'Internal', 'Overloaded'];
  if (permission !== 'public') {
    codes.push('Unauthenticated', 'TooManyRequests', 'StoreUnavailable', 'SearchTimeout');
  }
  if (permission === 'admin' || permission === 'whole table') codes.push('Forbidden');
  if (path.includes(':')) codes.push('NotFound');
  if (hasBody(route)) codes.push('MalformedBody', 'UnsupportedMediaType', 'BodyTooLarge');
  // At least the header Search-Not-Before can be wrong.
  if (permission !== 'public' || query !== 'ignored') codes.push('ValidationFailed');
  codes.push(...problems);
  const byStatus = new Map<number, ProblemCode[]>();
  for (const code of new Set(codes)) {
    const status = PROBLEMS[code][0];
    byStatus.set(status, [...(byStatus.get(status) ?? []), code]);
  }
  return byStatus;
}

/** @param isAged whether it may come from memory that is old */
export function failure(
  status: number,
  codes: readonly ProblemCode[],
  isAged: boolean,
  components: Components,
): object {
  const headers: HeaderName[] = ['X-Request-Id'];
  if (isAged) headers.push('Age');
  if (status === 401) headers.push('WWW-Authenticate');
  if (status === 429 || status === 503) headers.push('Retry-After');
  if (status === 416) headers.push('Content-Range');
  return {
    description: codes
      .map((code) => `\`${code}\`: ${PROBLEMS[code][1]}. ${PROBLEMS[code][2]}`)
      .join('\n\n'),
    headers: headerRefs(headers),
    content: { 'application/problem+json': { schema: components.shown(PROBLEM) } },
  };
}

export function headerRefs(names: readonly HeaderName[]): Readonly<Record<string, JsonSchema>> {
  return Object.fromEntries(names.map((name) => [name, { $ref: `#/components/headers/${name}` }]));
}

/** The table of all codes, in Markdown. */
export function codeTable(): string {
  const rows = Object.entries(PROBLEMS).map(
    ([code, [status, title, advice]]) => `| \`${code}\` | ${status} | ${title} | ${advice} |`,
  );
  return ['| code | status | what it means | what to do |', '|---|---|---|---|', ...rows].join(
    '\n',
  );
}
