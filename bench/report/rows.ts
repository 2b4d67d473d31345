/** From measurements to lines of the table: each with its bar, and whether it is reached. */
import type { BuildResult } from '../build/main.ts';
import type { HttpResult } from '../http/main.ts';
import type { Delays, LiveResult } from '../live/main.ts';
import type { LoadResult } from '../load/main.ts';
import { percentile } from '../measure.ts';
import { LUCENE } from '../peers/lucene.ts';
import type { ClassResult, SearchesResult } from '../searches/main.ts';
import type { ControlResult } from '../writes/control/main.ts';
import type { Cores } from '../writes/course.ts';
import type { WritesResult } from '../writes/main.ts';
import { atLeast, atMost, forComparison, k, MICRO, ms, times } from './bars.ts';
import { checkpointRows } from './checkpointRows.ts';
import { exploreRows, exportRows } from './exploreRows.ts';
import { openRows } from './openRows.ts';
import { ownRows } from './ownRows.ts';
import type { Measured, ReportRow } from './report.ts';
import { restartRows } from './restartRows.ts';
import { scaleRows } from './scaleRows.ts';

export function rowsOf(measured: Measured, tasks: number): ReportRow[] {
  const {
    searches,
    explores,
    export: exported,
    build,
    load,
    rowless,
    without,
    restart,
    checkpoint,
    http,
    writes,
    control,
    live,
    own,
    open,
    scale,
  } = measured;
  return [
    ...(searches ? searchRows(searches) : []),
    ...(explores ? exploreRows(explores) : []),
    ...(exported ? exportRows(exported) : []),
    ...(http ? httpRows(http) : []),
    ...(load && without ? memoryRows('memory a task', 400, load, without, tasks) : []),
    ...(rowless && without
      ? memoryRows('memory a task without rows in memory', 300, rowless, without, tasks)
      : []),
    ...(build ? buildRows(build) : []),
    ...(load ? loadRows(load) : []),
    ...(restart ? restartRows(restart, tasks) : []),
    ...(checkpoint ? checkpointRows(checkpoint) : []),
    ...(['grouped', 'single'] as const).flatMap((pace) => [
      ...(writes ? writeRows(writes[pace]) : []),
      ...(control ? controlRows(control[pace]) : []),
    ]),
    ...(live ? liveRows(live) : []),
    ...(own ? ownRows(own) : []),
    ...(open ? openRows(open) : []),
    ...(scale ? scaleRows(scale, tasks) : []),
  ];
}

function searchRows({ classes, mix }: SearchesResult): ReportRow[] {
  const [normal, wide] = [0.3, 0.5].map((bar) => classes.filter((one) => one.bar === bar));
  const worst = (of: readonly ClassResult[]) => of.reduce((a, b) => (b.p50 > a.p50 ? b : a));
  const rows: ReportRow[] = [];
  for (const of of [normal!, wide!]) {
    const { name, p50, bar } = worst(of);
    const others = of.length > 1 ? `, slowest of ${of.length} classes` : '';
    rows.push(atMost(`search in process, p50${others}: ${name}`, p50, bar, ms));
  }
  rows.push(atMost('random mix of 4,000, p99', mix.p99, 0.8, ms));
  rows.push(...luceneRows(classes));
  const compared = classes.filter((one) => peersOf(one).length > 0);
  rows.push(
    peerRow(
      compared.filter((one) => peerOf(one).p50 > 10),
      50,
      'more than 10 ms',
    ),
  );
  const some = compared.filter((one) => peerOf(one).p50 <= 10 && peerOf(one).p50 > 1);
  rows.push(peerRow(some, 10, '1 to 10 ms'));
  const quick = compared.filter((one) => peerOf(one).p50 <= 1);
  if (quick.length > 0) {
    const { name, p50 } = worst(quick);
    rows.push(atMost(`where the best peer needs less than 1 ms, slowest: ${name}`, p50, 0.1, ms));
  }
  const growth = classes.map((one) => ({ name: one.name, times: growthOf(one) }));
  const most = growth.reduce((a, b) => (b.times > a.times ? b : a));
  rows.push(atMost(`growth from 10k to 1M tasks, most: ${most.name}`, most.times, 5, times));
  return rows;
}

