/** Counts by value and by time: bars on a terminal, tab-separated lines in a pipe. */
import type { Facet, Histogram, Stats } from 'table-search/client';
import { grouped } from '../numbers.ts';
import type { Lines } from './lines.ts';
import { type Drawing, type Fields, lookedAt } from './looks.ts';
import { clipped, oneLine, padded, widthOf } from './terminal.ts';

/** Eighths of a cell. */
const BLOCKS = ['', '▏', '▎', '▍', '▌', '▋', '▊', '▉'];
const BAR = 30;
const NAME = 40;
/** Cells before a name, a count and a bar. */
const GAP = 2;

function bar(part: number, whole: number, cells: number): string {
  const eighths = whole === 0 ? 0 : Math.round((part / whole) * cells * 8);
  const shown = part > 0 ? Math.max(1, eighths) : 0;
  return '█'.repeat(Math.floor(shown / 8)) + BLOCKS[shown % 8]!;
}

/** A counted value as the rows of its table show it. */
const nameOf = (
  { value, label }: Facet['values'][number],
  field: Fields[string] | undefined,
): string =>
  oneLine(label ?? (field && lookedAt(field, value)) ?? (value === null ? '–' : String(value)));

/** The names of counted values; two values with the same name, as sizes of 1.0 MB, show as JSON. */
function namesOf(values: Facet['values'], field: Fields[string] | undefined): readonly string[] {
  const names = values.map((one) => nameOf(one, field));
  const times = new Map<string, number>();
  for (const name of names) times.set(name, (times.get(name) ?? 0) + 1);
  return names.map((name, i) =>
    times.get(name) === 1 ? name : oneLine(JSON.stringify(values[i]!.value)),
  );
}

/** A name, its count and a bar on each line; a narrow terminal has shorter names and bars. */
function barLines(
  lines: readonly (readonly [name: string, count: number])[],
  { paint, width: room }: Drawing,
): string {
  const most = Math.max(0, ...lines.map(([, count]) => count));
  const digits = grouped(most).length;
  const left = room - digits - 3 * GAP;
  const names = lines.map(([name]) => clipped(name, Math.max(8, Math.min(NAME, left))));
  const width = Math.max(0, ...names.map(widthOf));
  const cells = Math.max(0, Math.min(BAR, left - width - 1));
  return lines
    .map(([, count], i) => {
      const name = padded(names[i]!, width, 'left');
      const drawn = paint('cyan', cells > 0 ? bar(count, most, cells) : '');
      return `  ${name}  ${grouped(count).padStart(digits)}  ${drawn}`.trimEnd();
    })
    .join('\n');
}

/** A name, its count, its share and its share of the baseline on each line. */
function shareLines(
  { field, values, total = 0, baseline_total: baselineTotal = 0 }: Facet,
  { width: room, fields = {} }: Drawing,
): string {
  const share = (count: number, of: number) => `${((100 * count) / Math.max(1, of)).toFixed(1)} %`;
  const cells = values.map(({ count, baseline = 0 }) => [
    grouped(count),
    share(count, total),
    `instead of ${share(baseline, baselineTotal)}`,
  ]);
  const widths = [0, 1, 2].map((i) => Math.max(0, ...cells.map((row) => row[i]!.length)));
  const left = room - widths.reduce((sum, width) => sum + width + GAP, GAP);
  const most = Math.max(8, Math.min(NAME, left));
  const names = namesOf(values, fields[field]).map((name) => clipped(name, most));
  const width = Math.max(0, ...names.map(widthOf));
  return cells
    .map((row, i) => {
      const figures = row.map((cell, at) => cell.padStart(widths[at]!)).join('  ');
      return `  ${padded(names[i]!, width, 'left')}  ${figures}`;
    })
    .join('\n');
}

export function facetText(facet: Facet, drawing: Drawing): string {
  const { paint, fields = {} } = drawing;
  const { field, values, distinct, rest, total } = facet;
  const count = `${grouped(distinct)} ${distinct === 1 ? 'value' : 'values'}`;
  const head = `${paint('bold', field)}  ${paint('dim', count)}\n`;
  if (total !== undefined && values.length === 0) return `${head}  none is over-represented\n`;
  const more = rest > 0 ? paint('dim', `\n  ${grouped(rest)} in the others`) : '';
  const names = namesOf(values, fields[field]);
  const bars = values.map(({ count: rows }, i) => [names[i]!, rows] as const);
  const lines = total === undefined ? barLines(bars, drawing) : shareLines(facet, drawing);
  return `${head}${lines}${more}\n`;
}

export function histogramText(histogram: Histogram, drawing: Drawing): string {
  const { paint } = drawing;
  const { field, interval, time_zone, buckets, missing } = histogram;
  const more = missing > 0 ? paint('dim', `\n  ${grouped(missing)} without a date`) : '';
  const isByTime = interval.startsWith('PT');
  // Swedes write dates as ISO 8601 does.
  const calendar = new Intl.DateTimeFormat('sv-SE', {
    timeZone: time_zone,
    dateStyle: 'short',
    ...(isByTime && { timeStyle: 'short' }),
  });
  const lines = buckets.map(({ start, count }): [string, number] => [
    calendar.format(new Date(start)),
    count,
  ]);
  const how = paint('dim', `${interval}, ${time_zone}`);
  return `${paint('bold', field)}  ${how}\n${barLines(lines, drawing)}${more}\n`;
}

/** One line a count, for programs: field, value or beginning, label or end, count. */
export function countRows(facets: readonly Facet[], histogram: Histogram | undefined): Lines {
  const compared = facets.some(({ total }) => total !== undefined);
  const rows = facets.flatMap(({ field, values }) =>
    values.map(({ value, label, count, baseline }) => [
      ...[field, value, label ?? null, count],
      ...(compared ? [baseline ?? null] : []),
    ]),
  );
  const times = (histogram?.buckets ?? []).map(({ start, end, count }) => [
    ...[histogram!.field, start, end, count],
    ...(compared ? [null] : []),
  ]);
  const head = ['field', 'value', 'label_or_end', 'count', ...(compared ? ['baseline'] : [])];
  return { head, rows: [...rows, ...times] };
}

const FIGURES = ['min', 'p50', 'p90', 'p95', 'p99', 'max'] as const;

/** The figures of a field, a line each; numbers are rounded for people. */
export function statsText(
  { field, count, missing, ...figures }: Stats,
  { paint, fields = {} }: Drawing,
): string {
  const none = missing > 0 ? `, ${grouped(missing)} without one` : '';
  const shown = FIGURES.map((name) => {
    const value = figures[name];
    const looked = fields[field] && lookedAt(fields[field], value);
    const text =
      typeof value === 'number'
        ? value.toLocaleString('en-US', { maximumSignificantDigits: 6 })
        : (value ?? '–');
    return `  ${name}  ${looked ?? text}`;
  });
  const head = paint('dim', `${grouped(count)} ${count === 1 ? 'value' : 'values'}${none}`);
  return `${paint('bold', field)}  ${head}\n${shown.join('\n')}\n`;
}

export function statsRows(stats: readonly Stats[]): Lines {
  const head = ['field', 'count', 'missing', ...FIGURES] as const;
  return { head, rows: stats.map((one) => head.map((name) => one[name])) };
}
