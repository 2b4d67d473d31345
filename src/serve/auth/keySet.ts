/**
 * The key set that `AUTH_JWKS_URL` names, fetched with bounds and kept.
 *
 * ```
 * token ─▶ key of the kept set ──────────────────────────▶ key
 *            │ set older than REFRESH_MS: fetched anew; where that fails the kept one serves on, without a
 *            │ wait from then on
 *            │ set older than KEEP_MS, or none yet, and it cannot be had: KeySetUnreachable
 *            └ no such key: fetched anew, every COOLDOWN_MS at most
 * ```
 *
 * A withdrawn key is refused after REFRESH_MS. While its issuer cannot be reached it is accepted
 * for up to KEEP_MS: the price of working without the issuer for a while. A fetch that failed is
 * not repeated at once, however many tokens come.
 */
import { createLocalJWKSet, errors, type JWTVerifyGetKey } from 'jose';

const REFRESH_MS = 60_000;
const KEEP_MS = 600_000;
const COOLDOWN_MS = 10_000;

/** Time for a whole answer, and its size: some hundred keys. */
const FETCH_MS = 5_000;
const MAX_BYTES = 262_144;

/** Pause after a failure; it doubles with each further one. */
const PAUSE_MS = { first: 1_000, most: 60_000 } as const;

/** The set cannot be had just now; says nothing about any token. */
export class KeySetUnreachable extends Error {
  override readonly name = 'KeySetUnreachable';
}

export class KeySet {
  readonly #url: URL;
  readonly #now: () => number;
  #keys: JWTVerifyGetKey | undefined;
  #fetchedAt = Number.NEGATIVE_INFINITY;
  #fetching: Promise<void> | undefined;
  #failure: { readonly error: KeySetUnreachable; readonly until: number } | undefined;
  #pauseMs: number = PAUSE_MS.first;

  /** @param now a clock in milliseconds that never goes back; for tests */
  constructor(url: URL, now: () => number = () => performance.now()) {
    this.#url = url;
    this.#now = now;
  }

  /**
   * The key a token names.
   *
   * @throws KeySetUnreachable; other errors are about the token and the key it names
   */
  readonly key: JWTVerifyGetKey = async (header, token) => {
    if (this.#age > KEEP_MS) await this.#fetch();
    else if (this.#age > REFRESH_MS) {
      const tried = this.#fetch().catch(() => {});
      // While tries fail nobody waits: a silent issuer takes FETCH_MS each time.
      const failing = this.#failure && this.#now() < this.#failure.until + REFRESH_MS;
      if (!failing) await tried;
    }
    try {
      return await this.#keys!(header, token);
    } catch (error) {
      if (!(error instanceof errors.JWKSNoMatchingKey) || this.#age < COOLDOWN_MS) throw error;
    }
    // A new key, perhaps. If no newer keys can be fetched, the key stays unknown.
    await this.#fetch().catch(() => {});
    return await this.#keys!(header, token);
  };

  get #age(): number {
    return this.#now() - this.#fetchedAt;
  }

  /** Tokens that come meanwhile share one fetch; there is none while the last failure is recent. */
  #fetch(): Promise<void> {
    if (this.#failure !== undefined && this.#now() < this.#failure.until) {
      return Promise.reject(this.#failure.error);
    }
    this.#fetching ??= this.#replace().finally(() => {
      this.#fetching = undefined;
    });
    return this.#fetching;
  }

  async #replace(): Promise<void> {
    try {
      this.#keys = createLocalJWKSet(JSON.parse(await boundedText(this.#url)));
      this.#fetchedAt = this.#now();
      this.#failure = undefined;
      this.#pauseMs = PAUSE_MS.first;
    } catch (cause) {
      const error = new KeySetUnreachable('the key set cannot be had', { cause });
      this.#failure = { error, until: this.#now() + this.#pauseMs };
      this.#pauseMs = Math.min(2 * this.#pauseMs, PAUSE_MS.most);
      throw error;
    }
  }
}

async function boundedText(url: URL): Promise<string> {
  const signal = AbortSignal.timeout(FETCH_MS);
  const headers = { accept: 'application/json' };
  const answer = await fetch(url, { headers, redirect: 'error', signal });
  if (answer.status !== 200 || answer.body === null) {
    await answer.body?.cancel();
    throw new Error(`the address of the key set answers ${answer.status}`);
  }
  const chunks: Uint8Array[] = [];
  let bytes = 0;
  // Leaving the loop early ends the download.
  for await (const chunk of answer.body) {
    bytes += chunk.byteLength;
    if (bytes > MAX_BYTES) throw new Error(`the key set is larger than ${MAX_BYTES} bytes`);
    chunks.push(chunk);
  }
  return Buffer.concat(chunks).toString('utf8');
}
