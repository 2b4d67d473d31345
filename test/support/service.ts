/** The service as its clients meet it: the real application on a free port, over a test database. */
import { createServer, type Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import { buildApp } from '../../src/app.ts';
import { mintToken } from '../../src/auth/mint.ts';
import { readConfig } from '../../src/config.ts';
import { createMetrics } from '../../src/http/metrics.ts';
import { createLog } from '../../src/log.ts';
import { openStore } from '../../src/mongo/client.ts';
import { createServices, type Services } from '../../src/services.ts';

const SECRET = 'a secret for tests only, of more than 32 bytes';

export interface TestService {
  readonly url: string;
  readonly services: Services;
  /** Lines of the log, as JSON text. */
  readonly logLines: string[];
  token(userId: number, admin?: boolean): Promise<string>;
  /** POST with JSON, as the user; the body is sent as it is when it is a string. */
  post(path: string, body: unknown, token?: string): Promise<TestAnswer>;
  stop(): Promise<void>;
}

export interface TestAnswer {
  readonly status: number;
  readonly headers: Headers;
  // biome-ignore lint/suspicious/noExplicitAny: tests look into answers of any shape
  readonly body: any;
}

/** Starts the application with these settings on top of the test's own. */
export async function startService(
  uri: string,
  dbName: string,
  settings: Readonly<Record<string, string>> = {},
): Promise<TestService> {
  const config = readConfig({
    MONGODB_URI: uri,
    MONGODB_DB: dbName,
    AUTH_JWT_SECRET: SECRET,
    PORT: '0',
    ...settings,
  });
  const logLines: string[] = [];
  const log = createLog(config.logLevel, { write: (line) => void logLines.push(line) });
  const store = openStore({ uri, dbName, maxSearches: config.maxSearches });
  const services = createServices(config, store, log);
  const { routes, authenticator, health } = services;
  const metrics = createMetrics(health);
  const app = buildApp({ config, routes, authenticator, health, metrics, log });
  const server = createServer(app.callback());
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  services.start();
  const url = `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
  return {
    url,
    services,
    logLines,
    token: (userId, admin = false) => mintToken({ userId, admin, lifeS: 3_600 }, SECRET, config),
    post: (path, body, token) => post(`${url}${path}`, body, token),
    async stop() {
      await close(server);
      await services.stop();
      await store.client.close();
    },
  };
}

async function post(url: string, body: unknown, token?: string): Promise<TestAnswer> {
  const response = await fetch(url, {
    method: 'POST',
    headers: {
      'content-type': 'application/json',
      ...(token !== undefined && { authorization: `Bearer ${token}` }),
    },
    body: typeof body === 'string' ? body : JSON.stringify(body),
  });
  const text = await response.text();
  return {
    status: response.status,
    headers: response.headers,
    body: text === '' ? undefined : JSON.parse(text),
  };
}

async function close(server: Server): Promise<void> {
  server.closeAllConnections();
  await new Promise((resolve) => server.close(resolve));
}
