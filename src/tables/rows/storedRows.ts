/**
 * Rows that are not in memory: read from the store as of the frontier, as bytes.
 *
 *     ids of a page ──► in memory? ─┬─► row
 *                                   └─► read at F: a row, or how large it is
 *
 * A collection that was dropped before the read reads as empty, even at a moment when it existed.
 * The page's own rows are then missing. A row also counts as missing if it lacks a related document
 * that the index knows, or one of a collection that has changed since F.
 */
import type { Db, Timestamp } from 'mongodb';
import { queryValue } from '../../store/bson/storeValue.ts';
import type { Deadline } from '../../store/deadline.ts';
import type { RowId } from '../../textindex/index.ts';
import type { Join, Resource, Resources } from '../definition/definition.ts';
import type { JoinedRow } from '../definition/record.ts';
import { inSlices } from '../index/slices.ts';
import type { Tables } from '../index/tables.ts';
import { isLarge, type LargeRow } from './largeRows.ts';
import { MomentReader, type StoredRow } from './momentReader.ts';
import { keysOf } from './relatedDocuments.ts';

export interface StoredRowsOptions {
  readonly db: Db;
  readonly resources: Resources;
  readonly tables: Pick<Tables, 'leadsTo' | 'versionOf'>;
}

/** Reads rows of one moment. */
export interface StoredReads {
  /**
   * One entry for each id: a row, or the size of a large one. It is undefined for an id without a
   * document, an id that cannot be asked for, and a row whose related documents were gone.
   */
  rows(
    ids: readonly RowId[],
    deadline: Deadline,
  ): Promise<readonly (JoinedRow | LargeRow | undefined)[]>;
  /** The large rows that still exist, in the order of the ids. */
  large(ids: readonly unknown[], deadline: Deadline): Promise<readonly StoredRow[]>;
}

export class StoredRows {
  readonly #options: StoredRowsOptions;

  constructor(options: StoredRowsOptions) {
    this.#options = options;
  }

  /** Reads as of `at`, which must be the frontier at the moment of the call. */
  open(resource: Resource, at: Timestamp): StoredReads {
    const reader = new MomentReader(this.#options, resource, Object.values(resource.record), at);
    const versions = resource.joins.map((join) => this.#versionOf(join));
    const whole = (row: StoredRow) => !this.#isTorn(resource, row, versions);
    return {
      rows: async (ids, deadline) => {
        const found: (StoredRow | LargeRow | undefined)[] = [];
        for await (const some of inSlices(ids)) {
          const asked = some.map(queryValue).filter((id) => id !== undefined);
          const rows = await reader.rows(asked, deadline, atOnce);
          let next = 0;
          for (const id of some)
            found.push(queryValue(id) === undefined ? undefined : rows[next++]);
        }
        return found.map((row) => (row && (isLarge(row) || whole(row)) ? row : undefined));
      },
      large: async (ids, deadline) => {
        const rows = await reader.whole(ids, deadline);
        return rows.filter((row): row is StoredRow => row !== undefined && whole(row));
      },
    };
  }

  #versionOf({ to }: Join): number {
    return this.#options.tables.versionOf(to);
  }

  /** Whether related documents are missing that were there, or of which that is unknown. */
  #isTorn({ joins, fields }: Resource, row: StoredRow, versions: readonly number[]): boolean {
    const { tables } = this.#options;
    return joins.some((join, i) => {
      if (row.joined[join.as]?.length !== 0) return false;
      const keys = keysOf(join, row.document) ?? [];
      if (keys.length > 0 && this.#versionOf(join) !== versions[i]) return true;
      const field = fields[join.by];
      return field?.kind === 'related' && keys.some((key) => tables.leadsTo(field, key));
    });
  }
}

const atOnce = async <T>(work: () => T): Promise<T> => work();
