/** The line above the bars: a date field, a range, another range to compare with, the rows of the tallest bar. */
import type { ComponentChildren } from 'preact';
import { useEffect, useRef } from 'preact/hooks';
import type { Span } from '../../../clients/typescript/viewAddress.ts';
import { prefer } from '../../data/preferences.ts';
import { conditions, go, table, time, total, view } from '../../data/store.ts';
import { stepText } from '../../present/timeline.ts';
import { changeOf, countOf } from '../../state/times.ts';
import { asking, isOn, withCondition, withoutCondition } from '../../state/view.ts';
import { fieldTitle } from '../../tables/tables.ts';
import { say } from '../../words/words.ts';
import { Icon } from '../controls/Icon.tsx';
import { CompareSelect } from './CompareSelect.tsx';

const SPAN_CHOICES: readonly Span[] = ['1h', '24h', '7d', '30d', '365d', 'today'];

interface HeadGiven {
  readonly missing: number;
  readonly interval: string;
  /** How many rows the tallest bar stands for. */
  readonly most: number;
  /** How many rows these are compared with. */
  readonly before: number | undefined;
  readonly isFolded: boolean;
  readonly children: ComponentChildren;
}

export function TimelineHead({ missing, interval, most, before, isFolded, children }: HeadGiven) {
  const { times } = table.value.description;
  const range = rangeShown();
  const spans = useRef<HTMLFieldSetElement>(null);
  const pressed = range?.kind === 'span' ? range.span : range?.kind;
  // On a phone not all have room: the pressed one is in sight, and a part of the one before it.
  useEffect(() => {
    const { current: list } = spans;
    const on = list?.querySelector<HTMLElement>('[aria-pressed=true]');
    if (on) list!.scrollLeft = on.offsetLeft - list!.offsetLeft - 24;
  }, [pressed]);
  return (
    <div class="timeline-head">
      <button
        type="button"
        class="timeline-fold"
        aria-expanded={!isFolded}
        aria-label={say('Timeline')}
        title={say(isFolded ? 'Show timeline' : 'Hide timeline')}
        onClick={() => prefer({ timeline: isFolded })}
      >
        <Icon name={isFolded ? 'right' : 'down'} size={13} />
      </button>
      {times.length > 1 ? (
        <select
          class="select is-small"
          aria-label={say('Date field')}
          value={time.value}
          onChange={({ currentTarget }) => go({ ...view.value, time: currentTarget.value })}
        >
          {times.map((one) => (
            <option value={one} key={one}>
              {fieldTitle(table.value.name, one)}
            </option>
          ))}
        </select>
      ) : (
        <span class="dim">{fieldTitle(table.value.name, time.value!)}</span>
      )}
      <fieldset class="spans" ref={spans}>
        <legend class="hidden">{say('Time range')}</legend>
        <button type="button" class="span" aria-pressed={range === undefined} onClick={clearRange}>
          {say('All')}
        </button>
        {SPAN_CHOICES.map((span) => (
          <button
            type="button"
            class="span"
            key={span}
            aria-pressed={range?.kind === 'span' && range.span === span}
            onClick={() => setSpan(span)}
          >
            {say(span === 'today' ? 'Today' : span)}
          </button>
        ))}
      </fieldset>
      <CompareSelect />
      {!isFolded && children}
      <span class="dim timeline-scale figure">
        {before !== undefined && (
          <strong class="change">{changeOf(total.value ?? 0, before)} </strong>
        )}
        {[
          before !== undefined
            ? say('from {n}', { n: countOf(before) })
            : !isFolded &&
              most > 0 &&
              say('{step}, up to {n} each', { step: stepText(interval), n: countOf(most) }),
          missing > 0 && say('{n} without a date', { n: countOf(missing) }),
        ]
          .filter(Boolean)
          .join(' · ')}
      </span>
    </div>
  );
}

const rangeShown = () =>
  conditions.value.find((one) => isOn(one, time.value ?? '') && one.kind !== 'values');

const setSpan = (span: Span) =>
  go(
    asking(view.value, {
      conditions: withCondition(view.value.conditions, { kind: 'span', field: time.value!, span }),
    }),
  );

function clearRange(): void {
  const range = rangeShown();
  if (range) {
    go(asking(view.value, { conditions: withoutCondition(view.value.conditions, range) }));
  }
}
