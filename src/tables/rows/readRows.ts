/** The rows of a page by id, read at one cluster time: documents and their joined documents. */
import type { Document } from 'mongodb';
import { idKey } from '../../store/idKey.ts';
import type { Resource, Resources } from '../definition/definition.ts';
import type { JoinedRow } from '../definition/record.ts';
import { inSlices } from '../index/slices.ts';
import { type DocumentReader, RelatedDocuments } from './relatedDocuments.ts';

/**
 * One row for each id, in the order of the ids; undefined if there is no document.
 *
 * @param condition a further condition on the documents
 */
export async function readRows(
  read: DocumentReader,
  resource: Resource,
  resources: Resources,
  ids: readonly unknown[],
  condition: Document = {},
): Promise<(JoinedRow | undefined)[]> {
  const related = new RelatedDocuments(resources);
  const byId = new Map<string, JoinedRow>();
  for await (const some of inSlices(ids)) {
    const filter = { _id: { $in: some }, ...condition };
    const documents = await read.find(resource.collection, { filter });
    const rows = await related.join(resource, documents, read);
    for (const row of rows) byId.set(idKey(row.document._id), row);
  }
  return ids.map((id) => byId.get(idKey(id)));
}
