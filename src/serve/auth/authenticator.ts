/**
 * Answers the two questions of every route that is not public: who is calling, and may they?
 *
 * ```
 * Authorization: Bearer … ──▶ claims ──▶ user in the store, active ──▶ Principal       else 401
 * Principal, permission, path ──▶ admin? member of the project? ──▶ goes on   else 403 or 404
 * ```
 *
 * Activity and membership come from the data, never from the token. Memory answers while it is
 * known to be less than a second old, else the store does. Other requests may share such a read for
 * less than a second. So a change counts within a second. While the store is away or slow and
 * memory lags behind it, older memory may still admit requests that memory alone will answer. Their
 * answers tell the memory's age.
 *
 * A request that asks for a moment (`Deadline.notBefore`) gets the rights of that moment or a later
 * one: from memory or a shared read that has reached it, else from a new read.
 */
import type { Timestamp } from 'mongodb';
import type {
  AuthReads,
  KnownRights,
  OwnProjects,
  Standing,
  UserState,
} from '../../apps/admin/reads.ts';
import { AppError } from '../../errors.ts';
import { ageHeader } from '../../store/clusterTime.ts';
import type { Deadline } from '../../store/deadline.ts';
import { Hedge, type KnownAsOf } from '../../store/hedged.ts';
import type { Permission } from './permission.ts';
import type { Principal } from './principal.ts';
import type { Claims, Refusal } from './token.ts';
import { TtlCache, TtlCacheByCaller } from './ttlCache.ts';

/** The basis of a request's rights, for requests that may be answered while the store is away. */
export interface RightsBasis {
  /**
   * How old the memory was that decided, in ms since the store's last sign of life; undefined if
   * the store or current memory decided.
   */
  silentMs: number | undefined;
}

export interface Authenticator {
  /**
   * The claims of the token in an `Authorization` header. Asks the store nothing.
   *
   * @throws AppError `Unauthenticated`, or `StoreUnavailable` when the key set cannot be reached.
   */
  claims(authorization: string | undefined): Promise<Claims>;

  /**
   * The caller behind an `Authorization` header. While the store cannot be used a good token gets
   * no further, except with a `basis` and a caller in memory.
   *
   * @throws AppError `Unauthenticated`, with `Age` if older memory decided, or `StoreUnavailable`
   * when the store cannot say.
   */
  authenticate(
    authorization: string | undefined,
    deadline: Deadline,
    basis?: RightsBasis,
  ): Promise<Principal>;

  /**
   * Returns when the caller may use a route with this permission on these path parameters.
   *
   * @throws AppError `Forbidden`; `NotFound`, the same for foreign and missing ones, with `Age`
   * if older memory decided.
   */
  authorize(
    permission: Permission,
    principal: Principal,
    params: Readonly<Record<string, string>>,
    deadline: Deadline,
    basis?: RightsBasis,
  ): Promise<void>;

  /**
   * Whether the store would admit now a caller who was admitted before. The token's end is the
   * caller's to keep.
   *
   * @throws AppError `StoreUnavailable` when the store cannot tell.
   */
  stillMay(
    permission: 'user' | 'admin' | 'project',
    principal: Principal,
    params: Readonly<Record<string, string>>,
  ): Promise<boolean>;
}

/** The authenticator's view of a token: its claims, or the reason to refuse it. */
export interface ClaimsReader {
  claims(token: string): Promise<Claims | Refusal>;
}

/**
 * The longest time for which an answer about users and projects is kept. The reply has the rest of
 * the second to travel.
 */
const MAX_AGE_MS = 900;

/** Users whose state is kept, and callers whose projects are. */
const MAX_USERS = 10_000;
const MAX_CALLERS = 2_000;
/** The most projects, and tasks, cached for one caller. */
const MAX_OF_CALLER = 100;

/** The sources of a right. */
interface Sources<T> {
  readonly inMemory: (asOf: KnownAsOf) => NonNullable<T> | undefined;
  /** A read of the store, of this moment or a later one, which is kept. */
  readonly ask: (notBefore: Timestamp | undefined) => Promise<T>;
  readonly forget: () => void;
}

/**
 * @param known reads from memory; none when left out
 * @param requireStore throws, with the cause, if the store may not be used
 * @param latest the latest known moment that a read may ask for
 */
