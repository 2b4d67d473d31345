/**
 * A token's text → its claims, or why it is refused: RFC 7519 checked the way RFC 8725 asks for.
 *
 * ```
 * header.payload.signature
 *   alg   one of those the configured key is for; so neither `none` nor RS256 read as HS256
 *   crit  no extension is understood, so each critical one is refused
 *   exp   required, ahead of now, at most 366 days; 24 hours where the token alone decides
 *   iat   optional, at most 60 s ahead; so is nbf
 *   sub   required, a user id as decimal text; any text where the token alone decides
 *   roles optional, an array of strings; `admin` grants admin (AUTH_ROLES_CLAIM may name another)
 *   iss, aud as configured
 * ```
 *
 * The token's holder is told why it is refused. The signature is checked before any claim, so an
 * answer about claims is about a token that was really issued. The sentences quote nothing from the
 * token.
 */
import type { KeyObject } from 'node:crypto';
import {
  errors,
  type JWTPayload,
  type JWTVerifyGetKey,
  type JWTVerifyOptions,
  jwtVerify,
} from 'jose';
import { LRUCache } from 'lru-cache';
import type { Config } from '../../config.ts';
import { AppError } from '../../errors.ts';
import { claimAt } from '../../tables/definition/claim.ts';
import { KeySet, KeySetUnreachable } from './keySet.ts';
import type { Principal } from './principal.ts';

/**
 * The check that a token failed: a sentence in ASCII without quotes, as it also stands in a header.
 */
export interface Refusal {
  readonly refused: string;
}

/** Longest life of a token, seconds ahead of now. */
export const MAX_LIFE_S = 366 * 86_400;
/** The same where nothing but its end ends a right. */
export const MAX_LIFE_ALONE_S = 86_400;
const MAX_CLOCK_SKEW_S = 60;
/** Longest `sub`, characters. */
export const MAX_SUB = 256;

/**
 * For this long a verified token is accepted without checking its signature again; never past
 * `exp`.
 */
const BELIEVED_MS = 60_000;
/** Characters of all tokens that are believed. */
const MAX_BELIEVED = 8 * 2 ** 20;

export type TokenSettings = Pick<
  Config,
  'authJwtSecret' | 'authJwksUrl' | 'authPublicKey' | 'authIssuer' | 'authAudience'
> &
  Partial<Pick<Config, 'authRolesClaim' | 'rights'>>;