const FLOOR = 50 * MICRO;
/** Times below 0.05 ms count as 0.05 ms. */
export const growthOf = ({ p50, small }: ClassResult) =>
  Math.max(p50, FLOOR) / Math.max(small, FLOOR);

/** Classes that Lucene answers from a term, or none, and how many times quicker the index has to be. */
const AGAINST_LUCENE: Readonly<Record<string, number>> = {
  '2 letters': 5,
  '2 letters, by date': 5,
  '1 character': 5,
  'no hit': 2,
};

/** Lucene is no database, and is quicker than these by far: it has bars of its own. */
function luceneRows(classes: readonly ClassResult[]): ReportRow[] {
  return classes.flatMap(({ name, p50, peers: { [LUCENE]: lucene } }) => {
    const bar = AGAINST_LUCENE[name];
    if (!lucene || bar === undefined) return [];
    const measure = `${name}: times quicker than Lucene with rows deleted (${ms(lucene.p50)})`;
    return [atLeast(measure, lucene.p50 / p50, bar, times)];
  });
}

function peersOf({ peers }: ClassResult): { readonly name: string; readonly p50: number }[] {
  return Object.entries(peers)
    .filter(([name]) => name !== LUCENE)
    .map(([name, { p50 }]) => ({ name, p50 }));
}

/** The quickest of the databases that could be asked. */
export function peerOf(one: ClassResult): { readonly name: string; readonly p50: number } {
  const [first, ...rest] = peersOf(one);
  return rest.reduce((a, b) => (b.p50 < a.p50 ? b : a), first!);
}

function peerRow(classes: readonly ClassResult[], bar: number, needs: string): ReportRow {
  const ratios = classes.map((one) => ({ one, ratio: peerOf(one).p50 / one.p50 }));
  if (ratios.length === 0) {
    return { measure: `best peer needs ${needs}`, value: 'no class', bar: '', reached: true };
  }
  const least = ratios.reduce((a, b) => (b.ratio < a.ratio ? b : a));
  const of = `least of ${ratios.length} classes: ${least.one.name}, ${peerOf(least.one).name}`;
  return atLeast(
    `quicker than the best peer where it needs ${needs}; ${of}`,
    least.ratio,
    bar,
    times,
  );
}

function httpRows({
  throughputRatio,
  cpuRatio,
  rounds,
  searchMicros,
  served,
}: HttpResult): ReportRow[] {
  const rate = (of: (one: (typeof rounds)[number]) => number) => k(percentile(rounds.map(of), 0.5));
  const rates = `${rate((one) => one.search.perSecond)} of ${rate((one) => one.constant.perSecond)} a second`;
  const two = (number: number) => number.toFixed(2);
  const constant = percentile(
    rounds.map((one) => one.constant.cpuMicros),
    0.5,
  );
  const { slowest, mix, hundred } = served;
  const micros = (number: number) => `${number.toFixed(0)} µs`;
  return [
    atLeast(
      `HTTP, 16 connections: searches against constants of their size, ${rates}`,
      throughputRatio,
      0.4,
      two,
    ),
    atLeast('the same by processor time of the service', cpuRatio, 0.4, two),
    forComparison(
      `if rows and joins were free: a constant takes ${micros(constant)}, a search ${micros(searchMicros)}`,
      two(constant / (constant + searchMicros)),
    ),
    atMost(`from body to bytes, p50 of the slowest class: ${slowest.name}`, slowest.p50, 0.35, ms),
    atMost('from body to bytes, mix of all classes, p50', mix.p50, 0.35, ms),
    atMost('the same, p99', mix.p99, 1.5, ms),
    atMost('a page of 100 tasks, p50', hundred.p50, 1, ms),
  ];
}

function memoryRows(
  measure: string,
  most: number,
  load: LoadResult,
  without: LoadResult,
  tasks: number,
): ReportRow[] {
  const each = (load.bytes - without.bytes) / tasks;
  return [atMost(measure, each, most, (n) => `${n.toFixed(0)} bytes`)];
}

function buildRows(build: BuildResult): ReportRow[] {
  const rate = (number: number) => `${k(number)} a second`;
  return [
    atLeast('building in process, documents', build.documentsPerSecond, 100_000, rate),
    atMost('turns of building, p99.9', build.turnP999, 20, ms),
    atLeast('changes in process, saturated', build.changesPerSecond, 50_000, rate),
  ];
}

