/** An own table of orders as lines of the report, and its classes as a table. */
import type { OwnResult, OwnTimes } from '../own/main.ts';
import { atLeast, atMost, forComparison, k, ms, times } from './bars.ts';
import type { ReportRow } from './report.ts';

/** p50, milliseconds. */
const SEARCH = 0.3;
const AGAINST_PEERS = 5;
const LOAD = 0.6;
/** The share by which memory may differ from the estimates of `init` and `check`. */
const MEMORY = 0.2;

export function ownRows({ orders, searches, explores, memory, load }: OwnResult): ReportRow[] {
  const what = `own table, ${k(orders)} orders`;
  const slowest = searches.reduce((a, b) => (b.p50 > a.p50 ? b : a));
  const name = `${what}: search in process, p50, slowest of ${searches.length} classes`;
  const late = searches.filter(({ p50 }) => p50 > SEARCH);
  const { told, taken } = memory;
  const bytes = `${told.toFixed(0)} of ${taken.toFixed(0)} bytes a document`;
  const rates = `${k(load.rate)} of ${k(load.bare)} a second`;
  return [
    atLeast(
      `${what}: first load against a bare scan, ${rates}`,
      load.rate / load.bare,
      LOAD,
      (ratio) => ratio.toFixed(2),
    ),
    atMost(`${name}: ${slowest.name}`, slowest.p50, SEARCH, ms),
    ...late.map((one) => forComparison(`${what}: ${one.name}`, ms(one.p50))),
    ...explores.flatMap((one) => peerRow(what, one)),
    atMost(
      `${what}: memory said by init and check, ${bytes}, off by`,
      Math.abs(told / taken - 1),
      MEMORY,
      (share) => `${Math.round(100 * share)} %`,
    ),
  ];
}

function peerRow(what: string, { name, p50, peers }: OwnTimes): ReportRow[] {
  const [best] = Object.entries(peers).sort(([, a], [, b]) => a - b);
  if (!best) return [];
  const [peer, theirs] = best;
  const row = `${what}: ${name}, times quicker than the best peer, ${peer} (${ms(theirs)})`;
  return [atLeast(row, theirs / p50, AGAINST_PEERS, times)];
}
