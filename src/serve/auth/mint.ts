/**
 * Makes HS256 tokens for local use and tests, with exactly the claims that `TokenVerifier` takes.
 */
import { SignJWT } from 'jose';
import type { Config } from '../../config.ts';

export interface TokenRequest {
  /** The token's `sub`: the id of a user, or any text where the token alone decides. */
  readonly userId: number | string;
  /** Adds the role `admin`. */
  readonly admin: boolean;
  /** Other claims. */
  readonly claims?: Readonly<Record<string, unknown>>;
  /** Seconds from now to the token's end. */
  readonly lifeS: number;
}

/** A token signed with `secret`, with the issuer and audience the service asks for. */
export async function mintToken(
  request: TokenRequest,
  secret: string,
  settings: Pick<Config, 'authIssuer' | 'authAudience'>,
): Promise<string> {
  const now = Math.floor(Date.now() / 1_000);
  const token = new SignJWT({ ...(request.admin && { roles: ['admin'] }), ...request.claims })
    .setProtectedHeader({ alg: 'HS256', typ: 'JWT' })
    .setSubject(String(request.userId))
    .setIssuedAt(now)
    .setExpirationTime(now + request.lifeS);
  if (settings.authIssuer !== undefined) token.setIssuer(settings.authIssuer);
  if (settings.authAudience !== undefined) token.setAudience(settings.authAudience);
  return await token.sign(new TextEncoder().encode(secret));
}
