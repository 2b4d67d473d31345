/**
 * SQLite with an FTS5 trigram index on the one joined column: the native library, through Python's
 * module, in a process of its own.
 *
 *     sqlite.ts ── {"ask": [statements]} ──► sqlite.py ──► {"ms", "rows"}
 *
 * The text is folded already, so the tokenizer is told that case matters. Texts of less than three
 * characters have no trigram; those, and projects with few tasks, are quicker by a scan.
 */
import { spawnSync } from 'node:child_process';
import { mkdirSync } from 'node:fs';
import path from 'node:path';
import { fileURLToPath } from 'node:url';
import type { PeerQuestion } from './condition.ts';
import { type Counting, escaped } from './counting.ts';
import { COLUMNS } from './document.ts';
import { Python } from './lineProcess.ts';
import { type Absent, type Peer, type PeerAnswer, quickest } from './peer.ts';

const NAME = 'SQLite FTS5 trigram';
const PROBE =
  "import sqlite3; sqlite3.connect(':memory:').execute(\"create virtual table t using fts5(a, tokenize='trigram')\")";

type Statement = readonly [sql: string, params: readonly unknown[]];

export async function openSqlite(
  folder: string,
  lines: string,
  count: number,
): Promise<(Peer & Counting) | Absent> {
  const probe = spawnSync('python3', ['-c', PROBE], { encoding: 'utf8' });
  if (probe.status !== 0) {
    const last = probe.stderr?.trim().split('\n').at(-1);
    return { name: NAME, absent: `python3 has no SQLite with trigrams (${last ?? 'no python3'})` };
  }
  mkdirSync(folder, { recursive: true });
  const script = fileURLToPath(new URL('sqlite.py', import.meta.url));
  const python = new Python('SQLite', [script, path.join(folder, 'tasks.sqlite')]);
  const { version } = await python.ask({ fill: lines, count, columns: Object.entries(COLUMNS) });
  return {
    name: NAME,
    version,
    async ask(question) {
      const answers: PeerAnswer[] = [];
      for (const statements of waysToAsk(question)) {
        const { ms, rows } = await python.ask({ ask: statements });
        const [counted, shown] = rows as [[[number]], [number][]];
        answers.push({ ms, total: counted[0][0], ids: shown.map(([id]) => id) });
      }
      return quickest(answers);
    },
    dialect: {
      has: (text) =>
        [...text].length >= 3
          ? `id IN (SELECT rowid FROM found WHERE found MATCH '"${escaped(text.replaceAll('"', '""'))}"')`
          : `instr(joined, '${escaped(text)}') > 0`,
      whole: (a, b) => `(${a}) / ${b}`,
      keep: (name, select) => `CREATE TEMP TABLE ${name} AS ${select}`,
    },
    async run(statements) {
      return await python.ask({ ask: statements.map((text) => [text, []]) });
    },
    close: () => python.close(),
  };
}

/** Count and page, by the trigram index and by a scan. */
function waysToAsk(question: PeerQuestion): Statement[][] {
  const { text, sortBy, descending, page, perPage } = question;
  const { conditions, values } = rest(question);
  const way = descending ? 'DESC' : 'ASC';
  const order = sortBy === 'id' ? `id ${way}` : `${sortBy} ${way}, id ${way}`;
  const cut = `LIMIT ${perPage} OFFSET ${(page - 1) * perPage}`;
  const where = (parts: readonly string[]) =>
    parts.length === 0 ? '' : `WHERE ${parts.join(' AND ')}`;
  const countAndPage = (from: string, parts: readonly string[], params: readonly unknown[]) => [
    [`SELECT count(*) FROM ${from} ${where(parts)}`, params] as const,
    [`SELECT id FROM ${from} ${where(parts)} ORDER BY ${order} ${cut}`, params] as const,
  ];
  const hasTrigram = [...text].length >= 3;
  const ways: Statement[][] = [];
  if (hasTrigram) {
    const phrase = `"${text.replaceAll('"', '""')}"`;
    const params = [phrase, ...values];
    const joined = 'found JOIN tasks ON tasks.id = found.rowid';
    if (conditions.length === 0 && sortBy === 'id') {
      const alone = '(SELECT rowid AS id FROM found WHERE found MATCH ?)';
      ways.push(countAndPage(alone, [], params));
    } else ways.push(countAndPage(joined, ['found MATCH ?', ...conditions], params));
  }
  if (!hasTrigram || conditions.length > 0) {
    const scanned = text === '' ? [] : ['instr(joined, ?) > 0'];
    const params = [...values, ...(text === '' ? [] : [text])];
    ways.push(countAndPage('tasks', [...conditions, ...scanned], params));
  }
  return ways;
}

function rest({ equals, contains }: PeerQuestion) {
  const values: unknown[] = [];
  const conditions: string[] = [];
  for (const one of equals) {
    conditions.push(`${one.column} IN (${one.values.map(() => '?').join()})`);
    values.push(...one.values);
  }
  for (const one of contains) {
    conditions.push(`instr(${one.column}, ?) > 0`);
    values.push(one.text);
  }
  return { conditions, values };
}
