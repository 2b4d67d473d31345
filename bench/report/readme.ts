/**
 * Puts the last result where people read it: the rows that decide into README.md, all of them into
 * bench/README.md, both between `<!-- bench -->` and `<!-- /bench -->`.
 */
import { readdirSync, readFileSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import { fileURLToPath } from 'node:url';
import { barTable, classTable, exploreTable, summaryOf } from './markdown.ts';
import type { Report } from './report.ts';

const BETWEEN = /(<!-- bench -->\n)[\s\S]*?(<!-- \/bench -->)/;

/** How the measures begin by which the service is judged. */
const DECISIVE = [
  /^search in process, p50, slowest/,
  /^random mix/,
  /^quicker than the best peer where it needs more than 10 ms/,
  /^growth/,
  /^explore: the web UI's own question, p50/,
  /^explore: the web UI's own question, times/,
  /^export as NDJSON/,
  /^HTTP, 16 connections/,
  /^memory a task/,
  /^first load against a bare scan/,
  /^\d+ changed documents a second, 20 a write/,
  /^\d+ changed documents a second, 1 a write/,
  /^change visible after its majority commit, 20 a write, p99/,
  /^\d+ changes a second shown to 900/,
  /^\d+ changes a second shown to 100 /,
];

/** @throws Error when there is no result, or when a file has no place for it. */
export function writeReadme(results: string): void {
  const last = readdirSync(results)
    .filter((name) => name.endsWith('.json'))
    .sort()
    .at(-1);
  if (last === undefined) throw new Error('there is no result yet: npm run bench makes one');
  const report: Report = JSON.parse(readFileSync(path.join(results, last), 'utf8'));
  const summary = summaryOf(report);
  put('README.md', [summary, barTable(decisive(report)), verdict(report)]);
  const classes = ['Milliseconds, by class of search:', classTable(report)];
  const counted = exploreTable(report);
  const explores = counted ? ['By class of explore:', counted] : [];
  put('bench/README.md', [summary, barTable(report.rows), ...classes, ...explores]);
  console.log(`README.md and bench/README.md show bench/results/${last}`);
}

function decisive({ rows }: Report): Report['rows'] {
  return DECISIVE.flatMap((begins) => rows.find(({ measure }) => begins.test(measure)) ?? []);
}

function verdict({ rows }: Report): string {
  const bars = rows.filter(({ bar }) => bar !== '');
  const reached = bars.filter((row) => row.reached);
  return `Of ${bars.length} bars ${reached.length} are reached: [bench/README.md](bench/README.md) has all rows, and each class of search beside its peers.`;
}

function put(name: string, paragraphs: readonly string[]): void {
  const file = fileURLToPath(new URL(`../../${name}`, import.meta.url));
  const page = readFileSync(file, 'utf8');
  if (!BETWEEN.test(page)) throw new Error(`${name} has no <!-- bench --> and <!-- /bench -->`);
  const text = `${paragraphs.join('\n\n')}\n`;
  writeFileSync(
    file,
    page.replace(BETWEEN, (_, open, close) => `${open}${text}${close}`),
  );
}
