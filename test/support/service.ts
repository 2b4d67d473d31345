/** The service as its clients meet it: the real application on a free port, over a test database. */

import type { Config } from '../../src/config.ts';
import { createLog } from '../../src/log.ts';
import { mintToken } from '../../src/serve/auth/mint.ts';
import type { DemoPeople } from '../../src/serve/routes/webUi.ts';
import { startService as start } from '../../src/service.ts';
import type { CreateTable } from '../../src/tables/index/searchIndex.ts';
import { configOf, type TestSettings } from './settings.ts';
import { until } from './until.ts';

const SECRET = 'a secret for tests only, of more than 32 bytes';

export interface TestService {
  readonly url: string;
  /** Lines of the log, as JSON text. */
  readonly logLines: string[];
  /** Good for an hour, or for so many seconds. */
  token(userId: number, admin?: boolean, lifeS?: number): Promise<string>;
  /** With any `sub` and claims; good for an hour, or for so many seconds. */
  tokenOf(
    sub: number | string,
    claims: Readonly<Record<string, unknown>>,
    lifeS?: number,
  ): Promise<string>;
  ask(method: string, path: string, asked?: Asked): Promise<TestAnswer>;
  post(path: string, body: unknown, token?: string): Promise<TestAnswer>;
  /** The answer of `/readyz`. */
  ready(): Promise<TestAnswer>;
  /** Waits until `/readyz` says that the index is live. */
  live(): Promise<void>;
  /** Waits until an empty search goes by this route: an index loads first. */
  goesBy(route: string, path: string, token: string): Promise<void>;
  /** The figures of `/metrics`, by their names with labels, and without the prefix of all. */
  figures(): Promise<ReadonlyMap<string, number>>;
  stop(): Promise<void>;
}

export interface Asked {
  readonly token?: string | undefined;
  /** Sent as JSON; as it is where it is a text. */
  readonly body?: unknown;
  readonly headers?: Readonly<Record<string, string>>;
}

export interface TestAnswer {
  readonly status: number;
  readonly headers: Headers;
  readonly text: string;
  // biome-ignore lint/suspicious/noExplicitAny: tests look into answers of any shape
  readonly body: any;
}

type Start = (
  uri: string,
  dbName: string,
  /** Settings as texts, by their names; bounds as numbers, by their members. */
  settings?: TestSettings,
  createTable?: CreateTable,
  /** Whom the web UI offers to come in as, as a demo does. */
  peopleOf?: (config: Config) => DemoPeople | undefined,
) => Promise<TestService>;

/**
 * Starts the application with these settings on top of the test's own, and waits for its store: the
 * first look at it may fail on a busy machine.
 */
export const startService: Start = async (...options) => {
  const service = await startOverAnyStore(...options);
  await until(async () => {
    // A connection that is kept from an earlier service at this port ends first.
    const answer = await fetch(`${service.url}/readyz`).catch(() => undefined);
    await answer?.body?.cancel();
    return answer?.status === 200;
  }, 'the store is not up');
  return service;
};

/** The same over a store that need not be there, or be of use. */
export const startOverAnyStore: Start = async (
  uri,
  dbName,
  settings = {},
  createTable,
  peopleOf,
) => {
  const own = {
    MONGODB_URI: uri,
    MONGODB_DB: dbName,
    AUTH_JWT_SECRET: SECRET,
    PORT: '0',
    // A test that holds its own event loop up must not find its connections closed.
    KEEP_ALIVE_TIMEOUT_MS: '60000',
    // A start to live takes twice as long with them. While the store builds one, a pipeline may
    // answer in place of the index.
    STORE_INDEXES: 'off',
  };
  const config = configOf({ ...own, ...settings });
  const logLines: string[] = [];
  const log = createLog(config.logLevel, { write: (line) => void logLines.push(line) });
  const service = await start({ config, uri, log, createTable, demoPeople: peopleOf?.(config) });
  const { url } = service;
  const ask = askAt(url);
  const post: TestService['post'] = (path, body, token) => ask('POST', path, { body, token });
  const ready = () => ask('GET', '/readyz');
  return {
    url,
    logLines,
    token: (userId, admin = false, lifeS = 3_600) =>
      mintToken({ userId, admin, lifeS }, SECRET, config),
    tokenOf: (userId, claims, lifeS = 3_600) =>
      mintToken({ userId, admin: false, lifeS, claims }, SECRET, config),
    ask,
    post,
    ready,
    async live() {
      const isLive = async () => (await ready()).body.index.state === 'live';
      await until(isLive, 'the index is not live', 120_000);
    },
    async goesBy(route, path, token) {
      await until(async () => {
        const { headers } = await post(path, {}, token);
        return headers.get('search-route') === route;
      }, `${path} does not go by ${route}`);
    },
    async figures() {
      const { text } = await ask('GET', '/metrics');
      const lines = text.matchAll(/^(?:table_search_)?(\w+(?:\{.*\})?) (\S+)$/gm);
      return new Map([...lines].map(([, name, value]) => [name!, Number(value)]));
    },
    async stop() {
      await service.stop();
    },
  };
};

function askAt(url: string): TestService['ask'] {
  return async (method, path, { token, body, headers = {} } = {}) => {
    const response = await fetch(`${url}${path}`, {
      method,
      headers: {
        ...(token !== undefined && { authorization: `Bearer ${token}` }),
        ...(body !== undefined && { 'content-type': 'application/json' }),
        ...headers,
      },
      ...(body !== undefined && { body: typeof body === 'string' ? body : JSON.stringify(body) }),
    });
    const text = await response.text();
    const isJson = /[/+]json\b/.test(response.headers.get('content-type') ?? '') && text !== '';
    return {
      ...{ status: response.status, headers: response.headers, text },
      body: isJson ? JSON.parse(text) : undefined,
    };
  };
}
