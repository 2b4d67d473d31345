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
  /** Other roles. */
  readonly roles?: readonly string[];
  /** Other claims. */
  readonly claims?: Readonly<Record<string, unknown>>;
  /** Seconds from now to the token's end. */
  readonly lifeS: number;
}

/** A token signed with `secret`, with issuer, audience and claim of roles as the service takes them. */
export async function mintToken(
  request: TokenRequest,
  secret: string,
  settings: Pick<Config, 'authIssuer' | 'authAudience'> & Partial<Pick<Config, 'authRolesClaim'>>,
): Promise<string> {
  const now = Math.floor(Date.now() / 1_000);
  const roles = [...(request.admin ? ['admin'] : []), ...(request.roles ?? [])];
  const held = roles.length > 0 && { [settings.authRolesClaim ?? 'roles']: roles };
  const token = new SignJWT({ ...held, ...request.claims })
    .setProtectedHeader({ alg: 'HS256', typ: 'JWT' })
    .setSubject(String(request.userId))
    .setIssuedAt(now)
    .setExpirationTime(now + request.lifeS);
  if (settings.authIssuer !== undefined) token.setIssuer(settings.authIssuer);
  if (settings.authAudience !== undefined) token.setAudience(settings.authAudience);
  return await token.sign(new TextEncoder().encode(secret));
}
