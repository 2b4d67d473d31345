/**
 * The collections that a search reads: its resource's own, the joined ones, and the ones of related
 * texts.
 */

import type { Resource, Resources } from '../definition/definition.ts';

/** The tables in the index of the same, by their resources' names. */
export function tablesRead({ name, fields, joins }: Resource): string[] {
  const related = Object.values(fields).filter((field) => field.kind === 'related');
  return [...new Set([name, ...[...joins, ...related].map(({ to }) => to)])];
}

/** Each once, the resource's own first. */
export function collectionsRead(resource: Resource, resources: Resources): string[] {
  const related = Object.values(resource.fields).filter((field) => field.kind === 'related');
  const others = [...resource.joins, ...related].map(({ to }) => resources[to]!.collection);
  return [...new Set([resource.collection, ...others])];
}
