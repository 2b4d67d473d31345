/**
 * The lists of a table: fields that `q` searches, facets, order and columns.
 *
 * A list gives its fields the use that it is about, unless a field has a member `use`, which then must
 * have it.
 */
import { type DescribedTable, KEY } from './described.ts';
import { abilitiesOf, cannot, itemsOf, type OpenField } from './fields.ts';
import { below, type Problems } from './problems.ts';
import { fieldNamed, type OpenTable } from './references.ts';
import type { FileUse } from './types.ts';
import type { WrittenTable } from './written.ts';

type Lists = Pick<DescribedTable, 'text' | 'sort'> &
  Partial<Pick<DescribedTable, 'facets' | 'columns'>>;

/** Without facets and columns where the file lists none. */
export function readLists(written: WrittenTable, table: OpenTable, problems: Problems): Lists {
  const listed = (member: 'text' | 'facets' | 'columns', use: FileUse) => {
    const pointer = below(table.pointer, member);
    const names = itemsOf<string>(written[member], pointer, problems);
    for (const [name, at] of names) give(name, use, table, at, problems);
    return written[member] && names.map(([name]) => name);
  };
  const text = listed('text', 'text') ?? defaultText(table);
  const [facets, columns] = [listed('facets', 'facet'), listed('columns', 'show')];
  const sort = sortOf(written, table, problems);
  return { text, sort, ...(facets && { facets }), ...(columns && { columns }) };
}

function sortOf(written: WrittenTable, table: OpenTable, problems: Problems): Lists['sort'] {
  const pointer = below(table.pointer, 'sort');
  const given = written.sort;
  if (given === undefined || problems.touch(pointer)) return { by: KEY, descending: true };
  const descending = given.startsWith('-');
  const by = descending ? given.slice(1) : given;
  give(by, 'sort', table, pointer, problems);
  return { by, descending };
}

/** Gives a field a use because a list of the table names the field. */
export function give(
  name: string,
  use: FileUse,
  table: OpenTable,
  pointer: string,
  problems: Problems,
): void {
  const open = fieldNamed(name, table, pointer, problems);
  if (!open || open.uses.has(use)) return;
  if (!abilitiesOf(open.field).possible.includes(use)) {
    problems.add(pointer, cannot(name, open.field, use));
  } else if (open.isFixed) {
    // The use may be among those that cannot be read.
    if (problems.touch(below(open.pointer, 'use'))) return;
    problems.add(pointer, `${name} does not have the use ${use}: add it to its member "use"`);
  } else {
    open.uses.add(use);
  }
}

/** Ids, labels and strings: all fields whose text can be searched. */
function defaultText(table: OpenTable): readonly string[] {
  const isText = ({ field, uses, isFixed }: OpenField) =>
    uses.has('text') || (!isFixed && field.kind === 'stored' && field.type === 'string');
  const names = [...table.fields].flatMap(([name, open]) => (open && isText(open) ? [name] : []));
  for (const name of names) table.fields.get(name)!.uses.add('text');
  return names;
}
