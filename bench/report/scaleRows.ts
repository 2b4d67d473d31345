/** Tables of tens of millions of tasks as lines of the report. */
import type { ScaleResult } from '../scale/main.ts';
import { atLeast, atMost, forComparison, k, ms } from './bars.ts';
import type { ReportRow } from './report.ts';

/** Up to so many tasks searches have stricter bars, milliseconds. */
const MANY = 10_000_000;
const BARS = { search: 0.5, explore: 12 };
const BARS_OF_MORE = { search: 3, explore: 100 };
const THREE_FILTERS = { name: 'email + two filters + q', bar: 1 };
const SHOWN = 5;

export function scaleRows(result: ScaleResult, tasks: number): ReportRow[] {
  const { searches, explore, load, bytes, compared } = result;
  const bars = tasks > MANY ? BARS_OF_MORE : BARS;
  const slowest = searches.toSorted((a, b) => b.p50 - a.p50);
  const three = slowest.find(({ name }) => name === THREE_FILTERS.name)!;
  const [first, ...others] = slowest.filter((one) => one !== three);
  const of = `${k(tasks)} tasks`;
  const rates = `${k(load.rate)} of ${k(load.bare)} a second`;
  const search = `${of}: search in process, p50`;
  return [
    atMost(
      `${search}, slowest of ${searches.length - 1} classes: ${first!.name}`,
      first!.p50,
      bars.search,
      ms,
    ),
    ...others
      .slice(0, SHOWN)
      .map(({ name, p50, p95 }) =>
        forComparison(`${search} and p95: ${name}`, `${ms(p50)}, ${ms(p95)}`),
      ),
    atMost(`${search}: ${three.name}`, three.p50, Math.max(THREE_FILTERS.bar, bars.search), ms),
    atMost(`${of}: ${explore.name}, p50`, explore.p50, bars.explore, ms),
    atLeast(`${of}: first load against a bare scan, ${rates}`, load.rate / load.bare, 0.6, (n) =>
      n.toFixed(2),
    ),
    atMost(`${of}: memory a task in its table`, bytes / tasks, 210, (n) => `${n.toFixed(0)} bytes`),
    forComparison(`${of}: answers that the pipeline gives too`, String(compared)),
  ];
}
