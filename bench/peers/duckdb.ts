/**
 * DuckDB in memory, by its own package for Node, which is fetched into the bench's folder: no build,
 * no script of it runs.
 */
import { execFileSync } from 'node:child_process';
import { existsSync, mkdirSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import { pathToFileURL } from 'node:url';
import { type Counting, escaped } from './counting.ts';
import { COLUMNS, type Columns } from './document.ts';
import type { Absent } from './peer.ts';

const NAME = 'DuckDB';
const PACKAGE = '@duckdb/node-api';
const VERSION = '1.5.6-r.1';

/** The part of the package that is used. */
interface DuckDb {
  readonly version: () => string;
  readonly DuckDBInstance: {
    create(path: string): Promise<{ connect(): Promise<Connection>; closeSync(): void }>;
  };
}
interface Connection {
  run(sql: string): Promise<unknown>;
  runAndReadAll(sql: string): Promise<{ getRows(): unknown[][] }>;
  closeSync(): void;
}

export async function openDuckDb(
  folder: string,
  lines: string,
  count: number,
  columns: Columns = COLUMNS,
): Promise<Counting | Absent> {
  let duckdb: DuckDb;
  try {
    duckdb = await fetched(folder);
  } catch (error) {
    const [why] = String(error).split('\n');
    return { name: NAME, absent: `${PACKAGE} cannot be had (${why})` };
  }
  const instance = await duckdb.DuckDBInstance.create(':memory:');
  const connection = await instance.connect();
  const kinds = Object.entries(columns).map(([name, kind]) => `'${name}': '${kind}'`);
  const options = `delim='\t', header=false, quote='', escape='', nullstr='\\N', columns={${kinds.join()}}`;
  await connection.run(
    `CREATE TABLE tasks AS SELECT * FROM read_csv('${escaped(lines)}', ${options})`,
  );
  const run = async (statement: string) => (await connection.runAndReadAll(statement)).getRows();
  const [[filled]] = (await run('SELECT count(*) FROM tasks')) as [[unknown]];
  if (Number(filled) !== count) throw new Error(`${NAME} has ${filled} of ${count} lines`);
  return {
    name: NAME,
    version: duckdb.version(),
    dialect: {
      has: (text) => `contains(joined, '${escaped(text)}')`,
      whole: (a, b) => `(${a}) // ${b}`,
      keep: (name, select) => `CREATE TEMP TABLE ${name} AS ${select}`,
    },
    async run(statements) {
      const started = performance.now();
      const rows: unknown[][][] = [];
      for (const statement of statements) rows.push(await run(statement));
      return { ms: performance.now() - started, rows };
    },
    async close() {
      connection.closeSync();
      instance.closeSync();
    },
  };
}

async function fetched(folder: string): Promise<DuckDb> {
  const home = path.join(folder, 'node_modules', PACKAGE);
  if (!existsSync(home)) {
    mkdirSync(folder, { recursive: true });
    writeFileSync(path.join(folder, 'package.json'), '{"private": true}');
    const args = [
      'install',
      '--ignore-scripts',
      '--no-audit',
      '--no-fund',
      `${PACKAGE}@${VERSION}`,
    ];
    execFileSync('npm', args, { cwd: folder, stdio: ['ignore', 'ignore', 'pipe'] });
  }
  return (await import(pathToFileURL(path.join(home, 'lib', 'index.js')).href)) as DuckDb;
}
