/** Puts the last result into README.md, between `<!-- bench -->` and `<!-- /bench -->`. */
import { readdirSync, readFileSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import { fileURLToPath } from 'node:url';
import { barTable, classTable, summaryOf } from './markdown.ts';
import type { Report } from './report.ts';

const README = fileURLToPath(new URL('../../README.md', import.meta.url));
const BETWEEN = /(<!-- bench -->\n)[\s\S]*?(<!-- \/bench -->)/;

/** @throws Error when there is no result, or when README.md has no place for it. */
export function writeReadme(results: string): void {
  const last = readdirSync(results)
    .filter((name) => name.endsWith('.json'))
    .sort()
    .at(-1);
  if (last === undefined) throw new Error('there is no result yet: npm run bench makes one');
  const report: Report = JSON.parse(readFileSync(path.join(results, last), 'utf8'));
  const readme = readFileSync(README, 'utf8');
  if (!BETWEEN.test(readme)) {
    throw new Error('README.md has no <!-- bench --> and <!-- /bench -->');
  }
  const text = `${summaryOf(report)}\n\n${barTable(report)}\n\nMilliseconds, by class of search:\n\n${classTable(report)}\n`;
  writeFileSync(
    README,
    readme.replace(BETWEEN, (_, open, close) => `${open}${text}${close}`),
  );
  console.log(`README.md shows bench/results/${last}`);
}
