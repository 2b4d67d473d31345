/**
 * Compressed bodies → their bytes, by decompressors that never wait for a sender.
 *
 * ```
 * chunks ─▶ kept, compressed, up to the limit ─▶ doubled since the last look? ─▶ decompress what is there
 *                                            all there?                        └─ over the limit: 413
 * ```
 *
 * On a stream a decompressor lives as long as the sender likes. So what has come is kept compressed, which has
 * the same limit, and decompressed at one go once it has doubled, and when it is whole: a bomb shows itself
 * in its first kilobytes, each byte is decompressed twice or so, and a decompressor is gone after some
 * milliseconds. Few are there at once, in fair turn.
 *
 * Brotli fills its window before it lets go of a byte: 16 MB and 28 ms for the largest one, whatever the
 * limit. No body that may be sent has any use for that; windows of up to 4 MB, which is what encoders
 * choose unless they are told, take 7 ms at most.
 */
import { promisify } from 'node:util';
import * as zlib from 'node:zlib';

export type CompressedEncoding = 'gzip' | 'deflate' | 'br';

/** Does work when it is the caller's turn to have a decompressor. */
type Turn = <T>(work: () => Promise<T>) => Promise<T>;

/** First look at what has come, in compressed bytes. */
const FIRST_LOOK = 16_384;

/** Brotli's first bits say how large its window is (RFC 7932, 9.1); these, 8 and 16 MB. */
const TOO_WIDE: ReadonlySet<number> = new Set([0b1101, 0b1111]);

/** A compressed body while it comes. Compressed bytes beyond the limit are for the caller to refuse. */
export class CompressedBody {
  readonly #encoding: CompressedEncoding;
  readonly #limit: number;
  readonly #turn: Turn;
  readonly #chunks: Buffer[] = [];
  #size = 0;
  #nextLook = FIRST_LOOK;
  #dropped = false;

  /** @param limit of the bytes it decompresses to */
  constructor(encoding: CompressedEncoding, limit: number, turn: Turn) {
    this.#encoding = encoding;
    this.#limit = limit;
    this.#turn = turn;
  }

  /**
   * Takes the next chunk. Resolves to false when the body is known to be too large.
   *
   * @throws Error for what cannot be decompressed; whatever `turn` throws.
   */
  async add(chunk: Buffer): Promise<boolean> {
    if (this.#size === 0 && this.#encoding === 'br' && TOO_WIDE.has(chunk[0]! & 0b1111)) {
      throw new Error('brotli with a window of more than 4 MB');
    }
    this.#chunks.push(chunk);
    this.#size += chunk.length;
    if (this.#size < this.#nextLook) return true;
    this.#nextLook = 2 * this.#size;
    return (await this.#decompress('begun')) !== undefined;
  }

  /** The bytes of a body that has come whole; undefined when they are too many. Throws as `add` does. */
  whole(): Promise<Buffer | undefined> {
    return this.#decompress('whole');
  }

  /** Lets go of what has come: it is not wanted any more. */
  drop(): void {
    this.#dropped = true;
    this.#chunks.length = 0;
  }

  #decompress(part: 'begun' | 'whole'): Promise<Buffer | undefined> {
    return this.#turn(async () => {
      if (this.#dropped) return undefined;
      return await decompress(Buffer.concat(this.#chunks), this.#encoding, this.#limit, part);
    });
  }
}

const DECOMPRESSORS = {
  gzip: promisify(zlib.gunzip as (b: Buffer, o: zlib.ZlibOptions, done: Done) => void),
  deflate: promisify(zlib.inflate as (b: Buffer, o: zlib.ZlibOptions, done: Done) => void),
  br: promisify(zlib.brotliDecompress as (b: Buffer, o: zlib.BrotliOptions, done: Done) => void),
};
type Done = (error: Error | null, bytes: Buffer) => void;

/** A beginning may end anywhere. */
const MAY_END_ANYWHERE = {
  gzip: zlib.constants.Z_SYNC_FLUSH,
  deflate: zlib.constants.Z_SYNC_FLUSH,
  br: zlib.constants.BROTLI_OPERATION_FLUSH,
};

/** Undefined when there are more than `limit` bytes: the decompressor is closed at that byte. */
async function decompress(
  compressed: Buffer,
  encoding: CompressedEncoding,
  limit: number,
  part: 'begun' | 'whole',
): Promise<Buffer | undefined> {
  const options = {
    maxOutputLength: limit,
    chunkSize: 65_536,
    ...(part === 'begun' && { finishFlush: MAY_END_ANYWHERE[encoding] }),
  };
  try {
    return await DECOMPRESSORS[encoding](compressed, options);
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code === 'ERR_BUFFER_TOO_LARGE') return undefined;
    throw error;
  }
}
