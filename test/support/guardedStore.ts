/** A mongod with users, as a replica set of one: nothing may be done without an account. */
import { execFile } from 'node:child_process';
import { randomBytes } from 'node:crypto';
import fs from 'node:fs/promises';
import os from 'node:os';
import path from 'node:path';
import { fileURLToPath } from 'node:url';
import { promisify } from 'node:util';
import { freePort } from './freePort.ts';
import { startMongod } from './mongod.ts';

const run = promisify(execFile);
const SET_UP = fileURLToPath(new URL('../../deploy/mongodb/setUp.mjs', import.meta.url));

export interface GuardedStore {
  /** As the administrator. */
  readonly rootUri: string;
  /** As the service's own account. */
  readonly uri: string;
  /** Runs deploy/mongodb/setUp.mjs once more, and returns its output. */
  setUp(env?: Readonly<Record<string, string>>): Promise<string>;
  stop(): Promise<void>;
}

/** @param database of the service */
export async function startGuardedStore(database: string): Promise<GuardedStore> {
  const folder = await fs.mkdtemp(path.join(os.tmpdir(), 'table-search-guarded-'));
  const keyFile = path.join(folder, 'replica.key');
  await fs.writeFile(keyFile, randomBytes(48).toString('base64'), { mode: 0o600 });
  const port = await freePort();
  const args = [
    ['--journalCommitInterval', '10'],
    ['--wiredTigerCacheSizeGB', '0.25'],
    ['--setParameter', 'diagnosticDataCollectionEnabled=false'],
  ].flat();
  const mongod = await startMongod({ port, dbPath: folder, replSet: 'rs0', keyFile, args });
  const [root, own] = [randomBytes(12).toString('hex'), randomBytes(12).toString('hex')];
  const uri = (user: string, password: string) =>
    `mongodb://${user}:${password}@127.0.0.1:${port}/?replicaSet=rs0&authSource=admin`;
  const setUp = async (more: Readonly<Record<string, string>> = {}) => {
    const { stdout } = await run(process.execPath, [SET_UP], {
      env: {
        MONGODB_ADMIN_URI: `mongodb://127.0.0.1:${port}/?directConnection=true`,
        REPLICA_SET_MEMBERS: `127.0.0.1:${port}`,
        MONGODB_ROOT_PASSWORD: root,
        MONGODB_PASSWORD: own,
        MONGODB_DB: database,
        ...more,
      },
    });
    return stdout;
  };
  await setUp();
  return {
    rootUri: uri('root', root),
    uri: uri('table_search', own),
    setUp,
    async stop() {
      await mongod.kill();
      await fs.rm(folder, { recursive: true, force: true });
    },
  };
}
