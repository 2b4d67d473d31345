/** From a resource to the table that indexes it, and to the source of each of its columns. */

import type { ColumnSource } from '../../follow/extract.ts';
import type { ColumnDefinition, TableDefinition } from '../../textindex/index.ts';
import type { Expect, Resource, Resources, Use } from './definition.ts';

/** A resource's table and, in the same order, the sources of its columns. */
export interface TableLayout {
  readonly definition: TableDefinition;
  readonly sources: readonly ColumnSource[];
}

/** Uses that every table offers for its row ids. */
const OF_IDS: ReadonlySet<Use> = new Set(['sort', 'select', 'range']);

/**
 * One column for each field that is stored or made of a stored one. The key needs none to be sorted
 * or selected by, or for ranges, since every table finds and orders rows by id. Labels hang on the
 * column they are reached through.
 *
 * @param resources those whose labels may be made of this one's fields
 */
export function tableLayout(resource: Resource, resources: Resources = {}): TableLayout {
  const ofLabels = labelFields(resource, resources);
  const columns: ColumnDefinition[] = [];
  const sources: ColumnSource[] = [];
  for (const [name, field] of Object.entries(resource.fields)) {
    if (field.kind === 'seconds') {
      const { from: path, to, uses } = field;
      const range = uses.includes('range');
      columns.push({ name, expect: 'number', sort: uses.includes('sort'), range });
      sources.push({ name, path, to, as: 'seconds' });
    }
    if (field.kind !== 'stored' && field.kind !== 'decimal') continue;
    const uses: readonly Use[] =
      name === resource.key ? field.uses.filter((use) => !OF_IDS.has(use)) : field.uses;
    if (uses.length === 0) continue;
    const ofIds = field.kind === 'stored' && field.type === 'objectId';
    // Only dates in order can be counted by time.
    const isDated = field.expect === 'date' && uses.includes('range');
    const sorted = uses.includes('sort') || isDated;
    const labels = labelsThrough(resource, name);
    columns.push({
      name,
      expect: layoutFor(field.expect, ofIds),
      ofIds,
      contains: uses.includes('contains'),
      equals: uses.some((use) => use === 'equals' || use === 'select' || use === 'facet'),
      sort: sorted,
      facet: uses.includes('facet'),
      range: uses.includes('range'),
      labels,
    });
    const as = field.kind === 'decimal' ? 'decimal' : 'value';
    // A label is of one value alone, beside which elements that are no objects count as in an order.
    const whole = sorted || labels.length > 0;
    sources.push({ name, path: field.path, as, sorted: whole, labels: ofLabels.has(name) });
  }
  const together = freeText(resource);
  return { definition: { name: resource.name, columns, together }, sources };
}

/** The hint for a column's layout. */
function layoutFor(expect: Expect, ofIds: boolean): ColumnDefinition['expect'] {
  if (expect === 'unique' && ofIds) return 'objectId';
  return expect === 'uuid' || expect === 'number' || expect === 'date' ? expect : 'any';
}

/**
 * The columns and labels in which the resource's free text is sought. Labels of values are not among
 * them: a plan turns them into values.
 */
function freeText(resource: Resource): NonNullable<TableDefinition['together']> {
  const filter = Object.values(resource.filters).find(({ kind }) => kind === 'text');
  if (filter?.kind !== 'text') return [];
  return filter.fields.flatMap((name) => {
    const field = resource.fields[name]!;
    if (field.kind === 'value label') return [];
    if (field.kind === 'related') return { column: field.through, label: name };
    return { column: name };
  });
}

/** The fields of the resource that others' labels are made of: their keys and texts. */
function labelFields(resource: Resource, resources: Resources): ReadonlySet<string> {
  const others = Object.values(resources).flatMap(({ fields }) => Object.values(fields));
  return new Set(
    others.flatMap((field) =>
      field.kind === 'related' && field.to === resource.name ? [field.key, field.text] : [],
    ),
  );
}

/** The labels of a field's values in other resources' documents, such as a customer's email. */
export function labelsThrough(resource: Resource, column: string): string[] {
  return Object.entries(resource.fields).flatMap(([name, field]) =>
    field.kind === 'related' && field.through === column ? [name] : [],
  );
}
