/**
 * A file that people have edited, with new parts of the store as comments. Nothing in it changes, and
 * a comment that is there already is not added again.
 */
import { isMap, isScalar, parseDocument, type YAMLMap } from 'yaml';
import type { DraftField, DraftTable } from './draft.ts';
import { freeName } from './names.ts';
import type { Drafts } from './tables.ts';
import { fieldLines, tableLines } from './write.ts';

export interface Updated {
  readonly text: string;
  readonly fields: number;
  readonly tables: number;
}

const NEW = '# new: ';

/**
 * @throws Error if the text is not YAML with tables in it, or is JSON, which has no comments
 */
export function updateTables(text: string, { tables }: Drafts): Updated {
  if (/^\s*\{/.test(text))
    throw new Error('JSON has no comments; init writes what is new to YAML files');
  const document = parseDocument(text);
  const defined = document.get('tables');
  if (document.errors.length > 0 || !isMap(defined)) throw new Error('it has no tables');
  const insertions: { at: number; lines: readonly string[] }[] = [];
  const added = { fields: 0, tables: 0 };
  const unknown: string[] = [];
  const known = narrow(text);
  for (const draft of tables) {
    const places = placesOf(defined, draft.collection);
    if (!places) {
      if (text.includes(newTable(draft))) continue;
      added.tables += 1;
      unknown.push(newTable(draft), ...tableLines(draft).map((line) => `# ${line}`));
    }
    // A table may leave out the fields that another table of the collection has.
    const paths = new Set((places ?? []).flatMap(pathsOf));
    for (const fields of places ?? []) {
      const lines = newFields(draft, fields, paths).filter(
        (line) => !known.includes(compared(line)),
      );
      if (lines.length === 0) continue;
      added.fields += lines.length;
      insertions.push({ at: endOfLine(text, fields.range![1]), lines });
    }
  }
  let result = text;
  for (const { at, lines } of insertions.sort((a, b) => b.at - a.at)) {
    result = `${result.slice(0, at)}\n${lines.join('\n')}${result.slice(at)}`;
  }
  if (unknown.length > 0) result = `${result.trimEnd()}\n${unknown.join('\n')}\n`;
  const isOfWindows = text.includes('\r\n') && !text.replaceAll('\r\n', '').includes('\n');
  return { text: isOfWindows ? result.replace(/\r?\n/g, '\r\n') : result, ...added };
}

const newTable = ({ collection }: DraftTable) => `${NEW}a table of ${JSON.stringify(collection)}`;

/** The `fields` of each table over a collection; undefined without such a table. An alias has its fields elsewhere. */
function placesOf(defined: YAMLMap, collection: string): YAMLMap[] | undefined {
  const tables = defined.items
    .map(({ value }) => value)
    .filter((table) => isMap(table) && table.get('collection') === collection) as YAMLMap[];
  if (tables.length === 0) return undefined;
  const all = tables.map((table) => table.get('fields'));
  return all.filter((fields): fields is YAMLMap => isMap(fields) && !!fields.range);
}

const nameOf = (key: unknown) => String(isScalar(key) ? key.value : key);

/** The paths of a table's fields. */
const pathsOf = ({ items }: YAMLMap): string[] =>
  items.map(({ key, value }) => {
    const name = nameOf(key);
    const path = isMap(value) ? value.get('path') : undefined;
    return name === 'id' ? '_id' : String(path ?? name);
  });

/** Lines of comment for stored fields of other paths than these. */
function newFields({ fields }: DraftTable, known: YAMLMap, paths: ReadonlySet<string>): string[] {
  const names = new Set(known.items.map(({ key }) => nameOf(key)));
  const added = fields.filter(({ found }) => found && !paths.has(found.profile.path));
  if (added.length === 0) return [];
  const free = added.map((field): DraftField => {
    const name = freeName(field.name, names);
    if (name === field.name) return field;
    const { path } = field.found!.profile;
    return { ...field, name, members: { ...field.members, path } as never };
  });
  return fieldLines(free).map((line) => line.replace(/^ {6}/, `      ${NEW}`));
}

/** A line without its remark, and without the blanks that make columns. */
const compared = (line: string) => narrow(line.trim().replace(/ {2}#.*$/, '')).trim();

const narrow = (text: string) => text.replace(/ +/g, ' ');

function endOfLine(text: string, at: number): number {
  // A block map ends at the start of the line after its last member.
  const from = text[at - 1] === '\n' ? at - 1 : at;
  const end = text.indexOf('\n', from);
  return end < 0 ? text.length : end;
}
