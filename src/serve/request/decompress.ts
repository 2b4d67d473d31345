/**
 * Compressed bodies → their bytes, by decompressors that never wait for a sender.
 *
 * ```
 * chunks ─▶ kept, compressed, up to the limit ─▶ doubled since the last look? ─▶ decompress what is there
 *                                            all there?                        └─ over the limit: 413
 * ```
 *
 * On a stream a decompressor lives as long as the sender likes. So the bytes that came are kept compressed,
 * up to the same limit. They are decompressed at one go when they have doubled, and when the body is whole. So
 * a bomb shows itself in its first kilobytes, and each byte is decompressed twice or so. A decompressor is
 * gone after some milliseconds. Few run at once, in fair turn.
 *
 * Brotli fills its window before it lets go of a byte: 16 MB and 28 ms for the largest one, whatever the
 * limit. No allowed body has any use for that. Windows of up to 4 MB, the default of encoders, take
 * 7 ms at most.
 */
import { promisify } from 'node:util';
import * as zlib from 'node:zlib';

type ZlibOptions = zlib.ZlibOptions & zlib.BrotliOptions;
const { BROTLI_OPERATION_FLUSH, Z_SYNC_FLUSH } = zlib.constants;

/** Functions that decompress, each with the flush by which a beginning may end anywhere. */
const DECOMPRESSORS = {
  gzip: { all: promisify<Buffer, ZlibOptions, Buffer>(zlib.gunzip), flush: Z_SYNC_FLUSH },
  deflate: { all: promisify<Buffer, ZlibOptions, Buffer>(zlib.inflate), flush: Z_SYNC_FLUSH },
  br: {
    all: promisify<Buffer, ZlibOptions, Buffer>(zlib.brotliDecompress),
    flush: BROTLI_OPERATION_FLUSH,
  },
};

export type CompressedEncoding = keyof typeof DECOMPRESSORS;

/** Does work when it is the caller's turn to have a decompressor. */
type Turn = <T>(work: () => Promise<T>) => Promise<T>;

/** Room for the first bytes: no more than the account of bodies takes at least. */
const LEAST_ROOM = 1_024;

/** Compressed bytes before the first look at them. */
const FIRST_LOOK = 16_384;

/** Brotli's first bits say how large its window is (RFC 7932, 9.1); these, 8 and 16 MB. */
const TOO_WIDE: ReadonlySet<number> = new Set([0b1101, 0b1111]);

/** A body while it comes. Bytes beyond the limit before decompression are for the caller to refuse. */
export class KeptBody {
  readonly #encoding: CompressedEncoding | 'identity';
  readonly #limit: number;
  readonly #turn: Turn;
  /** Copied together: a sender chooses the pieces, and objects of few bytes would take ten times these. */
  #bytes = Buffer.alloc(0);
  #size = 0;
  #nextLook = FIRST_LOOK;

  /** @param limit of the bytes it decompresses to */
  constructor(encoding: CompressedEncoding | 'identity', limit: number, turn: Turn) {
    this.#encoding = encoding;
    this.#limit = limit;
    this.#turn = turn;
  }

  /**
   * Takes the next chunk.
   *
   * @throws Error for bytes that cannot be decompressed, of code `ERR_BUFFER_TOO_LARGE` past the
   *   limit; errors of `turn`.
   */
  async add(chunk: Buffer): Promise<void> {
    if (this.#size === 0 && this.#encoding === 'br' && TOO_WIDE.has(chunk[0]! & 0b1111)) {
      throw new Error('brotli with a window of more than 4 MB');
    }
    this.#keep(chunk);
    if (this.#encoding === 'identity' || this.#size < this.#nextLook) return;
    this.#nextLook = 2 * this.#size;
    await this.#decompressed(DECOMPRESSORS[this.#encoding].flush);
  }

  /** The bytes of a body that has come whole. Throws as `add` does. */
  whole(): Promise<Buffer> {
    return this.#decompressed();
  }

  /** Lets go of the bytes that came: nobody needs them any more. */
  drop(): void {
    this.#bytes = Buffer.alloc(0);
    this.#size = 0;
  }

  #keep(chunk: Buffer): void {
    const size = this.#size + chunk.length;
    if (size > this.#bytes.length) {
      const larger = Buffer.allocUnsafeSlow(Math.max(LEAST_ROOM, Math.min(2 * size, this.#limit)));
      this.#bytes.copy(larger, 0, 0, this.#size);
      this.#bytes = larger;
    }
    chunk.copy(this.#bytes, this.#size);
    this.#size = size;
  }

  async #decompressed(finishFlush?: number): Promise<Buffer> {
    const encoding = this.#encoding;
    const came = () => this.#bytes.subarray(0, this.#size);
    if (encoding === 'identity') return came();
    const options = { maxOutputLength: this.#limit, chunkSize: 65_536, finishFlush };
    return await this.#turn(() => DECOMPRESSORS[encoding].all(came(), options));
  }
}
