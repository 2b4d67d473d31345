/** Explores and exports as lines of the table. */
import type { ExploreTimes, Measure, Share } from '../explores/classes.ts';
import type { ExploresResult } from '../explores/main.ts';
import type { ExportResult } from '../export/main.ts';
import { atLeast, atMost, ms, times } from './bars.ts';
import type { ReportRow } from './report.ts';

/** p50, milliseconds. */
const BARS: readonly (readonly [measure: Measure, share: Share, bar: number])[] = [
  ['facet of few values', 'all rows', 1],
  ['facet of few values', '10 %', 0.5],
  ['facet of few values', 'under 1,000', 0.2],
  ['histogram', 'all rows', 1],
  ['histogram', '10 %', 0.5],
  ['histogram', 'under 1,000', 0.2],
  ['facet of many values', 'all rows', 3],
  ['facet of many values', 'under 1,000', 0.3],
  ['facet of 300,000 values', 'all rows', 15],
  ['facet of 300,000 values', '10 %', 15],
  ['sort', 'all rows', 3],
  ['sort', '10 %', 3],
  ['sort', '1 %', 0.5],
  ['stats', 'all rows', 8],
  ['stats', '10 %', 2],
];
/** Milliseconds that a baseline adds to six facets, p50. */
const BASELINE_BARS: readonly (readonly [share: Share, bar: number])[] = [
  ['all rows', 2],
  ['10 %', 1],
];
const PAGE_P50 = 4;
const PAGE_P99 = 12;
const AGAINST_PEERS = 5;

const MB = 2 ** 20;

export function exploreRows({ classes }: ExploresResult): ReportRow[] {
  const rows = BARS.map(([measure, share, bar]) => {
    const of = classes.filter((one) => one.measure === measure && one.share === share);
    const { name, shape, p50 } = slowest(of, (one) => one.p50);
    const which = `slowest of ${of.length} classes: ${name}, ${shape}`;
    return atMost(`explore: ${measure}, ${share}, p50, ${which}`, p50, bar, ms);
  });
  for (const [share, bar] of BASELINE_BARS) {
    const [plain, compared] = (['facets', 'facets against a baseline'] as const).map((measure) => {
      const of = classes.filter((one) => one.measure === measure && one.share === share);
      return slowest(of, ({ p50 }) => p50).p50;
    }) as [number, number];
    const what = `explore: six facets, ${share}, p50, what a baseline and lift add`;
    rows.push(atMost(`${what} to ${ms(plain)}`, compared - plain, bar, ms));
  }
  const pages = classes.filter(({ measure }) => measure === 'page');
  const page = slowest(pages, (one) => one.p50);
  const last = slowest(pages, (one) => one.p99);
  rows.push(
    atMost(`explore: the web UI's own question, p50, ${page.shape}`, page.p50, PAGE_P50, ms),
    atMost(`explore: the web UI's own question, p99, ${last.shape}`, last.p99, PAGE_P99, ms),
  );
  const stored = pages.find(({ peers }) => Object.keys(peers).length > 0);
  if (stored) {
    const all = Object.entries(stored.peers).map(([name, { p50 }]) => ({ name, p50 }));
    const { name: best, p50 } = all.reduce((a, b) => (b.p50 < a.p50 ? b : a));
    const what = `explore: the web UI's own question, times quicker than the best peer, ${best}`;
    rows.push(atLeast(`${what} (${ms(p50)})`, p50 / stored.p50, AGAINST_PEERS, times));
  }
  return rows;
}

function slowest(of: readonly ExploreTimes[], by: (one: ExploreTimes) => number): ExploreTimes {
  return of.reduce((a, b) => (by(b) > by(a) ? b : a));
}

export function exportRows({ rows, formats, idleP99 }: ExportResult): ReportRow[] {
  return formats.flatMap(({ format, rate, bare, grown, p99 }) => {
    const k = (number: number) => `${Math.round(number / 1_000)}k`;
    const rates = `${k(rate)} of ${k(bare)} rows a second`;
    const what = `export as ${format}`;
    return [
      atLeast(`${what}, ${k(rows)} rows, against a bare scan, ${rates}`, rate / bare, 0.5, (n) =>
        n.toFixed(2),
      ),
      atMost(`${what}: memory above idle`, grown / MB, 64, (mb) => `${mb.toFixed(0)} MB`),
      atMost(
        `${what}: searches over HTTP meanwhile, p99 against idle (${ms(idleP99)})`,
        p99 / idleP99,
        3,
        times,
      ),
    ];
  });
}
