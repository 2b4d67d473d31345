/**
 * The documents that rows are joined to, at one moment.
 *
 *     rows ──► their keys ──► find {key: {$in: keys}} as of the same moment ──► documents of each row,
 *                                                                               in the order of `_id`
 *
 * A page of orders shows the names of a few shops. A `$lookup` reads each of them again for each row,
 * which takes the server longer than the rest of a page.
 */
import { projectionOf } from '../../follow/extract.ts';
import { queryValue } from '../../store/bson/storeValue.ts';
import type { SnapshotRead } from '../../store/snapshotRead.ts';
import { scalarKey } from '../../textindex/index.ts';
import type { Join, Resource, Resources } from '../definition/definition.ts';
import { at, type JoinedRow, type StoredDocument, valuesAt } from '../definition/record.ts';
import { type RelationKey, relationKeyOf, relationKeysOf } from '../definition/relationKey.ts';

/** The documents that each document is joined to, as by the server's `$lookup`. */
export async function joinedTo(
  joins: Resource['joins'],
  resources: Resources,
  documents: readonly StoredDocument[],
  read: Pick<SnapshotRead, 'find'>,
): Promise<readonly JoinedRow['joined'][]> {
  const joined = documents.map((): Record<string, readonly StoredDocument[]> => ({}));
  for (const join of joins) {
    const keys = documents.map((document) => keysOf(join, document));
    const found = await documentsOf(join, keys.flat(), resources, read);
    for (const [i, some] of keys.entries()) {
      const wanted = new Set(some.map(scalarKey));
      const all = [...wanted].flatMap((key) => found.get(key) ?? []);
      all.sort((a, b) => a.place - b.place);
      const shown = join.one ? all.slice(0, 1) : all;
      joined[i]![join.by] = shown.map(({ document }) => document);
    }
  }
  return joined;
}

/** A document, and its place in the order of `_id`. */
interface Placed {
  readonly document: StoredDocument;
  readonly place: number;
}

/** How documents are found by a key of theirs. */
type ByKey = Pick<Join, 'field' | 'shows' | 'one'>;

/** The documents with these keys, by the `scalarKey` of the key. */
export async function documentsOf(
  { field: { to, keyPath, keyType }, shows, one }: ByKey,
  keys: readonly RelationKey[],
  resources: Resources,
  read: Pick<SnapshotRead, 'find'>,
): Promise<ReadonlyMap<string, readonly Placed[]>> {
  const byKey = new Map<string, Placed[]>();
  const wanted = new Map(keys.map((key) => [scalarKey(key), queryValue(key)]));
  if (wanted.size === 0) return byKey;
  const documents = await read.find(resources[to]!.collection, {
    filter: { [keyPath]: { $in: [...wanted.values()] } },
    projection: projectionOf([...shows, keyPath].map((path) => ({ path }))),
    sort: { _id: 1 },
  });
  for (const [place, document] of documents.entries()) {
    const key = relationKeyOf(at(document, keyPath), keyType);
    if (key === undefined) continue;
    const same = byKey.get(scalarKey(key));
    if (!same) byKey.set(scalarKey(key), [{ document, place }]);
    // A key may have a great many documents, and a page a great many rows.
    else if (!one) same.push({ document, place });
  }
  return byKey;
}

/** The keys that lead to the join's documents, as relations have them. */
export function keysOf({ field, through }: Join, document: StoredDocument): RelationKey[] {
  const only = at(document, through);
  if (typeof only === 'string') return field.keyType === 'string' ? [only] : [];
  return relationKeysOf(valuesAt(document, through), field.keyType);
}
