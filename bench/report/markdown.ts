/** A report as Markdown: for the README, and much the same for a terminal. */
import type { ClassResult } from '../searches/main.ts';
import type { Report } from './report.ts';
import { growthOf, peerOf } from './rows.ts';

const ms = (number: number | undefined) => {
  if (number === undefined) return '–';
  if (number >= 10) return number.toFixed(0);
  return number.toFixed(number < 0.1 ? 3 : 2);
};

export function summaryOf({ date, tasks, machine, loadAverage }: Report): string {
  const { cores, cpu, memoryGb, node, mongod, commit } = machine;
  return (
    `${date.slice(0, 10)}, commit ${commit}: ${tasks.toLocaleString('en')} tasks; ${cores} cores ` +
    `(${cpu}), ${memoryGb} GB, Node ${node}, mongod ${mongod}, ` +
    `load average ${loadAverage.map((one) => one.toFixed(1)).join(' to ')}.`
  );
}

export function barTable(rows: Report['rows']): string {
  const lines = rows.map(
    ({ measure, value, bar, reached }) =>
      `| ${measure} | ${value} | ${bar} | ${bar === '' ? '' : reached ? 'yes' : '**no**'} |`,
  );
  return ['| measure | value | bar | reached |', '|---|---|---|---|', ...lines].join('\n');
}

/** Times of each class of search, and the peers' times, in milliseconds. */
export function classTable({ measured }: Report): string {
  const { searches } = measured;
  if (!searches) return '';
  const peers = ['pipeline', ...searches.peers.map(({ name }) => name)];
  const lines = searches.classes.map((one) => {
    const theirs = peers.map((peer) => ms(one.peers[peer]?.p50));
    const cells = [one.name, String(one.hits), ms(one.p50), ms(one.p95), ...theirs];
    return `| ${[...cells, timesOf(one), `${growthOf(one).toFixed(1)}×`].join(' | ')} |`;
  });
  const head = ['search', 'hits', 'index p50', 'p95', ...peers, 'best database / index', 'growth'];
  const rule = head.map((_, column) => (column === 0 ? '---' : '--:'));
  const { p50, p95, p99 } = searches.mix;
  return [
    `| ${head.join(' | ')} |`,
    `|${rule.join('|')}|`,
    ...lines,
    '',
    `Random mix of 4,000: p50 ${ms(p50)}, p95 ${ms(p95)}, p99 ${ms(p99)} ms.`,
    ...searches.absent.map(({ name, absent }) => `${name} was not asked: ${absent}.`),
  ].join('\n');
}

function timesOf(one: ClassResult): string {
  if (Object.keys(one.peers).length === 0) return '–';
  const ratio = peerOf(one).p50 / one.p50;
  return ratio < 10 ? ratio.toFixed(1) : Math.round(ratio).toLocaleString('en');
}

/** Times of each class of explore over the store's tasks, and the peers' times, in milliseconds. */
export function exploreTable({ measured }: Report): string {
  const { explores } = measured;
  if (!explores) return '';
  const peers = ['pipeline', ...explores.peers.map(({ name }) => name)];
  const stored = explores.classes.filter(({ shape }) => shape === 'as the store has them');
  const lines = stored.map(({ name, hits, p50, p99, peers: theirs }) => {
    const cells = [name, String(hits), ms(p50), ms(p99)];
    return `| ${[...cells, ...peers.map((peer) => ms(theirs[peer]?.p50))].join(' | ')} |`;
  });
  const head = ['explore', 'hits', 'index p50', 'p99', ...peers];
  return [
    `| ${head.join(' | ')} |`,
    `|${head.map((_, column) => (column === 0 ? '---' : '--:')).join('|')}|`,
    ...lines,
    ...explores.absent.map(({ name, absent }) => `\n${name} was not asked: ${absent}.`),
  ].join('\n');
}
