/**
 * The file of a checkpoint: sections of bytes, then the manifest that names them.
 *
 *     section │ section │ … │ manifest, as JSON │ its length, its sum │ mark
 *
 * A new file is written beside the one before and takes its place by one rename, so that there is
 * always a whole one. Every section has a sum (CRC-32), and a file that was cut has no mark.
 */
import { constants, type FileHandle, mkdir, open, rename, rm } from 'node:fs/promises';
import { dirname } from 'node:path';
import { crc32 } from 'node:zlib';
import { isEndedBy, withDeadline } from '../../store/deadline.ts';

/** The end of each file, with the number of this format. */
const MARK = Buffer.from('table-search cp 1');
/** The manifest's length and sum, then the mark. */
const FOOTER = 8 + MARK.length;
/** Without it, opening a pipe of that name would wait. */
const READING = constants.O_RDONLY | constants.O_NONBLOCK;
/** Bytes read at a time: their sum takes two milliseconds. */
const PIECE = 4 << 20;

interface Section {
  readonly from: number;
  readonly bytes: number;
  readonly sum: number;
}

/**
 * How long the disk may take for one call, milliseconds: the tables stand still meanwhile. One that takes longer is
 * frozen, or a network lies before it.
 */
const HALT_MS = 5_000;

/** The disk does not answer. */
export class Halted extends Error {}

/** The file is damaged, or of another format. */
export class Damaged extends Error {
  override readonly name = 'Damaged';
}

export class CheckpointWriter {
  readonly #path: string;
  /** The latest call of the disk, which never rejects. */
  #called: Promise<unknown> = Promise.resolve();
  #file: FileHandle | undefined;
  readonly #sections: Record<string, Section> = {};
  #at = 0;

  /** Only its owner may read the file. */
  constructor(path: string) {
    this.#path = path;
  }

  /** Begins a new file. @throws Halted, as `section` does */
  async open(): Promise<void> {
    await this.#soon(async () => {
      await mkdir(dirname(this.#path), { recursive: true, mode: 0o700 });
      await rm(newer(this.#path), { force: true });
      this.#file = await open(newer(this.#path), 'wx', 0o600);
    });
  }

  /** Bytes written. */
  get bytes(): number {
    return this.#at;
  }

  /** Writes a section; each piece is written before the next one is asked for. */
  async section(name: string, pieces: Iterable<Uint8Array>): Promise<void> {
    const from = this.#at;
    let sum = 0;
    for (const piece of pieces) {
      sum = crc32(piece, sum);
      await this.#write(piece);
    }
    this.#sections[name] = { from, bytes: this.#at - from, sum };
  }

  /** Ends the file, and puts it in its place when it is on the disk. */
  async finish(manifest: object): Promise<void> {
    const text = Buffer.from(JSON.stringify({ ...manifest, sections: this.#sections }));
    const footer = Buffer.alloc(8);
    footer.writeUInt32LE(text.length, 0);
    footer.writeUInt32LE(crc32(text), 4);
    await this.#write(Buffer.concat([text, footer, MARK]));
    await this.#file!.sync();
    await this.#file!.close();
    await rename(newer(this.#path), this.#path);
    await syncFolder(dirname(this.#path));
  }

  /**
   * Leaves the file before in its place, once the disk answers. The next `open` removes the new file if this
   * cannot.
   */
  async giveUp(): Promise<void> {
    await this.#called;
    await this.#file?.close().catch(() => {});
    await rm(newer(this.#path), { force: true }).catch(() => {});
  }

  async #write(bytes: Uint8Array): Promise<void> {
    for (let from = 0; from < bytes.length; ) {
      const { bytesWritten } = await this.#soon(() => this.#file!.write(bytes, from));
      from += bytesWritten;
      this.#at += bytesWritten;
    }
  }

  async #soon<T>(call: () => Promise<T>): Promise<T> {
    const done = call();
    this.#called = done.catch(() => {});
    try {
      return await withDeadline(HALT_MS, (deadline) => deadline.wait(done));
    } catch (error) {
      if (!isEndedBy('time', error)) throw error;
      throw new Halted(`the disk has not answered for ${HALT_MS / 1_000} s`);
    }
  }
}

const newer = (path: string): string => `${path}.new`;

/** A rename is lasting when the folder is on the disk. */
async function syncFolder(path: string): Promise<void> {
  const folder = await open(path, 'r');
  await folder.sync().finally(() => folder.close());
}

export class CheckpointReader {
  readonly #file: FileHandle;
  readonly #signal: AbortSignal;
  readonly #sections: Readonly<Record<string, Section>>;
  /** The argument of `finish`, and the sections. */
  readonly manifest: unknown;

  private constructor(
    file: FileHandle,
    manifest: { sections: Record<string, Section> },
    signal: AbortSignal,
  ) {
    this.#file = file;
    this.#signal = signal;
    this.#sections = manifest.sections;
    this.manifest = manifest;
  }

  /**
   * Opens the file and reads its manifest; undefined when there is no file.
   *
   * @param signal ends reading
   * @throws Damaged
   */
  static async open(path: string, signal: AbortSignal): Promise<CheckpointReader | undefined> {
    const file = await open(path, READING).catch((error: NodeJS.ErrnoException) => {
      if (error.code === 'ENOENT') return undefined;
      throw error;
    });
    if (!file) return undefined;
    try {
      return new CheckpointReader(file, await manifestOf(file), signal);
    } catch (error) {
      await file.close();
      throw error;
    }
  }

  bytesOf(name: string): number {
    return this.#section(name).bytes;
  }

  /**
   * Reads a section, whose length `to` must have.
   *
   * @throws Damaged; the parts that were read are of no use then
   */
  async read(name: string, to: Uint8Array): Promise<void> {
    const { from, bytes, sum } = this.#section(name);
    if (to.length !== bytes) throw new Damaged(`its section ${name} has another length`);
    let found = 0;
    for (let at = 0; at < bytes; at += PIECE) {
      this.#signal.throwIfAborted();
      const piece = to.subarray(at, Math.min(at + PIECE, bytes));
      await readAll(this.#file, piece, from + at);
      found = crc32(piece, found);
    }
    if (found !== sum) throw new Damaged(`the sum of its section ${name} is another one`);
  }

  async close(): Promise<void> {
    await this.#file.close();
  }

  #section(name: string): Section {
    const section = this.#sections[name];
    if (!section) throw new Damaged(`it has no section ${name}`);
    return section;
  }
}

async function manifestOf(file: FileHandle): Promise<{ sections: Record<string, Section> }> {
  const { size } = await file.stat();
  const footer = Buffer.alloc(FOOTER);
  const end = size - FOOTER;
  if (end < 0) throw new Damaged('it is too short');
  await readAll(file, footer, end);
  const length = footer.readUInt32LE(0);
  if (!footer.subarray(8).equals(MARK) || length > end) throw new Damaged('it has no end');
  const text = Buffer.alloc(length);
  await readAll(file, text, end - length);
  if (crc32(text) !== footer.readUInt32LE(4)) throw new Damaged('the sum of its manifest is wrong');
  return JSON.parse(text.toString());
}

async function readAll(file: FileHandle, to: Uint8Array, position: number): Promise<void> {
  for (let at = 0; at < to.length; ) {
    const { bytesRead } = await file.read(to, at, to.length - at, position + at);
    if (bytesRead === 0) throw new Damaged('it ends too early');
    at += bytesRead;
  }
}
