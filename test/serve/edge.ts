/**
 * The edge of the service for tests: the real application and server on a free port, with the real
 * rights on the suite's database. A suite hands in the routes.
 *
 * People in the store: 1 (admin by token), 2 (member of project A), 3 (member of project B),
 * 4 (member of A, not active).
 */
import type { Db } from 'mongodb';
import { DataPolicy } from '../../src/apps/admin/policy.ts';
import type { Config } from '../../src/config.ts';
import { createLog } from '../../src/log.ts';
import { buildApp } from '../../src/serve/app.ts';
import { mintToken } from '../../src/serve/auth/mint.ts';
import type { Principal } from '../../src/serve/auth/principal.ts';
import { Rights } from '../../src/serve/auth/rights.ts';
import { type TokenSettings, TokenVerifier } from '../../src/serve/auth/token.ts';
import { Guard } from '../../src/serve/guard.ts';
import type { Health } from '../../src/serve/health.ts';
import { createMetrics, type Metrics } from '../../src/serve/metrics.ts';
import type { Route } from '../../src/serve/route.ts';
import { Requests } from '../../src/serve/server/requests.ts';
import { type RunningServer, serve } from '../../src/serve/server/server.ts';
import { configOf, type TestSettings } from '../support/settings.ts';

export const SECRET = 'a secret for tests, of 32 bytes or more';

export const PROJECT_A = 'aaaaaaaa-0000-4000-8000-000000000001';
export const PROJECT_B = 'bbbbbbbb-0000-4000-8000-000000000002';
export const MISSING = 'dddddddd-0000-4000-8000-00000000000d';

/** The caller of a token without claims of its own. */
export const principal = (sub: string | number, ...roles: string[]): Principal => ({
  ...{ sub: String(sub), roles, admin: roles.includes('admin'), claims: {} },
  expires: Number.POSITIVE_INFINITY,
});

export const PEOPLE = {
  admin: principal(1, 'admin'),
  member: principal(2),
  otherMember: principal(3),
  deactivated: principal(4),
};
export type Person = keyof typeof PEOPLE;

/** Stores the people and the two projects. */
export async function storePeople(db: Db): Promise<void> {
  const person = (_id: number, active: unknown) => ({ _id, email: `p${_id}@example.org`, active });
  const users = [person(1, true), person(2, true), person(3, true), person(4, false)];
  await db.collection<{ _id: number }>('users').insertMany(users);
  const member = (user_id: number) => ({ user_id, role: 'member' });
  await db.collection<{ _id: number; identifier: string }>('projects').insertMany([
    { _id: 1, identifier: PROJECT_A, name: 'A', members: [member(2), member(4)] },
    { _id: 2, identifier: PROJECT_B, name: 'B', members: [member(3)] },
  ] as never[]);
}

/** A verifier with these settings alone. */
export const verifierOf = (settings: Partial<TokenSettings>) =>
  new TokenVerifier({
    ...{ authJwtSecret: undefined, authJwksUrl: undefined, authPublicKey: undefined },
    ...{ authIssuer: undefined, authAudience: undefined, ...settings },
  });

async function tokenFor(person: Person): Promise<string> {
  const nobody = { authIssuer: undefined, authAudience: undefined };
  const { sub, admin } = PEOPLE[person];
  return await mintToken({ userId: Number(sub), admin, lifeS: 600 }, SECRET, nobody);
}

export async function bearer(person: Person): Promise<Record<string, string>> {
  return { authorization: `Bearer ${await tokenFor(person)}` };
}

/** A test that holds its own event loop up must not find its connections closed. */
const KEEP_ALIVE_TIMEOUT_MS = '60000';

export interface EdgeOptions {
  readonly db: Db;
  /** Given the metrics they count in. */
  readonly routes?: readonly Route[];
  readonly env?: TestSettings;
  readonly health?: Health;
}

export interface Edge {
  readonly url: string;
  readonly port: number;
  readonly config: Config;
  readonly metrics: Metrics;
  readonly guard: Guard;
  readonly requests: Requests;
  /** The log so far, a line an entry. */
  readonly lines: string[];
  readonly server: RunningServer;
  close(): Promise<void>;
}

const HEALTHY: Health = {
  store: () => ({ state: 'up' }),
  isReady: () => true,
  index: () => ({ state: 'off' }),
  checkpointUpTo: () => undefined,
  fallbacks: () => ({}),
};

export async function startEdge({
  db,
  routes = [],
  env = {},
  health = HEALTHY,
}: EdgeOptions): Promise<Edge> {
  const config = configOf({ AUTH_JWT_SECRET: SECRET, PORT: '0', KEEP_ALIVE_TIMEOUT_MS, ...env });
  const lines: string[] = [];
  const log = createLog(config.logLevel, { write: (line) => void lines.push(line) });
  const metrics = createMetrics(health);
  const tokens = new TokenVerifier(config);
  const rights = new Rights({ tokens, policy: new DataPolicy({ db }) });
  const guard = new Guard(config);
  const requests = new Requests(config.queryTimeoutMs);
  const app = buildApp({ config, routes, rights, guard, health, metrics, requests, log });
  const server = await serve(app.callback(), config, log);
  return {
    url: server.url,
    port: server.port,
    config,
    metrics,
    guard,
    requests,
    lines,
    server,
    async close() {
      await server.close(0);
    },
  };
}

/** A route that answers 200 with its own request. */
export function echo(
  method: Route['method'],
  path: string,
  permission: Route['permission'],
  body: Route['body'] = 'none',
): Route {
  return {
    method,
    path,
    permission,
    cost: permission === 'public' ? 'free' : 'reads',
    body,
    query: 'ignored',
    description: 'not listed',
    handle(ctx) {
      ctx.body = { body: ctx.request.body ?? null, params: ctx.params };
    },
  };
}
