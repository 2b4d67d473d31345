/**
 * A token's text → its claims, or null: RFC 7519 checked the way RFC 8725 asks for.
 *
 * ```
 * header.payload.signature
 *   alg   one of those the configured key is for; so neither `none` nor RS256 read as HS256
 *   crit  nothing is understood, so anything critical is refused
 *   exp   required, ahead of now, at most 366 days
 *   iat   optional, at most 60 s ahead
 *   sub   required, a user id as decimal text
 *   roles optional, an array of strings; `admin` grants admin
 *   iss, aud as configured
 * ```
 */
import type { KeyObject } from 'node:crypto';
import {
  errors,
  type JWTPayload,
  type JWTVerifyOptions,
  type JWTVerifyResult,
  jwtVerify,
} from 'jose';
import { LRUCache } from 'lru-cache';
import type { Config } from '../config.ts';
import { AppError } from '../errors.ts';
import { KeySet, KeySetUnreachable } from './keySet.ts';

export interface Claims {
  readonly userId: number;
  readonly admin: boolean;
  /** Seconds since 1970 at which the token ends. */
  readonly expires: number;
}

/** Longest life of a token, seconds ahead of now. */
export const MAX_LIFE_S = 366 * 86_400;
const MAX_CLOCK_SKEW_S = 60;

/** A verified token is believed this long without a look at its signature; never past `exp`. */
const BELIEVED_MS = 60_000;

type Verify = (token: string, options: JWTVerifyOptions) => Promise<JWTPayload>;

export type TokenSettings = Pick<
  Config,
  'authJwtSecret' | 'authJwksUrl' | 'authPublicKey' | 'authIssuer' | 'authAudience'
>;

/** Checks tokens against the one configured key or key set. */
export class TokenVerifier {
  readonly #verify: Verify;
  readonly #options: JWTVerifyOptions;
  readonly #believed = new LRUCache<string, Claims>({ max: 5_000, ttl: BELIEVED_MS });

  constructor(settings: TokenSettings) {
    const { algorithms, verify } = keyOf(settings);
    this.#verify = verify;
    this.#options = {
      algorithms,
      requiredClaims: ['exp', 'sub'],
      ...(settings.authIssuer === undefined ? {} : { issuer: settings.authIssuer }),
      ...(settings.authAudience === undefined ? {} : { audience: settings.authAudience }),
    };
  }

  /**
   * The claims of a good token; null for any other.
   *
   * @throws AppError `StoreUnavailable` when the key set cannot be reached.
   */
  async claims(token: string): Promise<Claims | null> {
    const now = Date.now() / 1_000;
    const believed = this.#believed.get(token);
    if (believed !== undefined) return believed.expires > now ? believed : null;
    const payload = await this.#payload(token);
    const claims = payload === null ? null : claimsOf(payload, now);
    if (claims !== null) this.#believed.set(token, claims);
    return claims;
  }

  async #payload(token: string): Promise<JWTPayload | null> {
    try {
      return await this.#verify(token, this.#options);
    } catch (error) {
      // All else is about the token, a key of the set that is none included: nothing can be signed by it.
      if (!(error instanceof KeySetUnreachable)) return null;
      throw new AppError(
        'StoreUnavailable',
        'The keys that tokens are checked with cannot be had.',
        {
          cause: error,
          headers: { 'Retry-After': '5' },
        },
      );
    }
  }
}

function keyOf(settings: TokenSettings): { algorithms: string[]; verify: Verify } {
  const { authJwtSecret, authJwksUrl, authPublicKey } = settings;
  if (authJwtSecret !== undefined) {
    const key = new TextEncoder().encode(authJwtSecret);
    return { algorithms: ['HS256'], verify: payloadBy(key) };
  }
  if (authPublicKey !== undefined) {
    return { algorithms: algorithmsFor(authPublicKey), verify: payloadBy(authPublicKey) };
  }
  if (authJwksUrl === undefined) throw new Error('no key to check tokens with');
  const { key } = new KeySet(authJwksUrl);
  return {
    algorithms: ['RS256', 'ES256', 'EdDSA', 'Ed25519'],
    verify: async (token, options) => payloadOf(await jwtVerify(token, key, options)),
  };
}

function payloadBy(key: KeyObject | Uint8Array): Verify {
  return async (token, options) => payloadOf(await jwtVerify(token, key, options));
}

/** The library knows a few critical headers and takes those; here nothing is understood. */
function payloadOf({ payload, protectedHeader }: JWTVerifyResult): JWTPayload {
  if (protectedHeader.crit !== undefined) throw new errors.JWTInvalid('a critical header');
  return payload;
}

function algorithmsFor(key: KeyObject): string[] {
  if (key.asymmetricKeyType === 'rsa') return ['RS256'];
  return key.asymmetricKeyType === 'ec' ? ['ES256'] : ['EdDSA', 'Ed25519'];
}

/** The checks that the library leaves to the service. `now` is in seconds. */
function claimsOf(payload: JWTPayload, now: number): Claims | null {
  const { exp, iat, sub, roles } = payload as Record<string, unknown>;
  if (typeof exp !== 'number' || !(exp <= now + MAX_LIFE_S)) return null;
  if (iat !== undefined && !(typeof iat === 'number' && iat <= now + MAX_CLOCK_SKEW_S)) return null;
  const userId = userIdOf(sub);
  if (userId === null) return null;
  if (roles !== undefined && !isTexts(roles)) return null;
  return { userId, admin: roles?.includes('admin') ?? false, expires: exp };
}

/** A user id as decimal text, without sign or leading zeros. */
function userIdOf(sub: unknown): number | null {
  if (typeof sub !== 'string' || !/^(0|[1-9]\d{0,15})$/.test(sub)) return null;
  const id = Number(sub);
  return Number.isSafeInteger(id) ? id : null;
}

function isTexts(value: unknown): value is string[] {
  return Array.isArray(value) && value.every((entry) => typeof entry === 'string');
}
