/**
 * Puts a result where people read it:
 *
 *     bench/results/<run>.md   every row and every class, beside the run's JSON
 *     bench/README.md          ten rows and the bars that were missed
 *     README.md                three sentences
 *
 * In the latter two it stands between `<!-- bench -->` and `<!-- /bench -->`.
 */
import { readdirSync, readFileSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import { fileURLToPath } from 'node:url';
import { ms } from './bars.ts';
import { barTable, classTable, exploreTable, summaryOf } from './markdown.ts';
import type { Report, ReportRow } from './report.ts';

const BETWEEN = /(<!-- bench -->\n)[\s\S]*?(<!-- \/bench -->)/;

/** How measures begin, by weight: a page shows the first ten that the run has. */
const BY_WEIGHT = [
  /^search in process, p50, slowest/,
  /^random mix/,
  /^quicker than the best peer where it needs more than 10 ms/,
  /^explore: the web UI's own question, p50/,
  /^export as NDJSON, /,
  /^HTTP, 16 connections/,
  /^memory a task/,
  /^first load against a bare scan/,
  /^change visible after its majority commit, 20 a write, p99/,
  /^\d+ changes a second shown to 100 /,
  /^\d+ changed documents a second, 20 a write/,
  /^\d+ changed documents a second, 1 a write/,
  /^growth/,
];

/** Writes the page of a result, `<run>.json` in this folder. */
export function writeResultPage(results: string, name: string): void {
  const report = reportOf(results, name);
  const missed = report.rows.some(({ reached }) => !reached);
  const verdict = missed ? ' The table marks the others.' : '';
  const classes = classTable(report);
  const explores = exploreTable(report);
  const paragraphs = [
    `# ${report.tasks.toLocaleString('en')} tasks, ${report.date.slice(0, 10)}`,
    summaryOf(report),
    `Made by \`npm run bench\` from [${name}](${name}). ${countOf(report)}${verdict}`,
    barTable(report.rows),
    ...(classes === '' ? [] : ['## Classes of search', 'Times are milliseconds.', classes]),
    ...(explores === ''
      ? []
      : ['## Classes of explore', 'Times are milliseconds (p50).', explores]),
  ];
  writeFileSync(path.join(results, pageOf(name)), `${paragraphs.join('\n\n')}\n`);
}

/** @throws Error when there is no result, or when a file has no place for it. */
export function writeReadmes(results: string): void {
  const last = readdirSync(results)
    .filter((name) => name.endsWith('.json'))
    .sort()
    .at(-1);
  if (last === undefined) throw new Error('there is no result yet: npm run bench makes one');
  writeResultPage(results, last);
  const report = reportOf(results, last);
  put('bench/README.md', [
    summaryOf(report),
    barTable(BY_WEIGHT.flatMap((begins) => rowOf(report, begins) ?? []).slice(0, 10)),
    missedOf(report),
    `All rows and all classes of search: [results/${pageOf(last)}](results/${pageOf(last)}).`,
  ]);
  put('README.md', [sentencesOf(report).join('\n')]);
  console.log(`README.md and bench/README.md show bench/results/${last}`);
}

const pageOf = (name: string) => name.replace(/json$/, 'md');

function reportOf(results: string, name: string): Report {
  return JSON.parse(readFileSync(path.join(results, name), 'utf8'));
}

function rowOf({ rows }: Report, begins: RegExp): ReportRow | undefined {
  return rows.find(({ measure }) => begins.test(measure));
}

function countOf({ rows }: Report): string {
  const bars = rows.filter(({ bar }) => bar !== '');
  return `The run reached ${bars.filter(({ reached }) => reached).length} of ${bars.length} bars.`;
}

/** The bars that were missed. A row such as "the same from when they were due" names the one before. */
function missedOf(report: Report): string {
  const named = report.rows.map((row, n, rows) => {
    const subject = rows.slice(0, n + 1).findLast(({ measure }) => !measure.startsWith('the same'));
    const inFull = row.measure.startsWith('the same') ? `${subject?.measure}; ` : '';
    return { ...row, measure: `${inFull}${row.measure}` };
  });
  const lines = named
    .filter(({ reached }) => !reached)
    .map(({ measure, value, bar }) => `- ${measure}: ${value} (bar ${bar})`);
  return [countOf(report), ...(lines.length > 0 ? ['It missed:', '', ...lines] : [])].join('\n');
}

/** Up to three sentences for the README; a run that leaves parts out has fewer. */
function sentencesOf(report: Report): readonly string[] {
  const peers = rowOf(report, /^quicker than the best peer where it needs more than 10 ms/);
  const visible = rowOf(report, /^change visible after its majority commit, 20 a write, p99/);
  const classes = report.measured.searches?.classes ?? [];
  const slowest = Math.max(...classes.map(({ p50 }) => p50));
  const tasks = report.tasks.toLocaleString('en');
  const factor = peers?.value.replace('×', '');
  return [
    ...(classes.length > 0
      ? [
          `- The slowest of ${classes.length} kinds of search takes ${ms(slowest)} in process (p50, ${tasks} tasks).`,
        ]
      : []),
    ...(peers
      ? [
          `- PostgreSQL, SQLite and the pipeline need at least ${factor} times as long, wherever the best of them needs over 10 ms.`,
        ]
      : []),
    ...(visible
      ? [
          `- A change shows within ${visible.value} of its majority commit (p99), while 2,000 documents a second change.`,
        ]
      : []),
  ];
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
