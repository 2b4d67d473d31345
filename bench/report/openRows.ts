/** `open` and `init` as lines of the report. */
import type { OpenResult } from '../open/main.ts';
import { atLeast, atMost, forComparison, k } from './bars.ts';
import type { ReportRow } from './report.ts';

/** Seconds. */
const LINK = 3;
const FIRST_ROWS = 4;
const INIT = 10;
const LIVE = 0.6;

const seconds = (n: number) => `${n.toFixed(1)} s`;

export function openRows({
  orders,
  link,
  firstRows,
  live,
  rate,
  bare,
  init,
}: OpenResult): ReportRow[] {
  const what = `open, ${k(orders)} orders never seen before`;
  const rates = `${k(rate)} of ${k(bare)} a second`;
  return [
    atMost(`${what}: to the link`, link, LINK, seconds),
    atMost(`${what}: to rows of the first search`, firstRows, FIRST_ROWS, seconds),
    atLeast(
      `${what}: to live after ${seconds(live)}, against a bare scan, ${rates}`,
      rate / bare,
      LIVE,
      (ratio) => ratio.toFixed(2),
    ),
    atMost(`init, ${k(init.documents)} documents in 100 collections`, init.seconds, INIT, seconds),
    forComparison(
      `init, ${k(init.documents)} documents in 100 collections: most memory`,
      `${Math.round(init.peak / 2 ** 20)} MB`,
    ),
  ];
}
