/**
 * The lists of a table: fields that `q` searches, facets, order and columns.
 *
 * A list gives its fields the use that it is about, unless a field has a member `use`, which then must
 * have it.
 */
import { type DescribedTable, KEY } from './described.ts';
import { abilitiesOf, cannot, itemsOf, type OpenField } from './fields.ts';
import type { Spot } from './problems.ts';
import { fieldNamed, type OpenTable } from './references.ts';
import type { FileUse } from './types.ts';
import type { WrittenTable } from './written.ts';

type Lists = Pick<DescribedTable, 'text' | 'sort'> &
  Partial<Pick<DescribedTable, 'facets' | 'columns'>>;

/** Without facets and columns where the file lists none. */
export function readLists(written: WrittenTable, table: OpenTable): Lists {
  const listed = (member: 'text' | 'facets' | 'columns', use: FileUse) => {
    const names = itemsOf<string>(written[member], table.spot.in(member));
    for (const [name, at] of names) give(name, use, table, at);
    return written[member] && names.map(([name]) => name);
  };
  const text = listed('text', 'text') ?? defaultText(table);
  const [facets, columns] = [listed('facets', 'facet'), listed('columns', 'show')];
  const sort = sortOf(written, table);
  return { text, sort, ...(facets && { facets }), ...(columns && { columns }) };
}

function sortOf({ sort: given }: WrittenTable, table: OpenTable): Lists['sort'] {
  const spot = table.spot.in('sort');
  if (given === undefined || spot.hasWrong) return { by: KEY, descending: true };
  const descending = given.startsWith('-');
  const by = descending ? given.slice(1) : given;
  give(by, 'sort', table, spot);
  return { by, descending };
}

/** Gives a field a use because a list of the table names the field. */
export function give(name: string, use: FileUse, table: OpenTable, spot: Spot): void {
  const open = fieldNamed(name, table, spot);
  if (!open || open.uses.has(use)) return;
  if (!abilitiesOf(open.field).possible.includes(use)) {
    spot.add(cannot(name, open.field, use));
  } else if (open.isFixed) {
    // The use may be among those that cannot be read.
    if (open.spot.in('use').hasWrong) return;
    spot.add(`${name} does not have the use ${use}: add it to its member "use"`);
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
