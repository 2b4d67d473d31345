/**
 * The collections that a search reads: its resource's own, and the ones of related documents. A view without a
 * related field does not depend on the collection behind it, nor on whether there is one.
 */

import type { Db } from 'mongodb';
import { collectionUuids, type StoodFor } from '../../store/collectionUuids.ts';
import type { Deadline } from '../../store/deadline.ts';
import type { Resource, Resources } from './definition.ts';

/** The tables in the index of the same, by their resources' names. */
export const tablesRead = (resource: Resource): string[] => [
  ...new Set([resource.name, ...relatedResources(resource)]),
];

/**
 * The tables that depend on each other with this one: they have labels from each other, directly or not.
 * In the order of the resources.
 */
export function tablesAround(name: string, resources: Resources): string[] {
  const all = Object.values(resources).map(tablesRead);
  const around = new Set([name]);
  for (let before = 0; before !== around.size; ) {
    before = around.size;
    for (const read of all) {
      if (read.some((one) => around.has(one))) for (const one of read) around.add(one);
    }
  }
  return Object.keys(resources).filter((one) => around.has(one));
}

/** The collections that the names of all of them stand for now. */
export function collectionsBehind(
  { db, resources }: { readonly db: Db; readonly resources: Resources },
  resource: Resource,
  deadline: Deadline,
): Promise<StoodFor> {
  const related = relatedResources(resource).map((name) => resources[name]!.collection);
  return collectionUuids(db, [...new Set([resource.collection, ...related])], deadline);
}

function relatedResources({ fields }: Resource): string[] {
  const related = Object.values(fields).filter((field) => field.kind === 'related');
  return related.map(({ to }) => to);
}
