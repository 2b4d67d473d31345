/** The names that the search box knows for a table: its fields, and shorter ones for them. */
import { isOwn, type TableName } from '../state/view.ts';
import { columnOf, columnTitle, fieldTitle, type Look, tableOf } from '../tables/tables.ts';
import type { FieldKind, Vocabulary } from './language.ts';
import { nearest } from './spelling.ts';

/**
 * The first name of a field is the one that the box writes; its title, in any language, is one as well.
 *
 * @param time the date that `date:` stands for
 */
export function vocabularyOf(name: TableName, time: string | undefined): Vocabulary {
  const table = tableOf(name);
  const { conditions: compared, contains } = table.description;
  // Labels are searched by a part of their text alone.
  const conditions = [...new Set([...compared, ...contains])];
  // A title may be a name that objects have, such as `constructor`.
  const fields: Record<string, FieldKind> = Object.create(null);
  // A file names its own dates: the box writes those names, and takes `date` as well.
  if (time !== undefined && !isOwn(name)) fields.date = kindOf(name, time);
  for (const [alias, field] of Object.entries(table.aliases)) {
    if (conditions.includes(field)) fields[alias] = kindOf(name, field);
  }
  for (const field of conditions) fields[field] = kindOf(name, field);
  for (const field of conditions) {
    for (const title of [field, fieldTitle(name, field), columnTitle(name, field)]) {
      fields[title.normalize().toLowerCase().replace(/\s+/g, '_')] ??= kindOf(name, field);
    }
  }
  if (time !== undefined) fields.date ??= kindOf(name, time);
  if (isOwn(name)) {
    for (const [end, field] of ends(conditions)) fields[end] ??= kindOf(name, field);
  }
  return { fields };
}

/** The last words of names, such as `region` of `ship_region`, that only one of the names ends with. */
function ends(names: readonly string[]): readonly (readonly [end: string, name: string])[] {
  const all = names.flatMap((name) => {
    const words = name.toLowerCase().split('_');
    return words.slice(1).map((_, at) => [words.slice(at + 1).join('_'), name] as const);
  });
  const isOfOne = (end: string) => all.filter(([other]) => other === end).length === 1;
  return all.filter(([end]) => /^\p{L}/u.test(end) && isOfOne(end));
}

/** The shortest name of each field, for lists. */
export function namesOf({ fields }: Vocabulary): readonly string[] {
  const seen = new Set<string>();
  return Object.keys(fields).filter((name) => {
    const { field } = fields[name]!;
    return !seen.has(field) && seen.add(field);
  });
}

/** The names that somebody may have meant, nearest first: one of each field. */
export function namesLike({ fields }: Vocabulary, typed: string, most = 3): readonly string[] {
  const near = new Map<string, string>();
  for (const name of nearest(typed, Object.keys(fields), Number.POSITIVE_INFINITY)) {
    const { field } = fields[name]!;
    if (!near.has(field)) near.set(field, name);
  }
  return [...near.values()].slice(0, most);
}

const kindOf = (name: TableName, field: string): FieldKind => ({
  field,
  title: fieldTitle(name, field),
  takes: takenBy(name, field),
  isCounted: isCounted(name, field),
  isListed: tableOf(name).description.values.includes(field),
  hasText: tableOf(name).description.contains.includes(field),
});

function isCounted(name: TableName, field: string): boolean {
  const { description, counted } = tableOf(name);
  return (counted ?? description.facets).includes(field);
}

/** Looks of ids: their letters are small, and numbers are numbers. */
const IDS: readonly Look[] = ['id', 'number'];

function takenBy(name: TableName, field: string): FieldKind['takes'] {
  const { description, kinds } = tableOf(name);
  const { columns, conditions, ranges } = description;
  if (!conditions.includes(field)) return 'part';
  const kind = kinds?.[field] ?? columns[field];
  const range = ranges[field];
  if (range === 'number' && columnOf(name, field).look === 'seconds') return 'seconds';
  if (range) return range;
  if (kind === 'boolean') return 'flag';
  if (isCounted(name, field)) return kind === 'number' ? 'numbers' : 'values';
  if (IDS.includes(columnOf(name, field).look)) return 'id';
  // Texts of a table of a file may have capitals, and the service knows its ids.
  return isOwn(name) ? 'text' : 'idOrText';
}
