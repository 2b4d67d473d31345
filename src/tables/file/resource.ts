/** From a described table to its resource: fields, filters, orders, and the record's members. */
import {
  defineResource,
  type Field,
  type Filter,
  type RelatedField,
  type Resource,
  related,
} from '../definition/definition.ts';
import { type Presenter, relatedText } from '../definition/record.ts';
import { secondsMember, storedListMember, storedMember } from '../definition/storedMembers.ts';
import { type DescribedLabel, type DescribedTable, KEY } from './described.ts';
import type { StoredFields } from './storedFields.ts';
import { namesWith } from './usual.ts';
import { compileWindow } from './window.ts';

/** A table, or the part of it that a grant shows. */
type Compiled = Pick<DescribedTable, 'name' | 'collection' | 'fields' | 'text' | 'sort'> & {
  readonly window?: DescribedTable['window'] | undefined;
};

/** No built-in resource has such a name. */
const resourceName = (table: string): string => `table:${table}`;

/** @param stored the stored fields of every table */
export function compileResource(
  table: Compiled,
  stored: ReadonlyMap<string, StoredFields>,
): Resource {
  const own = stored.get(table.name)!;
  const fields: Record<string, Field> = {};
  const record: Record<string, Presenter> = {};
  for (const [name, field] of Object.entries(table.fields)) {
    const isShown = field.uses.includes('show');
    if (field.kind === 'stored') {
      fields[name] = own[name]!;
      const member = field.several ? storedListMember : storedMember;
      if (isShown) record[name] = member(field.path, field.type);
    } else if (field.kind === 'seconds') {
      const [from, to] = [own[field.from]!.path, own[field.to]!.path];
      const uses = (['sort', 'range'] as const).filter((use) => field.uses.includes(use));
      fields[name] = { kind: 'seconds', from, to, uses };
      if (isShown) record[name] = secondsMember(from, to);
    } else {
      const label = labelField(field, stored.get(field.of)!);
      fields[name] = label;
      if (isShown) record[name] = relatedText(name, label.textPath);
    }
  }
  return defineResource({
    name: resourceName(table.name),
    collection: table.collection,
    ...(table.window && { window: compileWindow(table.window, own) }),
    key: KEY,
    fields,
    filters: filtersOf(table),
    sorts: sortsOf(table),
    orders: ordersOf(table),
    record,
  });
}

/** The filter q, and one for each string that may be filtered. */
function filtersOf({ text, fields }: Compiled): Readonly<Record<string, Filter>> {
  const strings = namesWith(fields, 'filter').filter((name) => {
    const field = fields[name]!;
    return field.kind === 'label' || (field.kind === 'stored' && field.type === 'string');
  });
  return {
    ...(text.length > 0 && { q: { kind: 'text', fields: text } as const }),
    ...Object.fromEntries(
      strings.map((name) => [name, { kind: 'contains', field: name } as const]),
    ),
  };
}

/** Every order; the default is the first. */
function sortsOf({ fields, sort: { by } }: Compiled): [string, ...string[]] {
  const sorts = namesWith(fields, 'sort');
  return [by, ...sorts.filter((name) => name !== by)];
}

/** The fields that an explore can sort by: all that are used. */
const ordersOf = ({ fields }: Compiled): string[] =>
  Object.keys(fields).filter((name) => fields[name]!.uses.length > 0);

function labelField(
  { label: text, of, through, key }: DescribedLabel,
  fields: StoredFields,
): RelatedField {
  const { type } = fields[key]!;
  const keyType = type === 'number' || type === 'objectId' ? type : 'string';
  return related(through, { name: resourceName(of), fields }, { key, text, keyType });
}