/** Checks tokens against the one configured key or key set. */
export class TokenVerifier {
  readonly #key: Key;
  readonly #options: JWTVerifyOptions;
  readonly #settings: TokenSettings;
  readonly #believed = new LRUCache<string, Principal>({
    ttl: BELIEVED_MS,
    maxSize: MAX_BELIEVED,
    sizeCalculation: (_, token) => token.length,
  });

  constructor(settings: TokenSettings) {
    this.#settings = settings;
    this.#key = keyOf(settings);
    this.#options = {
      algorithms: algorithmsFor(this.#key),
      // For nbf. The library takes it for exp as well, which `principalOf` looks at once more.
      clockTolerance: MAX_CLOCK_SKEW_S,
      requiredClaims: ['exp', 'sub'],
      ...(settings.authIssuer === undefined ? {} : { issuer: settings.authIssuer }),
      ...(settings.authAudience === undefined ? {} : { audience: settings.authAudience }),
    };
  }

  /**
   * The claims of a good token; why not, for any other.
   *
   * @throws AppError `StoreUnavailable` when the key set cannot be reached.
   */
  async claims(token: string): Promise<Principal | Refusal> {
    const now = Date.now() / 1_000;
    const believed = this.#believed.get(token);
    if (believed !== undefined)
      return hasExpired(believed, now) ? expired(believed.expires) : believed;
    const payload = await this.#payload(token);
    if ('refused' in payload) return payload;
    const principal = principalOf(payload.claims, now, this.#settings);
    if (!('refused' in principal)) this.#believed.set(token, principal);
    return principal;
  }

  async #payload(token: string): Promise<{ readonly claims: JWTPayload } | Refusal> {
    try {
      const { payload, protectedHeader } = await jwtVerify(token, this.#key, this.#options);
      // The library accepts a few of them; this service understands none.
      if (protectedHeader.crit !== undefined)
        throw new errors.JOSENotSupported('a critical header');
      return { claims: payload };
    } catch (error) {
      // All else is about the token, a key of the set that is none included: nothing can be signed by it.
      if (!(error instanceof KeySetUnreachable)) return refused(why(error, this.#options));
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

/** A shared secret, a public key, or the key of a set that a token names. */
type Key = Uint8Array | KeyObject | JWTVerifyGetKey;

function keyOf({ authJwtSecret, authPublicKey, authJwksUrl }: TokenSettings): Key {
  if (authJwtSecret !== undefined) return new TextEncoder().encode(authJwtSecret);
  if (authPublicKey !== undefined) return authPublicKey;
  if (authJwksUrl === undefined) throw new Error('no key to check tokens with');
  return new KeySet(authJwksUrl).key;
}

function algorithmsFor(key: Key): string[] {
  if (key instanceof Uint8Array) return ['HS256'];
  if (typeof key === 'function') return ['RS256', 'ES256', 'EdDSA', 'Ed25519'];
  if (key.asymmetricKeyType === 'rsa') return ['RS256'];
  return key.asymmetricKeyType === 'ec' ? ['ES256'] : ['EdDSA', 'Ed25519'];
}

/** The reason for which the library refused the token. */
function why(error: unknown, { algorithms }: JWTVerifyOptions): string {
  if (error instanceof errors.JWTExpired) return expired(error.payload.exp).refused;
  if (error instanceof errors.JWTClaimValidationFailed) return wrongClaim(error);
  if (error instanceof errors.JOSEAlgNotAllowed) {
    return `The token is not signed by an algorithm that is accepted here: ${algorithms?.join(', ')}.`;
  }
  if (error instanceof errors.JWSSignatureVerificationFailed) {
    return 'The signature of the token is wrong: made with another key, or for other claims.';
  }
  if (
    error instanceof errors.JWKSNoMatchingKey ||
    error instanceof errors.JWKSMultipleMatchingKeys
  ) {
    return 'The key set has not exactly one key that fits the kid and alg of the token.';
  }
  if (error instanceof errors.JOSENotSupported) {
    return 'The token has a header that must be understood (crit), and none is understood here.';
  }
  if (error instanceof errors.JWTInvalid || error instanceof errors.JWSInvalid) {
    return 'The token cannot be read: it must be a signed JWT, header.payload.signature.';
  }
  return 'The token cannot be verified with the key that it names.';
}

const CLAIMS: Readonly<Record<string, string>> = {
  exp: 'when it ends, in seconds since 1970',
  sub: 'the id of its user, as text',
  iss: 'who issued it',
  aud: 'whom it is for',
};

function wrongClaim({ claim, reason }: errors.JWTClaimValidationFailed): string {
  const meaning = CLAIMS[claim] === undefined ? '' : ` (${CLAIMS[claim]})`;
  if (reason === 'missing') return `The token has no ${claim}${meaning}.`;
  if (claim === 'nbf')
    return 'The token is not valid yet: its nbf lies more than a minute ahead, or is no number.';
  return `The token has an ${claim}${meaning} that does not fit here.`;
}

const refused = (reason: string): Refusal => ({ refused: reason });

/** @param now seconds since 1970 */
export const hasExpired = ({ expires }: Principal, now = Date.now() / 1_000): boolean =>
  expires <= now;

/** @param at seconds since 1970, as a token has them: beyond all dates, perhaps */
export function expired(at: unknown): Refusal {
  const end = new Date(Number(at) * 1_000);
  const when = Number.isNaN(end.getTime()) ? '' : ` at ${end.toISOString()}`;
  return refused(`The token expired${when}; a new one is needed.`);
}

/** The checks that the library leaves to the service. `now` is in seconds. */
function principalOf(
  claims: JWTPayload,
  now: number,
  { rights, authRolesClaim = 'roles' }: TokenSettings,
): Principal | Refusal {
  const { exp, iat, sub } = claims as Record<string, unknown>;
  const alone = rights === 'claims';
  if (typeof exp !== 'number' || !(exp <= now + (alone ? MAX_LIFE_ALONE_S : MAX_LIFE_S))) {
    return refused(`The token ends (exp) more than ${alone ? '24 hours' : '366 days'} ahead.`);
  }
  if (exp <= now) return expired(exp);
  if (iat !== undefined && !(typeof iat === 'number' && iat <= now + MAX_CLOCK_SKEW_S)) {
    return refused('The token was issued (iat) more than a minute ahead of now, or at no number.');
  }
  if (typeof sub !== 'string' || !(alone ? isSubject(sub) : isUserId(sub))) {
    return refused(
      alone
        ? `The token has a sub that is not 1 to ${MAX_SUB} characters.`
        : 'The token has a sub that is no user id: decimal text such as 42.',
    );
  }
  const roles = claimAt(claims, authRolesClaim);
  if (roles !== undefined && !isTexts(roles)) {
    return refused('The token has roles that are no list of strings.');
  }
  return {
    sub,
    roles: roles ?? [],
    admin: roles?.includes('admin') === true,
    claims,
    expires: exp,
  };
}

/** The store has no half pairs of surrogates, and keeps U+FFFD for each: saved views would change owners. */
export const isSubject = (sub: string) =>
  sub !== '' && [...sub].length <= MAX_SUB && sub.isWellFormed();

/** A user id as decimal text, without sign or leading zeros. */
const isUserId = (sub: string) =>
  /^(0|[1-9]\d{0,15})$/.test(sub) && Number.isSafeInteger(Number(sub));

function isTexts(value: unknown): value is string[] {
  return Array.isArray(value) && value.every((entry) => typeof entry === 'string');
}