function loadRows({ rounds }: LoadResult): ReportRow[] {
  const median = (of: (one: (typeof rounds)[number]) => number) => percentile(rounds.map(of), 0.5);
  const rates = `${k(median((one) => one.load))} of ${k(median((one) => one.bare))} a second`;
  const ratio = median((one) => one.load / one.bare);
  const held = median((one) => one.heldP999);
  return [
    atLeast(`first load against a bare scan, ${rates}`, ratio, 0.6, (n) => n.toFixed(2)),
    atMost('event loop held during the first load, p99.9', held, 20, ms),
  ];
}

function writeRows(result: WritesResult): ReportRow[] {
  const { idle, writing, visible, differing, perSecond, cores } = result;
  const how = togetherOf(result);
  const at = `${Math.round(perSecond)} changed documents a second, ${how}`;
  return [
    atMost(`${at}: searches, p99 against idle (${ms(idle.p99)})`, writing.p99 / idle.p99, 2, times),
    atMost(
      `the same from when they were due (${ms(idle.dueP99)})`,
      writing.dueP99 / idle.dueP99,
      2,
      times,
    ),
    atMost(
      `the same without waits for a processor (${ms(idle.ownP99)})`,
      writing.ownP99 / idle.ownP99,
      2,
      times,
    ),
    atMost(`change visible after its majority commit, ${how}, p50`, visible.p50, 10, ms),
    atMost(`change visible after its majority commit, ${how}, p99`, visible.p99, 50, ms),
    atMost(`changes lost, rows that differ, ${how}`, visible.lost + differing, 0, String),
    forComparison(
      `cores that the store and the searching process kept busy, ${how}`,
      coresOf(cores),
    ),
  ];
}

const togetherOf = ({ together }: { readonly together: number }) => `${together} a write`;

const coresOf = ({ store, own }: Cores) =>
  `${store === undefined ? 'unknown' : store.toFixed(2)} and ${own.toFixed(2)}`;

/** Times that machine and store allow a process that has nothing to do with the service. */
function controlRows(result: ControlResult): ReportRow[] {
  const { idle, writing, visible, cores } = result;
  const how = togetherOf(result);
  const loop = `a loop of ${ms(idle.p50)} instead of searches, ${how}, p99 against idle`;
  const from = `the same from when it was due (${ms(idle.dueP99)})`;
  const bare = `a bare change stream instead of the index, ${how}, change seen`;
  return [
    forComparison(`${loop} (${ms(idle.p99)})`, times(writing.p99 / idle.p99)),
    forComparison(from, times(writing.dueP99 / idle.dueP99)),
    forComparison(`${bare}, p50`, ms(visible.p50)),
    forComparison(`${bare}, p99`, ms(visible.p99)),
    forComparison(`cores that the store and this loop kept busy, ${how}`, coresOf(cores)),
  ];
}

/** A megabyte, and the difference that collections of garbage make between two figures. */
const MB = 2 ** 20;
const FLAT_MB = 64;

function liveRows(result: LiveResult): ReportRow[] {
  const { perSecond, own, page, idle, writing, differing, grown, sent, ran, waited } = result;
  const shown = (of: Delays, what: string, bar: number) =>
    atMost(
      `${Math.round(perSecond)} changes a second shown to ${of.watchers} watchers of ${what}, p99 (p50 ${ms(of.p50)})`,
      of.p99,
      bar,
      ms,
    );
  const count = (number: number) => String(number);
  return [
    shown(own, "a project's or a person's tasks", 1_000),
    shown(page, "the web UI's own question", 3_000),
    atMost('changes that no event showed', own.lost + page.lost, 0, count),
    atMost('watchers whose last event was not the answer', differing, 0, count),
    atMost(
      `searches over HTTP meanwhile, p99 against idle (${ms(idle.p99)})`,
      writing.p99 / idle.p99,
      3,
      times,
    ),
    atMost(
      'memory after a fifth of the time and at its end',
      grown / MB,
      FLAT_MB,
      (mb) => `${mb.toFixed(0)} MB`,
    ),
    forComparison('events sent', `${(sent / MB).toFixed(1)} MB a second`),
    forComparison(
      "shares of the time in which the service's thread ran, and had no processor",
      `${ran.toFixed(2)} and ${waited.toFixed(2)}`,
    ),
  ];
}
