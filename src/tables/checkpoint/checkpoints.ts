/**
 * Checkpoints of the tables: one file, from which the next start goes on instead of loading all.
 *
 *     start    file ──► tables at its frontier ──► follower: changes since then ──► live
 *     later    tables at one moment ──► file      after the first load, then now and then
 *     end      the same, once requests are done
 *
 * While tables are written they answer searches and no change enters them, so the file is exact.
 * The store's change stream has all later changes, so a file may be old: the start only catches up
 * longer. A file is of use as long as the stream reaches back to it.
 */
import { join } from 'node:path';
import type { Moment, Restored } from '../../follow/checkpoint.ts';
import type { Follower } from '../../follow/follower.ts';
import { readToken } from '../../follow/resumeToken.ts';
import type { Logger } from '../../logger.ts';
import { loop } from '../../loop.ts';
import { epochMsOf, toClusterTime } from '../../store/clusterTime.ts';
import {
  createIndex,
  type Fold,
  type Partition,
  restoringIndex,
  StateReader,
  StateWriter,
  type Steps,
  type TableImage,
} from '../../textindex/index.ts';
import { tableName } from '../definition/definition.ts';
import type { StillTable, Tables } from '../index/tables.ts';
import { CheckpointReader, CheckpointWriter, Damaged, Halted } from './file.ts';
import { fingerprint } from './fingerprint.ts';

export interface CheckpointSettings {
  /** The folder; only one instance may use it. */
  readonly folder: string;
  /** All definitions and settings that decide on the contents of a table, as plain data. */
  readonly decides: (table: string) => unknown;
}

export interface CheckpointsOptions extends CheckpointSettings {
  readonly dbName: string;
  /** The folding of tables that are begun now. */
  readonly fold: () => Fold;
  readonly tables: Tables;
  readonly log: Logger;
}

interface Manifest {
  /** The frontier, as hexadecimal digits. */
  readonly at: string;
  readonly anchor: string;
  readonly tables: readonly {
    readonly name: string;
    readonly fingerprint: string;
    readonly uuid: string;
    readonly rows: number;
    readonly partitions: number;
  }[];
}

/** How often it is looked whether a checkpoint is due, milliseconds. */
const LOOK_MS = 1_000;
/** Least time between two checkpoints, milliseconds, and the same for each gigabyte of them. */
const PAUSE_MS = 600_000;
const GIGABYTE = 1e9;
/**
 * Age, milliseconds, from which on a file is written again though nothing has changed: the oplog must reach
 * back to it, and other collections fill that.
 */
const OLD_MS = 3_600_000;
/**
 * Bytes of a table's memory that are copied at a time, to be written. A copy and its sum take a third of a
 * millisecond, and a search waits for several.
 */
const PIECE = 1 << 19;

interface Latest {
  /** The version that it has of the tables; NaN if it could not be written. */
  readonly version: number;
  readonly anchor?: string;
  /** In `performance.now()`. */
  readonly at: number;
  readonly bytes: number;
}

/** Tables changed while they were written. */
class Overtaken extends Error {}

export class Checkpoints {
  readonly #options: CheckpointsOptions;
  readonly #path: string;
  #follower: Pick<Follower, 'standStill' | 'state'> | undefined;
  #timer: NodeJS.Timeout | undefined;
  #writing: Promise<boolean> | undefined;
  /** A file that is being given up: no other is begun while the disk does not answer. */
  #leaving: Promise<void> | undefined;
  /** The latest checkpoint, read or written, or tried. */
  #latest: Latest | undefined;

  /** Up to when the latest file has all changes; the start while there is none. In `Date.now()`. */
  #upTo = Date.now();

  constructor(options: CheckpointsOptions) {
    this.#options = options;
    this.#path = join(options.folder, `${options.dbName}.checkpoint`);
  }

