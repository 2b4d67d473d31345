/**
 * The store's own account of each collection at a moment, compared with the rows shown then.
 *
 *     shown at F ──► find, readConcern snapshot, atClusterTime F ──► the same rows, or a difference
 */
import { BSON, type Db, MongoServerError, type Timestamp } from 'mongodb';
import type { CollectionSpec } from '../../../src/follow/followedCollection.ts';
import { type Row, scalarKey } from '../../../src/textindex/index.ts';
import { snapshotOf } from '../../support/snapshotOf.ts';
import type { MapSink, Shown } from './mapSink.ts';

/**
 * The collection was replaced since, or while it was read, or a new primary keeps no history as
 * old: its past cannot be read.
 */
const OVERTAKEN = new Set<unknown>([175, 239, 246]);

export class Truth {
  /** States compared, and those that the server could not read any more. */
  compared = 0;
  unreadable = 0;
  readonly differences: string[] = [];
  readonly #db: Db;
  readonly #specs: readonly CollectionSpec[];

  constructor(db: Db, specs: readonly CollectionSpec[]) {
    this.#db = db;
    this.#specs = specs;
  }

  /** Compares all that the sink has shown so far, and forgets it. */
  async check(sink: MapSink): Promise<void> {
    for (const shown of sink.shown.splice(0)) await this.#compare(shown);
  }

  async #compare({ at, tables }: Shown): Promise<void> {
    for (const spec of this.#specs) {
      const table = tables.get(spec.name);
      if (!table) continue;
      const stored = await this.#readAt(spec, at);
      if (stored === null) {
        this.unreadable++;
        continue;
      }
      this.compared++;
      const difference = differenceOf(table, stored);
      if (difference) this.differences.push(`${spec.name} at ${at}: ${difference}`);
    }
  }

  async #readAt(spec: CollectionSpec, at: Timestamp): Promise<Map<unknown, Row> | null> {
    try {
      const documents = await snapshotOf(this.#db, spec.name, at);
      const rows = documents.map((document) => spec.extract(BSON.serialize(document)));
      return new Map(rows.map((row) => [scalarKey(row.id), row]));
    } catch (error) {
      if (error instanceof MongoServerError && OVERTAKEN.has(error.code)) return null;
      throw error;
    }
  }
}

/** Empty when both hold the same rows. */
function differenceOf(shown: ReadonlyMap<unknown, Row>, stored: ReadonlyMap<unknown, Row>): string {
  const keys = new Set([...shown.keys(), ...stored.keys()]);
  const differing = [...keys].filter((key) => !sameRow(shown.get(key), stored.get(key)));
  const some = differing.slice(0, 3).map((key) => {
    const of = (table: ReadonlyMap<unknown, Row>) => JSON.stringify(table.get(key)?.cells);
    return `${String(key)} shown ${of(shown)} stored ${of(stored)}`;
  });
  return differing.length === 0 ? '' : `${differing.length} rows, ${some.join('; ')}`;
}

const sameRow = (a: Row | undefined, b: Row | undefined): boolean =>
  JSON.stringify(a?.cells) === JSON.stringify(b?.cells);
