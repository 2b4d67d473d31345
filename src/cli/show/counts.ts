/** Counts by value and by time: bars on a terminal, tab-separated lines in a pipe. */
import type { Facet, Histogram } from 'table-search/client';
import { csvText } from './csv.ts';
import { clipped, oneLine, type Paint, padded, widthOf } from './terminal.ts';

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

const nameOf = ({ value, label }: Facet['values'][number]): string =>
  oneLine(label ?? (value === null ? '–' : String(value)));

const grouped = (count: number) => count.toLocaleString('en-US');

/** How counts are drawn: the styles, and the cells of a line. */
export interface Drawing {
  readonly paint: Paint;
  readonly width: number;
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

export function facetText({ field, values, distinct, rest }: Facet, drawing: Drawing): string {
  const { paint } = drawing;
  const more = rest > 0 ? paint('dim', `\n  ${grouped(rest)} in the others`) : '';
  const count = `${grouped(distinct)} ${distinct === 1 ? 'value' : 'values'}`;
  const lines = barLines(
    values.map((one) => [nameOf(one), one.count]),
    drawing,
  );
  return `${paint('bold', field)}  ${paint('dim', count)}\n${lines}${more}\n`;
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
function countRows(facets: readonly Facet[], histogram: Histogram | undefined) {
  const rows = facets.flatMap(({ field, values }) =>
    values.map(({ value, label, count }) => [field, value, label ?? null, count] as const),
  );
  const times = (histogram?.buckets ?? []).map(
    ({ start, end, count }) => [histogram!.field, start, end, count] as const,
  );
  return [...rows, ...times];
}

const HEAD = ['field', 'value', 'label_or_end', 'count'];

export function plainCounts(facets: readonly Facet[], histogram: Histogram | undefined): string {
  const rows = countRows(facets, histogram).map((row) =>
    row.map((cell) => (cell === null ? '' : oneLine(String(cell)))).join('\t'),
  );
  return `${[HEAD.join('\t'), ...rows].join('\n')}\n`;
}

export function csvCounts(facets: readonly Facet[], histogram: Histogram | undefined): string {
  return csvText(HEAD, countRows(facets, histogram));
}
