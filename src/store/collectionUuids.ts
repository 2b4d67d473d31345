/**
 * Tells which collections some names stand for, and whether one of them was dropped, renamed or
 * created.
 *
 *     look at L ──── read at T ≥ L ──── look again: the same ──► at T they stood for the same
 *
 * A read at an earlier moment resolves the name as of now. So a dropped collection reads as empty
 * even at a moment when it existed. Even the latest moment that can be read lies some milliseconds
 * before a drop that is already seen.
 *
 * A look shows the collections of its primary. A drop that the majority lacks is taken back when
 * that primary is replaced, and its successor shows the same collections again. So two equal looks
 * prove something only at one primary of one election; the driver's monitors tell of another
 * primary without a command.
 *
 * Both looks belong to the same search. A name without a collection at an earlier search may have
 * had one since, and lost it again.
 *
 * A view stands for its definition and for the collection that it is of, but not for those that it joins.
 */
import { BSON, type Db, type Timestamp } from 'mongodb';
import { readCommand } from './commands.ts';
import type { Deadline } from './deadline.ts';
import { primaryAskedBy } from './primary.ts';

export interface StoodFor {
  readonly uuids: string;
  /** The store has these names; collections under views are among them. */
  readonly there: ReadonlySet<string>;
  /** The elections that were known of when the answer was there. */
  readonly elections: number;
  /** The store's time when it answered: everything seen here had happened by then. */
  readonly by: Timestamp | undefined;
}

interface Listed {
  readonly name: string;
  readonly type: string;
  readonly info?: { readonly uuid?: unknown };
  readonly options?: { readonly viewOn?: string };
}

export async function collectionUuids(
  db: Db,
  names: readonly string[],
  deadline: Deadline,
): Promise<StoodFor> {
  const uuids: string[] = [];
  const there = new Set<string>();
  let by: Timestamp | undefined;
  for (let asked = names; asked.length > 0; ) {
    const command = { listCollections: 1, filter: { name: { $in: asked } }, cursor: {} };
    const { cursor, operationTime } = await readCommand(db, deadline, command);
    const listed: readonly Listed[] = cursor.firstBatch;
    by = operationTime;
    uuids.push(...listed.map(standsFor));
    for (const { name } of listed) there.add(name);
    asked = listed.flatMap(collectionsUnder);
  }
  const { elections } = primaryAskedBy(db.client);
  return { uuids: uuids.sort().join('\n'), there, elections, by };
}

const standsFor = ({ name, info, options }: Listed): string =>
  `${name} ${info?.uuid ?? BSON.EJSON.stringify(options)}`;

/** The store refuses a view of itself, so a chain of views has an end. */
function collectionsUnder({ name, type, options }: Listed): string[] {
  if (type === 'timeseries') return [`system.buckets.${name}`];
  return options?.viewOn === undefined ? [] : [options.viewOn];
}

/** Whether the name stood for a collection or a view. */
export const isThere = ({ there }: StoodFor, name: string): boolean => there.has(name);

/** Whether the names stood for the same collections at every read between the two looks. */
export const areSame = (before: StoodFor, after: StoodFor): boolean =>
  before.uuids === after.uuids && before.elections === after.elections;
