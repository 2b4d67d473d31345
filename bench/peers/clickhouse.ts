/**
 * ClickHouse as the library chdb for Python, fetched into the bench's folder: a table of the engine
 * Memory, and no cache of conditions, so that it computes each answer.
 */
import { execFileSync } from 'node:child_process';
import { existsSync, mkdirSync } from 'node:fs';
import path from 'node:path';
import { fileURLToPath } from 'node:url';
import { type Counting, escaped } from './counting.ts';
import { COLUMNS, type Columns } from './document.ts';
import { Python } from './lineProcess.ts';
import type { Absent } from './peer.ts';

const NAME = 'ClickHouse';
const PACKAGE = 'chdb';
const VERSION = '4.4.0';

export async function openClickHouse(
  folder: string,
  lines: string,
  count: number,
  columns: Columns = COLUMNS,
): Promise<Counting | Absent> {
  try {
    if (!existsSync(path.join(folder, PACKAGE))) {
      mkdirSync(folder, { recursive: true });
      const args = ['-m', 'pip', 'install', '-q', '--target', folder, `${PACKAGE}==${VERSION}`];
      execFileSync('python3', args, { stdio: ['ignore', 'ignore', 'pipe'] });
    }
  } catch (error) {
    const [why] = String(error).split('\n');
    return { name: NAME, absent: `${PACKAGE} cannot be had (${why})` };
  }
  const script = fileURLToPath(new URL('clickhouse.py', import.meta.url));
  const python = new Python(NAME, [script, folder]);
  const { version } = await python.ask({ fill: lines, count, columns: Object.entries(columns) });
  const text = (one: string) => escaped(one.replaceAll('\\', '\\\\'));
  return {
    name: NAME,
    version,
    dialect: {
      has: (one) => `position(joined, '${text(one)}') > 0`,
      whole: (a, b) => `intDiv(${a}, ${b})`,
      keep: (name, select) => `CREATE TABLE ${name} ENGINE = Memory AS ${select}`,
    },
    run: (statements) => python.ask({ ask: statements }),
    close: () => python.close(),
  };
}
