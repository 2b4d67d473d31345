/** The caller of a request, and the permissions that routes ask for. */

/** The caller, as a verified token names one. */
export interface Principal {
  /** The token's `sub`. */
  readonly sub: string;
  readonly roles: readonly string[];
  /** Whether `admin` is among the roles. */
  readonly admin: boolean;
  /** All claims of the token. */
  readonly claims: Readonly<Record<string, unknown>>;
  /** When the token ends, seconds since 1970. */
  readonly expires: number;
}

/**
 * The callers that a route admits.
 * - `public`: all, without a token.
 * - `user`: any active user.
 * - `admin`: the role admin; others get 403.
 * - `path`: callers who may use the parameters of the path, by the policy of the application; for
 *   others the path does not exist (404).
 * - `table`: callers with a grant of the table; for others there is no such table (404).
 * - `whole table`: admins whose grant of it hides nothing; other callers with a grant get 403.
 */
export type Permission = 'public' | 'user' | 'admin' | 'path' | 'table' | 'whole table';
