/** The figures of a column: its most frequent values, its spread, its share of rows without a value. */

import type { ComponentChildren } from 'preact';
import type { ColumnFigures, Stats } from '../../present/answer.ts';
import { valueText } from '../../present/chip.ts';
import { seriesOf } from '../../present/status.ts';
import { layersOf } from '../../present/timeline.ts';
import { countOf, shareOf } from '../../state/times.ts';
import type { LabelOf } from '../../state/view.ts';
import { type ColumnLook, columnOf } from '../../tables/tables.ts';
import { say } from '../../words/words.ts';
import { Bars } from '../controls/Bars.tsx';
import { cellValue } from './Cell.tsx';

interface Given extends ColumnFigures {
  /** The table. */
  readonly name: string;
  readonly column: string;
  readonly labelOf: LabelOf;
}

const BOX = { width: 400, height: 36 };

export function Figures({ name, column, labelOf, total, stats, facet, ...given }: Given) {
  const { histogram, isOwnLeftOut = false } = given;
  const none = facet?.values.find(({ value }) => value === null)?.count;
  const shown = columnOf(name, column);
  // Statistics leave out values of other types, too.
  const lack = stats ? (shown.look === 'date' ? 'No date' : 'No number') : 'Empty';
  const empty = stats?.missing ?? none ?? (facet && facet.rest === 0 ? 0 : undefined);
  // Counts without the column's own filters are no part of the rows that match.
  const share = isOwnLeftOut && !stats ? '' : ` (${shareOf(empty ?? 0, total)})`;
  const most = Math.max(1, ...(facet?.values ?? []).map(({ count }) => count));
  return (
    <div class="figures">
      {histogram && histogram.buckets.length > 0 && (
        <Bars
          layers={layersOf(histogram.buckets, seriesOf('nothing', []), BOX)}
          box={BOX}
          class="figures-bars"
        />
      )}
      {facet && (
        <ul>
          {facet.values.map(({ value, label, count }) => (
            <li class="figures-value" key={JSON.stringify(value)}>
              <span class="facet-bar" style={{ width: `${(count / most) * 100}%` }} />
              <span class="facet-text">
                {label ?? valueText(name, facet.field, value, labelOf)}
              </span>
              <span class="facet-count">{countOf(count)}</span>
            </li>
          ))}
        </ul>
      )}
      <dl>
        {stats && <Spread look={shown} stats={stats} />}
        {facet && <One title={say('Values')}>{countOf(facet.distinct)}</One>}
        {empty !== undefined && <One title={say(lack)}>{`${countOf(empty)}${share}`}</One>}
      </dl>
      {isOwnLeftOut && <p class="facet-none dim">{say('Counted without its own filters')}</p>}
    </div>
  );
}

function Spread({ look, stats }: { readonly look: ColumnLook; readonly stats: Stats }) {
  if (stats.count === 0) return null;
  const figures = [
    [say('Minimum'), stats.min],
    [say('Median'), stats.p50],
    ['p90', stats.p90],
    ['p95', stats.p95],
    ['p99', stats.p99],
    [say('Maximum'), stats.max],
  ] as const;
  return (
    <>
      {figures.map(([title, value]) => (
        <One key={title} title={title} bar={partOf(value, stats)}>
          {cellValue(look, value)}
        </One>
      ))}
    </>
  );
}

/** How far a number is on the way from the least to the greatest; dates have bars of their own. */
function partOf(value: unknown, { min, max }: Stats): number {
  const reach = Number(max) - Number(min);
  return reach > 0 ? (Number(value) - Number(min)) / reach : 0;
}

interface OneGiven {
  readonly title: string;
  /** Its length, from 0 to 1. */
  readonly bar?: number;
  readonly children: ComponentChildren;
}

function One({ title, bar = 0, children }: OneGiven) {
  return (
    <div class="figures-one" style={{ '--part': bar }}>
      <dt>{title}</dt>
      <dd class="figure">{children}</dd>
    </div>
  );
}
