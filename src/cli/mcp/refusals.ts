/**
 * Calls that cannot work, in the words of the tools: the service answers a missing id, and one that is
 * nobody's, as a path at which nothing is.
 */
import { createHash } from 'node:crypto';
import { ApiError } from 'table-search/client';
import { unknownName } from '../asked/names.ts';
import { CliError, EXIT, usage } from '../failure.ts';
import type { Given, Tool } from './tool.ts';

/** @throws CliError for a missing argument, and for one that the tool does not take */
export function checkGiven(
  { name, inputSchema }: Pick<Tool, 'name' | 'inputSchema'>,
  given: Given,
) {
  const { properties, required } = inputSchema;
  const known = Object.keys(properties);
  const unknown = Object.keys(given).find((one) => !known.includes(one));
  if (unknown !== undefined) {
    throw usage(unknownName(unknown, known, `${name} takes`));
  }
  const missing = required.find((one) => given[one] === undefined);
  if (missing === undefined) return;
  throw usage(`${missing} is missing. ${name} takes: ${known.join(', ')}.`);
}

/** Characters of an answer. Assistants cut longer texts, or fail at them. */
const LONGEST = 200_000;

/**
 * The part of a longer answer that was asked for, and where it lies; undefined where all of it was. Each part is of a
 * read of its own: the version tells whether the answer was the same.
 *
 * @throws CliError
 */
export function partOf(json: string, { from }: Given): readonly string[] | undefined {
  if (from === undefined) return undefined;
  if (typeof from !== 'number' || !Number.isInteger(from) || from < 0 || from >= json.length) {
    throw usage(`from is no character of the answer, which has ${json.length}.`);
  }
  const start = wholeAt(json, from);
  const end = wholeAt(json, Math.min(from + LONGEST, json.length));
  const version = createHash('sha256').update(json).digest('hex').slice(0, 8);
  const where = `From ${start} to ${end} of ${json.length} characters, version ${version}.`;
  return [json.slice(start, end), where];
}

/** The next place that is not within a character. */
const wholeAt = (text: string, at: number) =>
  at > 0 && text.codePointAt(at - 1)! > 0xffff ? at + 1 : at;

/** Why an answer is not given to an assistant; undefined for one that it can read. */
export function tooLong(json: string, { inputSchema }: Tool): CliError | undefined {
  if (json.length <= LONGEST) return undefined;
  const { pagination, limit, from } = inputSchema.properties;
  const rows = pagination && ' Ask for fewer rows by pagination.per_page, or for fewer counts.';
  const lines = limit && ' Ask for fewer lines by limit or last.';
  const text = from && ' Ask for its parts by from: 0 gives the first one.';
  const said = `The answer has ${json.length} characters, and ${LONGEST} are the most.`;
  return new CliError(said + (rows ?? lines ?? text ?? ''), EXIT.failed);
}

/** The error of a call, with arguments in place of paths. */
export function inArguments(error: unknown, { inputSchema }: Tool, given: Given): unknown {
  if (!(error instanceof ApiError)) return error;
  const ids = Object.entries(given).filter(([name]) => /(^|_)id$/.test(name));
  if (error.code === 'NotFound' && ids.length > 0) {
    const what = ids.map(([name, id]) => `the ${name} ${JSON.stringify(id)}`).join(' and ');
    const said = `Nothing has ${what}, or this token may not see it; the tool search lists ids.`;
    return new CliError(said, EXIT.missing);
  }
  const isOfProject = 'project_id' in inputSchema.properties && given.project_id === undefined;
  if (error.code === 'Forbidden' && isOfProject) {
    const said = 'Only admins may leave project_id out; search projects lists those of this token.';
    return new CliError(said, EXIT.refused);
  }
  return error;
}
