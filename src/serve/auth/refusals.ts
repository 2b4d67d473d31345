/** The `Authorization` header's token, and the refusals of callers without rights. */
import { AppError } from '../../errors.ts';
import { ageHeader } from '../../store/clusterTime.ts';

const CHALLENGE = 'Bearer realm="table-search"';

/**
 * The token of a header: `Bearer <token>`, the scheme in any case (RFC 9110), the token as RFC 6750
 * spells one; undefined for any other header.
 */
export const tokenIn = (authorization = ''): string | undefined =>
  /^bearer +([A-Za-z0-9\-._~+/]+=*) *$/i.exec(authorization)?.[1];

/** The same. @throws AppError `Unauthenticated` with the reason */
export function bearerToken(authorization: string | undefined): string {
  if (authorization === undefined) throw unauthenticated();
  const token = tokenIn(authorization);
  if (token !== undefined) return token;
  if (/^bearer(?: |$)/i.test(authorization)) {
    throw badToken('The Authorization header must be Bearer, a space and one token.');
  }
  const scheme = /^[\w-]{1,32}(?= )/.exec(authorization)?.[0];
  const why = scheme
    ? `The scheme ${scheme} is not taken`
    : 'The Authorization header has no scheme';
  throw unauthenticated(`${why}; send a token: Authorization: Bearer …`);
}

/** No error in the challenge: nothing is wrong with a token that was not sent (RFC 6750, 3.1). */
function unauthenticated(detail = 'Send a token: Authorization: Bearer …'): AppError {
  const headers = { 'WWW-Authenticate': CHALLENGE };
  return new AppError('Unauthenticated', detail, { headers });
}

/** @param silentMs the age of the memory that decided; see `RightsBasis` */
export function badToken(detail: string, silentMs?: number): AppError {
  const challenge = `${CHALLENGE}, error="invalid_token", error_description="${detail}"`;
  const headers = { 'WWW-Authenticate': challenge, ...ageHeader(silentMs) };
  return new AppError('Unauthenticated', detail, { headers });
}

/** The one 404: foreign and missing must not differ. */
export function nothingHere(silentMs?: number): AppError {
  const headers = ageHeader(silentMs);
  return new AppError('NotFound', 'Nothing exists at this path.', { headers });
}