  /**
   * Fills tables, which are empty: those that are defined as they were then. The others must be loaded;
   * undefined, and the log says why, when all must be.
   *
   * @param signal ends reading: a large file takes longer than an end may take
   */
  async restore(signal: AbortSignal): Promise<Restored | undefined> {
    const { log, tables } = this.#options;
    const began = performance.now();
    let file: CheckpointReader | undefined;
    try {
      file = await CheckpointReader.open(this.#path, signal);
      if (!file) throw new Error('there is none');
      const manifest = file.manifest as Manifest;
      const at = BigInt(`0x${manifest.at}`);
      if (readToken(manifest.anchor).time > at) throw new Damaged('its anchor is after its tables');
      const prints = await this.#fingerprints(manifest.tables, this.#options.fold());
      const same = manifest.tables.filter((one) => one.fingerprint === prints.get(one.name));
      if (same.length === 0) {
        throw new Error('definitions, settings, letters or the program are others than then');
      }
      let bytes = 0;
      for (const one of same) bytes += await this.#restoreTable(file, one);
      this.#latest = { version: tables.version, anchor: manifest.anchor, at: began, bytes };
      this.#upTo = epochMsOf(at);
      const ms = Math.round(performance.now() - began);
      const kept = new Set(same.map(({ name }) => name));
      const others = tables.names.filter((name) => !kept.has(name)).map(tableName);
      const anew = others.length > 0 && { loaded_anew: others };
      log.info({ bytes, ms, tables: same.length, ...anew }, 'checkpoint read');
      return {
        at,
        anchor: manifest.anchor,
        tables: new Map(same.map(({ name, uuid, rows }) => [name, { uuid, rows }])),
      };
    } catch (error) {
      const reason = error instanceof Error ? error.message : String(error);
      log.info({ reason }, 'no checkpoint is read; collections are loaded');
      return undefined;
    } finally {
      await file?.close();
    }
  }

  /** Writes checkpoints from now on, as they are due. */
  start(follower: Pick<Follower, 'standStill' | 'state'>): void {
    this.#follower = follower;
    this.#timer = setInterval(() => this.#look(), LOOK_MS);
    this.#timer.unref();
  }

  /** Writes the last one, unless one that is being written comes to its end. */
  async close(): Promise<void> {
    clearInterval(this.#timer);
    if ((await this.#writing) || this.#leaving) return;
    if (this.#isDue) await this.#write();
  }

  /** The same; now, where nothing has changed since. */
  get upTo(): number {
    return this.#hasChanged ? this.#upTo : Date.now();
  }

  get #hasChanged(): boolean {
    return this.#latest?.version !== this.#options.tables.version;
  }

  /** Whether tables show one moment, which the latest file is too far from. */
  get #isDue(): boolean {
    const { phase, frontier } = this.#follower?.state ?? {};
    if (phase !== 'live' || !frontier) return false;
    return this.#hasChanged || epochMsOf(toClusterTime(frontier)) - this.#upTo > OLD_MS;
  }

  #look(): void {
    if (this.#writing || this.#leaving) return;
    if (this.#options.tables.isMaintained || !this.#isDue) return;
    const { at = Number.NEGATIVE_INFINITY, bytes = 0 } = this.#latest ?? {};
    if (performance.now() - at < PAUSE_MS * Math.max(1, bytes / GIGABYTE)) return;
    this.#writing = this.#write().finally(() => {
      this.#writing = undefined;
    });
  }

  /** @returns whether it was written */
  async #write(): Promise<boolean> {
    const { log, tables } = this.#options;
    const at = performance.now();
    let file: CheckpointWriter | undefined;
    try {
      const written = await this.#follower?.standStill(async (moment) => {
        const latest = this.#latest;
        if (latest && !this.#hasChanged && moment.anchor === latest.anchor) {
          // The oplog would have to reach back as far: an account that only reads makes no event.
          this.#latest = { ...latest, at };
          return undefined;
        }
        const began = performance.now();
        const { version } = tables;
        const writer = new CheckpointWriter(this.#path);
        file = writer;
        await writer.open();
        // Tables are loaded again when the folding changes, and the moment is void then.
        const fold = this.#options.fold();
        const held = await tables.standStill(moment.uuids.keys(), async (all) => {
          for (const table of all) await this.#writeTable(writer, table, moment);
          return all.map(({ name, rows, images }) => {
            return { name, rows, partitions: images.length, uuid: moment.uuids.get(name)! };
          });
        });
        if (moment.isVoid()) throw new Overtaken('tables were loaded again meanwhile');
        return { moment, version, fold, writer, tables: held, heldMs: performance.now() - began };
      });
      if (!written) return false;
      const { moment, version, fold, writer, heldMs } = written;
      const prints = await this.#fingerprints(written.tables, fold);
      await writer.finish({
        at: moment.at.toString(16),
        anchor: moment.anchor,
        tables: written.tables.map((one) => ({ ...one, fingerprint: prints.get(one.name)! })),
      } satisfies Manifest);
      const { bytes } = writer;
      this.#latest = { version, anchor: moment.anchor, at, bytes };
      this.#upTo = epochMsOf(moment.at);
      const ms = Math.round(performance.now() - at);
      log.info({ bytes, ms, held_ms: Math.round(heldMs) }, 'checkpoint written');
      return true;
    } catch (err) {
      this.#leaving = file?.giveUp().finally(() => {
        this.#leaving = undefined;
      });
      if (!(err instanceof Halted)) await this.#leaving;
      // Not again at once: the disk may be full. Tables that were overtaken are written once they are live again.
      if (!(err instanceof Overtaken)) {
        this.#latest = { version: Number.NaN, at, bytes: this.#latest?.bytes ?? 0 };
      }
      log.warn({ err }, 'no checkpoint is written; the one before stays');
      return false;
    }
  }

  /** The fingerprints of these tables, by name. */
  async #fingerprints(
    tables: readonly Pick<Manifest['tables'][number], 'name'>[],
    fold: Fold,
  ): Promise<Map<string, string>> {
    const { decides } = this.#options;
    const prints = tables.map(async ({ name }) => {
      return [name, await fingerprint([name, decides(name)], fold)] as const;
    });
    return new Map(await Promise.all(prints));
  }

  async #writeTable(file: CheckpointWriter, table: StillTable, moment: Moment): Promise<void> {
    const { name, images } = table;
    const beside = new StateWriter();
    const steps = this.#options.tables.keepBeside(name, beside);
    const check = () => {
      if (moment.isVoid()) throw new Overtaken('tables are loaded again');
    };
    await file.section(`${name} beside`, piecesOf(chunksOf(steps, beside), check));
    for (const [i, image] of images.entries()) {
      await file.section(`${name} ${i} state`, piecesOf(image.state(), check));
      await file.section(`${name} ${i} memory`, memoryOf(image, check));
    }
  }

  /** @returns the bytes read */
  async #restoreTable(
    file: CheckpointReader,
    { name, rows, partitions }: Manifest['tables'][number],
  ): Promise<number> {
    const { tables } = this.#options;
    const options = { fold: this.#options.fold() };
    const section = async (kind: string): Promise<Uint8Array> => {
      const bytes = Buffer.allocUnsafe(file.bytesOf(`${name} ${kind}`));
      await file.read(`${name} ${kind}`, bytes);
      return bytes;
    };
    const { definition } = tables.of(name).layout;
    const restored: Partition[] = [];
    let bytes = 0;
    for (let i = 0; i < partitions; i++) {
      const state = await section(`${i} state`);
      const { table, memory } = await loop.all(
        'maintenance',
        restoringIndex(definition, options, state),
      );
      await file.read(`${name} ${i} memory`, memory);
      restored.push(table);
      bytes += state.length + memory.length;
    }
    const beside = await section('beside');
    await loop.all('maintenance', tables.keepBeside(name, new StateReader(beside)));
    const table = createIndex(definition, options, restored);
    if (table.size !== rows) throw new Damaged(`its table ${name} has another number of rows`);
    tables.take(name, table);
    return bytes + beside.length;
  }
}

/** The chunks that these steps write. */
function* chunksOf(steps: Steps, writer: StateWriter): Generator<readonly Uint8Array[]> {
  for (const _ of steps) yield writer.take();
  yield writer.take(true);
}

/**
 * The chunks that come in steps. A search waits for one of them at most: while it is written, the event
 * loop does other work. In a lane of the loop several pieces would follow each other.
 */
function* piecesOf(
  steps: Iterable<readonly Uint8Array[]>,
  check: () => void,
): Generator<Uint8Array> {
  for (const chunks of steps) {
    check();
    yield* chunks;
  }
}

/** A copy of each piece: the memory may move while a piece is written. */
function* memoryOf(image: TableImage, check: () => void): Generator<Uint8Array> {
  const { length } = image.memory;
  const copy = Buffer.allocUnsafe(PIECE);
  for (let from = 0; from < length; from += PIECE) {
    check();
    const piece = image.memory.subarray(from, from + PIECE);
    copy.set(piece);
    yield copy.subarray(0, piece.length);
  }
}
