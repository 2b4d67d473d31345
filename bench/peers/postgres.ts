/**
 * PostgreSQL with a trigram index on the one joined column, on a folder and a socket of its own.
 *
 *     initdb ─► postgres (unix socket only) ─► COPY ─► GIN on joined, b-trees on what is sorted by
 *
 * It runs as `postgres` where this process is root, and is ended by its process id.
 */
import { type ChildProcess, execFileSync, spawn } from 'node:child_process';
import { once } from 'node:events';
import { chmodSync, chownSync, existsSync, mkdirSync, readdirSync } from 'node:fs';
import path from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import pg from 'pg';
import type { PeerQuestion } from './condition.ts';
import { type Counting, escaped } from './counting.ts';
import { COLUMNS } from './document.ts';
import { type Absent, type Peer, type PeerAnswer, quickest } from './peer.ts';

const NAME = 'PostgreSQL pg_trgm';
const DEBIAN = '/usr/lib/postgresql';

const SERVER = {
  listen_addresses: '',
  fsync: 'off',
  wal_level: 'minimal',
  max_wal_senders: '0',
  max_wal_size: '8GB',
  shared_buffers: '1GB',
  work_mem: '256MB',
  maintenance_work_mem: '1GB',
  effective_cache_size: '8GB',
  random_page_cost: '1.1',
  jit: 'off',
  autovacuum: 'off',
};

interface Owner {
  readonly uid?: number;
  readonly gid?: number;
}

/** @param lines the file of `writeLines`; @param count its lines. */
export async function openPostgres(
  folder: string,
  lines: string,
  count: number,
): Promise<(Peer & Counting) | Absent> {
  const bin = newestBin();
  if (bin === undefined) return { name: NAME, absent: `no ${DEBIAN}/*/bin/initdb here` };
  const owner = ownerOf();
  mkdirSync(folder, { recursive: true });
  if (owner.uid !== undefined) chownSync(folder, owner.uid, owner.gid!);
  chmodSync(lines, 0o644);
  const data = path.join(folder, 'data');
  if (!existsSync(path.join(data, 'PG_VERSION'))) {
    const args = ['-D', data, '-U', 'bench', '-A', 'trust', '-E', 'UTF8', '--locale=C.UTF-8'];
    execFileSync(path.join(bin, 'initdb'), args, { ...owner, cwd: folder, stdio: 'ignore' });
  }
  const server = startServer(bin, data, folder, owner);
  const client = await connect(folder, server);
  const { rows } = await client.query('SHOW server_version');
  await fill(client, lines, count);
  return {
    name: NAME,
    version: rows[0].server_version,
    ask: (question) => ask(client, question),
    dialect: {
      has: (text) => `joined LIKE '%${escaped(text.replace(/[\\%_]/g, '\\$&'))}%'`,
      whole: (a, b) => `(${a}) / ${b}`,
      keep: (name, select) => `CREATE TEMP TABLE ${name} AS ${select}`,
    },
    async run(statements) {
      const started = performance.now();
      const rows: unknown[][][] = [];
      for (const text of statements) {
        rows.push((await client.query({ text, rowMode: 'array' })).rows as unknown[][]);
      }
      return { ms: performance.now() - started, rows };
    },
    async close() {
      await client.end();
      server.kill('SIGINT');
      await once(server, 'exit');
    },
  };
}

function newestBin(): string | undefined {
  const versions = existsSync(DEBIAN) ? readdirSync(DEBIAN) : [];
  const bins = versions.sort().map((version) => path.join(DEBIAN, version, 'bin'));
  return bins.findLast((bin) => existsSync(path.join(bin, 'initdb')));
}

function ownerOf(): Owner {
  if (process.getuid?.() !== 0) return {};
  const id = (flag: string) => Number(execFileSync('id', [flag, 'postgres'], { encoding: 'utf8' }));
  return { uid: id('-u'), gid: id('-g') };
}

function startServer(bin: string, data: string, folder: string, owner: Owner): ChildProcess {
  const settings = Object.entries(SERVER).flatMap(([name, value]) => ['-c', `${name}=${value}`]);
  const args = ['-D', data, '-k', folder, ...settings];
  const server = spawn(path.join(bin, 'postgres'), args, {
    ...owner,
    cwd: folder,
    stdio: 'ignore',
  });
  const end = () => server.kill('SIGQUIT');
  process.once('exit', end);
  server.once('exit', () => process.off('exit', end));
  return server;
}

