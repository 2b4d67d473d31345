/** The rows of a page by id, read at one cluster time: documents and what is joined to them. */
import { BSON, type Document } from 'mongodb';
import { joinedName, type Resources, rowStages } from '../query/pipeline.ts';
import type { Resource } from '../resources/definition.ts';
import type { JoinedRow, StoredDocument } from '../resources/record.ts';

/** Whatever reads one moment: a `SnapshotRead`, or a transaction. */
export interface RowReader {
  aggregate(collection: string, pipeline: readonly Document[]): Promise<Document[]>;
}

/** One row for each id, in the order of the ids; undefined where there is no document. */
export async function readRows(
  read: RowReader,
  resource: Resource,
  resources: Resources,
  ids: readonly unknown[],
): Promise<(JoinedRow | undefined)[]> {
  if (ids.length === 0) return [];
  const stages = rowStages(resource, resources, ids);
  const documents = await read.aggregate(resource.collection, stages);
  const rows = documents.map((document) => joinedRow(resource, document));
  return inOrder(rows, ids);
}

/** The row of each id, in the order of the ids; undefined where there is none. */
export function inOrder(
  rows: readonly JoinedRow[],
  ids: readonly unknown[],
): (JoinedRow | undefined)[] {
  const byId = new Map(rows.map((row) => [idKey(row.document._id), row]));
  return ids.map((id) => byId.get(idKey(id)));
}

/** Takes what was joined out of the document, which is nobody else's. */
function joinedRow(resource: Resource, document: Document): JoinedRow {
  const joined: Record<string, StoredDocument[]> = {};
  for (const join of resource.joins) {
    const name = joinedName(join);
    joined[join.as] = document[name] ?? [];
    delete document[name];
  }
  return { document, joined };
}

/** A document's `_id` of any BSON type as a text that is equal just if the ids are. */
function idKey(id: unknown): string {
  switch (typeof id) {
    case 'string':
      return `"${id}`;
    case 'number':
      return String(id);
    default:
      return BSON.EJSON.stringify({ id });
  }
}
