/** The line above the bars: a date field, a range, another range to compare with, the rows of the tallest bar. */
import type { ComponentChildren } from 'preact';
import { useEffect, useRef } from 'preact/hooks';
import type { Span } from '../../../clients/typescript/viewAddress.ts';
import { SPAN_CHOICES, stepText } from '../../present/timeline.ts';
import { changeOf, countOf } from '../../state/times.ts';
import type { Condition } from '../../state/view.ts';
import { fieldTitle, type Table } from '../../tables/tables.ts';
import { say } from '../../words/words.ts';
import { Icon } from '../controls/Icon.tsx';

/** The shown time, and its controls. */
export interface TimeGiven {
  readonly table: Table;
  /** The date field. */
  readonly date: string;
  /** The condition on it, if there is one of a range. */
  readonly range: Condition | undefined;
  /** How many rows match, where that is compared. */
  readonly total: number | undefined;
  readonly isFolded: boolean;
  /** The choice of a baseline. */
  readonly compare: ComponentChildren;
  readonly fold: (isFolded: boolean) => void;
  readonly setDate: (field: string) => void;
  /** Undefined: all times. */
  readonly setSpan: (span: Span | undefined) => void;
}

interface HeadGiven extends TimeGiven {
  readonly missing: number;
  readonly interval: string;
  /** How many rows the tallest bar stands for. */
  readonly most: number;
  /** How many rows these are compared with. */
  readonly before: number | undefined;
  readonly children: ComponentChildren;
}

export function TimelineHead(given: HeadGiven) {
  const { table, date, range, total, missing, interval, most, before, isFolded } = given;
  const { times } = table.description;
  const title = fieldTitle(table.name, date);
  const spans = useRef<HTMLFieldSetElement>(null);
  /** Undefined: all times. */
  const pressed = range?.kind === 'span' ? range.span : range?.kind;
  // On a phone not all have room: the pressed one is in sight, and a part of the one before it.
  useEffect(() => {
    const { current: list } = spans;
    const on = list?.querySelector<HTMLElement>('[aria-pressed=true]');
    if (on) list!.scrollLeft = on.offsetLeft - list!.offsetLeft - 24;
  }, [pressed]);
  const change = before === undefined ? '' : changeOf(total ?? 0, before);
  const scale = [
    before !== undefined
      ? say('from {n}', { n: countOf(before) })
      : !isFolded &&
        most > 0 &&
        say('{step}, up to {n} each', { step: stepText(interval), n: countOf(most) }),
    // In a range there are none of them.
    missing > 0 && !range && say('{n} without a date', { n: countOf(missing) }),
  ]
    .filter(Boolean)
    .join(' · ');
  return (
    <div class="timeline-head">
      <button
        type="button"
        class="timeline-fold"
        aria-expanded={!isFolded}
        aria-label={say('Timeline')}
        title={say(isFolded ? 'Show timeline' : 'Hide timeline')}
        onClick={() => given.fold(!isFolded)}
      >
        <Icon name={isFolded ? 'right' : 'down'} size={13} />
      </button>
      {times.length > 1 ? (
        <select
          class="select is-small"
          aria-label={say('Date field')}
          value={date}
          onChange={({ currentTarget }) => given.setDate(currentTarget.value)}
        >
          {times.map((one) => (
            <option value={one} key={one}>
              {fieldTitle(table.name, one)}
            </option>
          ))}
        </select>
      ) : (
        <span class="dim timeline-field" title={title}>
          {title}
        </span>
      )}
      <fieldset class="spans" ref={spans}>
        <legend class="hidden">{say('Time range')}</legend>
        {[undefined, ...SPAN_CHOICES].map((span) => (
          <button
            type="button"
            class="span"
            key={span}
            aria-pressed={pressed === span}
            onClick={() => given.setSpan(span)}
          >
            {say(span === 'today' ? 'Today' : (span ?? 'All'))}
          </button>
        ))}
      </fieldset>
      {given.compare}
      {!isFolded && given.children}
      <span
        class={`dim timeline-scale figure ${change ? 'is-compared' : ''}`}
        title={[change, scale].filter(Boolean).join(' ')}
      >
        {change && <strong class="change">{change} </strong>}
        {scale}
      </span>
    </div>
  );
}