async function connect(folder: string, server: ChildProcess): Promise<pg.Client> {
  for (let tries = 0; ; tries++) {
    const client = new pg.Client({ host: folder, user: 'bench', database: 'postgres' });
    try {
      await client.connect();
      return client;
    } catch (error) {
      if (tries > 100 || server.exitCode !== null) throw error;
      await sleep(100);
    }
  }
}

async function fill(client: pg.Client, lines: string, count: number): Promise<void> {
  await client.query('CREATE EXTENSION IF NOT EXISTS pg_trgm');
  const { rows } = await client.query("SELECT to_regclass('tasks') IS NOT NULL AS there");
  const has = rows[0].there ? await client.query('SELECT count(*)::int AS n FROM tasks') : null;
  if (has?.rows[0].n === count) return;
  const columns = Object.entries(COLUMNS).map(([name, type]) => `${name} ${type} NOT NULL`);
  await client.query('DROP TABLE IF EXISTS tasks');
  await client.query('BEGIN');
  await client.query(`CREATE TABLE tasks (${columns.join()})`);
  await client.query(`COPY tasks FROM '${lines.replaceAll("'", "''")}'`);
  await client.query('COMMIT');
  await client.query('ALTER TABLE tasks ADD PRIMARY KEY (id)');
  for (const column of ['date_queued', 'date_started', 'date_done', 'project_id']) {
    await client.query(`CREATE INDEX ON tasks (${column}, id)`);
  }
  await client.query('CREATE INDEX ON tasks USING gin (joined gin_trgm_ops)');
  await client.query('CREATE INDEX ON tasks USING gin (user_email gin_trgm_ops)');
  await client.query('VACUUM (ANALYZE, FREEZE) tasks');
}

async function ask(client: pg.Client, question: PeerQuestion): Promise<PeerAnswer> {
  const { where, values } = conditions(question);
  const { sortBy, descending, page, perPage } = question;
  const way = descending ? 'DESC' : 'ASC';
  const order = sortBy === 'id' ? `id ${way}` : `${sortBy} ${way}, id ${way}`;
  const cut = `ORDER BY ${order} LIMIT ${perPage} OFFSET ${(page - 1) * perPage}`;
  const inTwo = await timed(async () => {
    const counted = await client.query(`SELECT count(*)::int AS n FROM tasks ${where}`, values);
    const shown = await client.query(`SELECT id::int FROM tasks ${where} ${cut}`, values);
    return { total: counted.rows[0].n, ids: shown.rows.map(({ id }) => id) };
  });
  const columns = sortBy === 'id' ? 'id' : `id, ${sortBy}`;
  const inOne = await timed(async () => {
    const { rows } = await client.query(
      `WITH hits AS MATERIALIZED (SELECT ${columns} FROM tasks ${where})
       SELECT (SELECT count(*)::int FROM hits) AS n, ARRAY(SELECT id::int FROM hits ${cut}) AS ids`,
      values,
    );
    return { total: rows[0].n, ids: rows[0].ids };
  });
  return quickest([inTwo, inOne]);
}

async function timed(work: () => Promise<Omit<PeerAnswer, 'ms'>>): Promise<PeerAnswer> {
  const started = performance.now();
  const answer = await work();
  return { ...answer, ms: performance.now() - started };
}

function conditions({ text, equals, contains }: PeerQuestion) {
  const values: unknown[] = [];
  const value = (one: unknown) => `$${values.push(one)}`;
  const like = (of: string) => value(`%${of.replace(/[\\%_]/g, '\\$&')}%`);
  const parts = [
    ...(text === '' ? [] : [`joined LIKE ${like(text)}`]),
    ...equals.map((one) => `${one.column} = ANY(${value(one.values)})`),
    ...contains.map((one) => `${one.column} LIKE ${like(one.text)}`),
  ];
  return { where: parts.length === 0 ? '' : `WHERE ${parts.join(' AND ')}`, values };
}