export function createAuthenticator(
  tokens: ClaimsReader,
  reads: AuthReads,
  known?: KnownRights,
  requireStore?: () => void,
  latest?: () => Timestamp | undefined,
): Authenticator {
  const limits = (max: number) => ({ maxAgeMs: MAX_AGE_MS, max, latest });
  const users = new TtlCache<number, UserState>(
    (...asked) => reads.userState(...asked),
    limits(MAX_USERS),
  );
  const own = new TtlCache<number, OwnProjects>(
    (...asked) => reads.ownProjects(...asked),
    limits(MAX_CALLERS),
  );
  const hedge = new Hedge();
  const standings = new TtlCacheByCaller<Standing>(
    (...asked) => reads.standing(...asked),
    limits(MAX_OF_CALLER),
    MAX_CALLERS,
  );
  const tasks = new TtlCacheByCaller<boolean>(
    (...asked) => isMemberForTask(...asked),
    limits(MAX_OF_CALLER),
    MAX_CALLERS,
  );

  /**
   * How a caller stands to a project. A project that is not among the caller's own is not read, so
   * timing does not reveal whether it exists. The project itself is read for admins (they see all)
   * and for callers with more projects than one read returns.
   */
  async function standingOf(
    { userId, admin }: Principal,
    projectId: string,
    { notBefore }: Deadline,
    basis: RightsBasis | undefined,
  ): Promise<Standing> {
    const mine = admin ? 'many' : await ownOf(userId, notBefore, basis);
    if (mine !== 'many' && !mine.has(projectId)) return 'absent';
    return await look(
      {
        inMemory: (asOf) => known?.standing(userId, projectId, asOf),
        ask: (moment) => standings.get(userId, projectId, moment),
        forget: () => standings.forget(userId, projectId),
      },
      notBefore,
      basis,
    );
  }

  const stateOf = (userId: number, { notBefore }: Deadline, basis: RightsBasis | undefined) =>
    look(
      {
        inMemory: (asOf) => known?.userState(userId, asOf),
        ask: (moment) => users.get(userId, moment),
        forget: () => users.forget(userId),
      },
      notBefore,
      basis,
    );

  const ownOf = (
    userId: number,
    notBefore: Timestamp | undefined,
    basis: RightsBasis | undefined,
  ) =>
    look(
      {
        inMemory: (asOf) => known?.ownProjects(userId, asOf),
        ask: (moment) => own.get(userId, moment),
        forget: () => own.forget(userId),
      },
      notBefore,
      basis,
    );

  /**
   * Memory answers while it is current, else the store. With a basis, older memory answers while
   * the store is away.
   */
  async function look<T>(
    { inMemory, ask, forget }: Sources<T>,
    notBefore: Timestamp | undefined,
    basis: RightsBasis | undefined,
  ): Promise<T> {
    const inTime = (asOf: KnownAsOf) => (hasReached(notBefore) ? inMemory(asOf) : undefined);
    const now = inTime('now');
    if (now !== undefined) {
      // Cached reads may be older, and a right must not come, go and come again.
      forget();
      return now;
    }
    if (!basis) return await ask(notBefore);
    const asked = () => ask(notBefore).then((value) => ({ value, silentMs: undefined }));
    const found = await hedge.ask<{ value: T; silentMs: number | undefined }>(asked, () => {
      const value = inTime('away');
      return value === undefined ? undefined : { value, silentMs: known?.silentMs };
    });
    basis.silentMs ??= found.silentMs;
    return found.value;
  }

  const hasReached = (moment: Timestamp | undefined) =>
    moment === undefined || known?.hasReached(moment) === true;

  /**
   * Reads the store without the caches: this answer is cached itself, and the ages would add up.
   */
  async function isMemberForTask(
    userId: number,
    taskId: string,
    notBefore?: Timestamp,
  ): Promise<boolean> {
    const mine = await reads.ownProjects(userId, notBefore);
    const projectId =
      mine === 'many'
        ? await projectOf(taskId, notBefore)
        : await reads.projectAmong(taskId, [...mine], notBefore);
    return projectId !== null && (await reads.standing(userId, projectId, notBefore)) === 'member';
  }

  async function projectOf(
    taskId: string,
    notBefore: Timestamp | undefined,
  ): Promise<string | null> {
    const owner = await reads.taskOwner(taskId, notBefore);
    return owner?.scope === 'project' ? owner.projectId : null;
  }

  async function mayUseTask(
    principal: Principal,
    taskId: string,
    deadline: Deadline,
  ): Promise<boolean> {
    const { notBefore } = deadline;
    const { userId, admin } = principal;
    if (admin) return (await deadline.wait(reads.taskOwner(taskId, notBefore))) !== null;
    return await deadline.wait(tasks.get(userId, taskId, notBefore));
  }

  async function mayUseProject(
    principal: Principal,
    projectId: string,
    deadline: Deadline,
    basis: RightsBasis | undefined,
  ): Promise<boolean> {
    return mayUse(
      await deadline.wait(standingOf(principal, projectId, deadline, basis)),
      principal,
    );
  }

  const mayUse = (standing: Standing, { admin }: Principal) =>
    standing === 'member' || (admin && standing === 'stranger');

  async function claimsOf(authorization: string | undefined): Promise<Claims> {
    if (authorization === undefined) throw unauthenticated();
    const token = bearerToken(authorization);
    if (token === null) throw notBearer(authorization);
    const claims = await tokens.claims(token);
    if ('refused' in claims) throw badToken(claims.refused);
    return claims;
  }

  return {
    claims: claimsOf,

    async stillMay(permission, principal, params) {
      const { userId } = principal;
      if ((await reads.userState(userId)) !== 'active') return false;
      if (permission !== 'project') return true;
      return mayUse(await reads.standing(userId, params.project_id!), principal);
    },

    async authenticate(authorization, deadline, basis) {
      const { userId, admin, expires } = await claimsOf(authorization);
      const isInMemory =
        basis && hasReached(deadline.notBefore) && known?.userState(userId, 'away') !== undefined;
      if (!isInMemory) requireStore?.();
      const state = await deadline.wait(stateOf(userId, deadline, basis));
      if (state !== 'active') throw badToken(noCaller(userId, state), basis);
      return { userId, admin, expires };
    },

    async authorize(permission, principal, params, deadline, basis) {
      switch (permission) {
        case 'public':
        case 'user':
          return;
        case 'admin':
          if (!principal.admin) throw new AppError('Forbidden', 'Only admins may do this.');
          return;
        case 'project':
          if (!(await mayUseProject(principal, params.project_id!, deadline, basis))) {
            throw nothingHere(basis);
          }
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

/** `Bearer <token>`, the scheme in any case (RFC 9110), the token as RFC 6750 spells one. */
function bearerToken(authorization: string): string | null {
  return /^bearer +([A-Za-z0-9\-._~+/]+=*) *$/i.exec(authorization)?.[1] ?? null;
}

/** Why a header holds no token to look at. */
function notBearer(authorization: string): AppError {
  if (/^bearer(?: |$)/i.test(authorization)) {
    return badToken('The Authorization header must be Bearer, a space and one token.');
  }
  // No error in the challenge: nothing is wrong with a token that was not sent (RFC 6750, 3.1).
  const scheme = /^[\w-]{1,32}(?= )/.exec(authorization)?.[0];
  const why = scheme
    ? `The scheme ${scheme} is not taken`
    : 'The Authorization header has no scheme';
  return unauthenticated(`${why}; send a token: Authorization: Bearer …`);
}

/** The token is good, so its holder may know how it stands with its user. */
function noCaller(userId: number, state: 'inactive' | 'absent'): string {
  if (state === 'inactive') return `The token is good, but its user ${userId} is not active.`;
  return `The token is good, but there is no user ${userId}, whom it names (sub), in the store.`;
}

/** The one 404: foreign and missing must not differ. */
export function nothingHere(basis?: RightsBasis): AppError {
  const headers = ageHeader(basis?.silentMs);
  return new AppError('NotFound', 'Nothing exists at this path.', { headers });
}

const CHALLENGE = 'Bearer realm="table-search"';

function unauthenticated(detail = 'Send a token: Authorization: Bearer …'): AppError {
  const headers = { 'WWW-Authenticate': CHALLENGE };
  return new AppError('Unauthenticated', detail, { headers });
}

function badToken(detail: string, basis?: RightsBasis): AppError {
  const challenge = `${CHALLENGE}, error="invalid_token", error_description="${detail}"`;
  const headers = { 'WWW-Authenticate': challenge, ...ageHeader(basis?.silentMs) };
  return new AppError('Unauthenticated', detail, { headers });
}
