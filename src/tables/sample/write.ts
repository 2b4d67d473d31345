/**
 * Drafts as the text of a definition file, with the findings as comments.
 *
 *     status: { type: string, values: few }   # 3 values: "open" 61 %, "shipped" 30 %, "lost" 9 %
 */
import { stringify } from 'yaml';
import { MAX_LENGTH } from '../file/source.ts';
import type { FieldMembers } from '../file/written.ts';
import type { DraftField, DraftTable } from './draft.ts';
import { byReason, firstOf, megabytes, plural } from './figures.ts';
import { quoted } from './names.ts';
import type { Drafts } from './tables.ts';

/** Columns up to which comments are aligned; behind longer lines they follow at once. */
const COMMENT_AT = 64;

/** Bytes of the index by table, as far as they are known. */
type Memory = ReadonlyMap<string, number>;

interface Head {
  readonly db: string;
  /** The moment of the look. */
  readonly at: Date;
  readonly memory: Memory;
}

/** Without the findings about fields where a file would be too long with them. */
export function writeTables(drafts: Drafts, head: Head): string {
  const text = textOf(drafts, head);
  if (text.length <= MAX_LENGTH) return text;
  const tables = drafts.tables.map((table) => {
    const fields = table.fields.map((field) => ({ ...field, remark: '' }));
    return { ...table, fields };
  });
  return textOf({ ...drafts, tables }, head);
}

function textOf({ tables, leftOut }: Drafts, head: Head): string {
  const total = [...head.memory.values()].reduce((sum, bytes) => sum + bytes, 0);
  const lines = [
    `# Tables of the database ${comment(head.db)}, as its documents looked on ${head.at.toISOString()}.`,
    '# Types, hints and titles are guesses: correct them. Without `access` only admins see a table.',
    `# The index takes about ${megabytes(total)} for all of them.`,
    'version: 1',
    'tables:',
    ...tables.flatMap((table) => tableLines(table, head.memory)),
    ...[...byReason(leftOut)].map(([why, names]) => `  # left out: ${named(names)}${why}`),
  ];
  return `${lines.join('\n')}\n`;
}

export function tableLines(table: DraftTable, memory: Memory = new Map()): string[] {
  const { name, collection, count, title, fields, text, facets, sort, columns, remarks } = table;
  const bytes = memory.get(name);
  const about = [
    plural(count, 'document'),
    ...(bytes === undefined ? [] : [megabytes(bytes)]),
    ...remarks,
  ];
  return [
    `  ${name}:`,
    withComment(`    collection: ${scalar(collection)}`, about.join('; ')),
    `    title: ${scalar(title)}`,
    '    fields:',
    ...fieldLines(fields),
    ...table.leftOut.map(({ paths, why }) => `      # left out: ${named(paths)}${why}`),
    ...(text.length > 0 ? [`    text: ${list(text)}`] : []),
    `    facets: ${list(facets)}`,
    `    sort: ${sort}`,
    `    columns: ${list(columns)}`,
  ];
}

/** One line a field, names and comments below each other. */
export function fieldLines(fields: readonly DraftField[]): string[] {
  const width = Math.min(20, Math.max(...fields.map(({ name }) => name.length)));
  return fields.map(({ name, members, remark }) =>
    withComment(`      ${`${scalar(name)}:`.padEnd(width + 1)} ${written(members)}`, remark),
  );
}

/** A field with nothing but a type is that type. */
function written(members: FieldMembers): string {
  const [only, ...more] = Object.entries(members);
  return flow(only![0] === 'type' && more.length === 0 ? only![1] : members);
}

const list = (names: readonly string[]) => `[${names.map(scalar).join(', ')}]`;

function flow(value: unknown): string {
  if (Array.isArray(value)) return `[${value.map(flow).join(', ')}]`;
  if (typeof value !== 'object' || value === null) return scalar(value);
  const members = Object.entries(value).map(([name, one]) => `${name}: ${flow(one)}`);
  return `{ ${members.join(', ')} }`;
}

/** Paths and collections without a place in the file that are named one by one. */
const MAX_NAMED = 12;

function named(paths: readonly string[]): string {
  const all = paths.map((path) => quoted(path));
  return all.length === 0 ? '' : `${firstOf(all, MAX_NAMED)}: `;
}

/**
 * Within flow collections some characters need quotes that they need nowhere else. A text with line
 * breaks stays on one line as JSON, which YAML 1.2 takes.
 */
function scalar(value: unknown): string {
  if (typeof value === 'string') {
    if (NAME.test(value)) return value;
    if (value.includes('\n')) return JSON.stringify(value);
  }
  return stringify([value], { collectionStyle: 'flow', flowCollectionPadding: false, lineWidth: 0 })
    .trim()
    .slice(1, -1);
}

/** Most texts are names, which need no quotes. `stringify` takes long, and a file has thousands of them. */
const NAME = /^(?!(?:null|true|false)$)\p{L}[\p{L}\p{N}_]*$/iu;

function withComment(line: string, text: string): string {
  return text === '' ? line : `${line.padEnd(COMMENT_AT - 2)}  # ${comment(text)}`;
}

/** Texts of the store are quoted before they come here; this keeps the rest on one line. */
const comment = (text: string) => text.replace(/[\0-\x1f\x7f-\x9f\u2028\u2029\ufeff]+/g, ' ');
