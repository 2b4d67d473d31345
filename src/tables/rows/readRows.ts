/** The rows of a page by id, read at one cluster time: documents and their joined documents. */
import type { Document } from 'mongodb';
import { idKey } from '../../store/bson/storeValue.ts';
import type { SnapshotRead } from '../../store/snapshotRead.ts';
import type { Join, Resource, Resources } from '../definition/definition.ts';
import type { JoinedRow, StoredDocument } from '../definition/record.ts';
import { JOINED, type JoinedPair, joinStages, rowStages } from '../query/pipeline.ts';
import { inSlices } from './slices.ts';

/** A reader of one moment, which may be a transaction. */
type RowReader = Pick<SnapshotRead, 'aggregate'>;

/**
 * One row for each id, in the order of the ids; undefined if there is no document.
 *
 * @param condition a further condition on the documents
 */
export async function readRows(
  read: RowReader,
  resource: Resource,
  resources: Resources,
  ids: readonly unknown[],
  condition: Document = {},
): Promise<(JoinedRow | undefined)[]> {
  const { collection, joins } = resource;
  const rows: (JoinedRow | undefined)[] = [];
  for await (const some of inSlices(ids)) {
    const documents = await read.aggregate(collection, rowStages(some, condition));
    const related: [Join, JoinedBy][] = [];
    for (const join of joins) {
      const pairs = await read.aggregate(collection, joinStages(join, resources, some, condition));
      related.push([join, joinedBy(pairs as JoinedPair[])]);
    }
    const byId = new Map(documents.map((one) => [idKey(one._id), joinedRow(one, related)]));
    rows.push(...some.map((id) => byId.get(idKey(id))));
  }
  return rows;
}

/** The documents that each document is joined to, by the key of its `_id`. */
type JoinedBy = ReadonlyMap<string, readonly StoredDocument[]>;

function joinedBy(pairs: readonly JoinedPair[]): JoinedBy {
  const found = new Map<string, StoredDocument[]>();
  for (const pair of pairs) {
    const key = idKey(pair._id);
    const joined = found.get(key) ?? [];
    if (pair[JOINED]) joined.push(pair[JOINED]);
    found.set(key, joined);
  }
  return found;
}

/** Undefined when the document was gone by the time its joins were read. */
function joinedRow(
  document: StoredDocument,
  related: readonly (readonly [Join, JoinedBy])[],
): JoinedRow | undefined {
  const joined: Record<string, readonly StoredDocument[]> = {};
  for (const [join, by] of related) {
    const documents = by.get(idKey(document._id));
    if (!documents) return undefined;
    joined[join.by] = documents;
  }
  return { document, joined };
}
