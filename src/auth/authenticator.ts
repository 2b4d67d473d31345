/**
 * Who is calling, and may they: the two questions every route that is not public asks.
 *
 * ```
 * Authorization: Bearer … ──▶ claims ──▶ user in the store, active ──▶ Principal       else 401
 * Principal, permission, path ──▶ admin? member of the project? ──▶ goes on   else 403 or 404
 * ```
 *
 * Activity and membership are read from the data, never from the token. A read may serve others for
 * less than a second, so that a change counts within one.
 */
import { AppError } from '../errors.ts';
import type { Deadline } from '../mongo/deadline.ts';
import type { Permission } from './permission.ts';
import type { Principal } from './principal.ts';
import type { AuthReads, Membership } from './reads.ts';
import { Recent } from './recent.ts';
import type { Claims } from './token.ts';

export interface Authenticator {
  /**
   * The caller behind an `Authorization` header.
   *
   * @throws AppError `Unauthenticated`, or `StoreUnavailable` when nobody can tell.
   */
  authenticate(authorization: string | undefined, deadline: Deadline): Promise<Principal>;

  /**
   * Returns when the caller may use a route with this permission on these path parameters.
   *
   * @throws AppError `Forbidden`; `NotFound`, the same for what is foreign and what is missing.
   */
  authorize(
    permission: Permission,
    principal: Principal,
    params: Readonly<Record<string, string>>,
    deadline: Deadline,
  ): Promise<void>;
}

/** What the authenticator needs of a token: its claims, or null when it is not a good one. */
export interface ClaimsReader {
  claims(token: string): Promise<Claims | null>;
}

/** How old what is known about users and projects may be. The rest of a second is the reply's way. */
const MAX_AGE_MS = 900;

export function createAuthenticator(tokens: ClaimsReader, reads: AuthReads): Authenticator {
  const active = new Recent((id: number) => reads.userIsActive(id), Boolean, MAX_AGE_MS);
  const members = new Recent(
    (id: string) => reads.membership(id),
    (found) => found !== null,
    MAX_AGE_MS,
  );

  async function mayUseTask(
    principal: Principal,
    taskId: string,
    deadline: Deadline,
  ): Promise<boolean> {
    const owner = await reads.taskOwner(taskId, deadline);
    if (owner === null) return false;
    if (principal.admin) return true;
    if (owner.scope !== 'project' || owner.projectId === null) return false;
    return isMember(await deadline.wait(members.get(owner.projectId)), principal);
  }

  async function mayUseProject(
    principal: Principal,
    projectId: string,
    deadline: Deadline,
  ): Promise<boolean> {
    const project = await deadline.wait(members.get(projectId));
    return project !== null && (principal.admin || isMember(project, principal));
  }

  return {
    async authenticate(authorization, deadline) {
      if (authorization === undefined) throw unauthenticated();
      const token = bearerToken(authorization);
      const claims = token === null ? null : await tokens.claims(token);
      if (claims === null) throw badToken('The token is not valid, or no longer.');
      const isActive = await deadline.wait(active.get(claims.userId));
      if (!isActive) throw badToken('The user is unknown or not active.');
      return { userId: claims.userId, admin: claims.admin };
    },

    async authorize(permission, principal, params, deadline) {
      switch (permission) {
        case 'public':
        case 'user':
          return;
        case 'admin':
          if (!principal.admin) throw new AppError('Forbidden', 'This is for admins.');
          return;
        case 'project':
          if (!(await mayUseProject(principal, params.project_id!, deadline))) throw nothingHere();
          return;
        case 'task':
          if (!(await mayUseTask(principal, params.task_id!, deadline))) throw nothingHere();
          return;
        default:
          permission satisfies never;
      }
    },
  };
}

function isMember(project: Membership | null, principal: Principal): boolean {
  return project?.members.has(principal.userId) ?? false;
}

/** `Bearer <token>`, the scheme in any case (RFC 9110), the token as RFC 6750 spells one. */
function bearerToken(authorization: string): string | null {
  return /^bearer +([A-Za-z0-9\-._~+/]+=*) *$/i.exec(authorization)?.[1] ?? null;
}

/** The one 404: foreign and missing must not differ. */
export function nothingHere(): AppError {
  return new AppError('NotFound', 'There is nothing under this path.');
}

const CHALLENGE = 'Bearer realm="table-search"';

function unauthenticated(): AppError {
  const headers = { 'WWW-Authenticate': CHALLENGE };
  return new AppError('Unauthenticated', 'Send a token: Authorization: Bearer …', { headers });
}

function badToken(detail: string): AppError {
  const challenge = `${CHALLENGE}, error="invalid_token", error_description="${detail}"`;
  return new AppError('Unauthenticated', detail, { headers: { 'WWW-Authenticate': challenge } });
}
