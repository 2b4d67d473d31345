/** The fields of a resource, by the questions of an explore that they take. */
import type { Field, Resource, SecondsField, StoredField, Use } from '../definition/definition.ts';

/** Names of a resource's fields with one of these uses, in the order of the definition. */
export function fieldsFor(resource: Resource, ...uses: readonly Use[]): string[] {
  return Object.entries(resource.fields).flatMap(([name, field]) =>
    isAsked(field) && field.uses.some((use) => uses.includes(use)) ? [name] : [],
  );
}

/** Whether conditions may name a field of this kind. */
export const isAsked = (field: Field | undefined): field is StoredField | SecondsField =>
  field?.kind === 'stored' || field?.kind === 'seconds';

/** The fields whose texts a condition can look in. */
export function textFields({ fields }: Resource): string[] {
  return Object.entries(fields).flatMap(([name, field]) => {
    const isLabel = field.kind === 'related' || field.kind === 'value label';
    return isLabel || (field.kind === 'stored' && field.uses.includes('contains')) ? [name] : [];
  });
}

/** The fields that hold dates and can be cut by time. */
export function timeFields(resource: Resource): string[] {
  return fieldsFor(resource, 'range').filter((name) => typeOf(resource, name) === 'date');
}

/** The questions that each field takes, as data: the lists of the schema. */
export function askableFields(resource: Resource) {
  const stats = fieldsFor(resource, 'range');
  const ranges = stats.map((name) => [name, typeOf(resource, name)]);
  return {
    select: fieldsFor(resource, 'facet', 'select', 'range'),
    values: fieldsFor(resource, 'facet', 'select'),
    ranges: Object.fromEntries(ranges) as Readonly<Record<string, 'date' | 'number'>>,
    contains: textFields(resource),
    times: timeFields(resource),
    orders: resource.orders,
    stats,
  };
}

/** The type of a range's bounds on the field; undefined for fields without an order of such values. */
export function typeOf(resource: Resource, name: string): 'date' | 'number' | undefined {
  const field = resource.fields[name];
  if (field?.kind === 'seconds') return 'number';
  if (field?.kind !== 'stored') return undefined;
  return field.expect === 'date' || field.expect === 'number' ? field.expect : undefined;
}
