/** One value of a record, as its column looks. */
import type { JSX } from 'preact';
import { preferences } from '../data/preferences.ts';
import { now, typeLabels } from '../data/ticking.ts';
import { partsOf } from '../present/highlight.ts';
import { ageOf, countOf, durationOf, momentOf } from '../state/times.ts';
import type { Look } from '../tables/tables.ts';
import { Icon } from './Icon.tsx';
import { StatusMark } from './StatusMark.tsx';

interface Given {
  readonly look: Look;
  readonly value: unknown;
  /** Marks what was searched for, in columns that are searched. */
  readonly finder: RegExp | undefined;
}

export function CellValue({ look, value, finder }: Given): JSX.Element {
  if (value === null || value === undefined || value === '') {
    return <span class="none">–</span>;
  }
  switch (look) {
    case 'status':
      return <StatusMark status={value} />;
    case 'date':
      return <Moment date={String(value)} />;
    case 'seconds':
      return <span class="figure">{durationOf(Number(value))}</span>;
    case 'number':
      return (
        <span class="figure">
          <Marked
            text={typeof value === 'number' ? String(value) : textOf(value)}
            finder={finder}
          />
        </span>
      );
    case 'flag':
      return value === true ? (
        <span class="flag">
          <Icon name="keep" size={13} /> kept
        </span>
      ) : (
        <span class="none">–</span>
      );
    case 'switch':
      return <Switch on={value === true} />;
    case 'exception':
      return (
        <span class="exception">
          <Marked text={textOf(value)} finder={finder} />
        </span>
      );
    case 'type':
      return <Marked text={typeLabels.value.get(String(value)) ?? textOf(value)} finder={finder} />;
    case 'people':
      return <People value={value} finder={finder} />;
    case 'list':
      return (
        <Marked text={Array.isArray(value) ? value.join(', ') : textOf(value)} finder={finder} />
      );
    case 'id':
    case 'code':
    case 'json':
      return (
        <span class="mono">
          <Marked text={textOf(value)} finder={finder} />
        </span>
      );
    default:
      return <Marked text={textOf(value)} finder={finder} />;
  }
}

const textOf = (value: unknown): string =>
  typeof value === 'object' ? JSON.stringify(value) : String(value);

export function Marked({
  text,
  finder,
}: {
  readonly text: string;
  readonly finder: RegExp | undefined;
}) {
  if (!finder) return <>{text}</>;
  return (
    <>{partsOf(text, finder).map((part) => (part.hit ? <mark>{part.text}</mark> : part.text))}</>
  );
}

/** An age, with the moment as its title; or the moment, with the age. */
function Moment({ date }: { readonly date: string }) {
  const moment = momentOf(date);
  const age = ageOf(date, now.value);
  const relative = preferences.value.times === 'relative';
  return (
    <time class="figure" dateTime={date} title={relative ? moment : age}>
      {relative ? age : moment}
    </time>
  );
}

function Switch({ on }: { readonly on: boolean }) {
  return (
    <span class={`switch ${on ? 'is-on' : 'is-off'}`}>
      <span class="switch-knob" />
      {on ? 'on' : 'off'}
    </span>
  );
}

function People({
  value,
  finder,
}: {
  readonly value: unknown;
  readonly finder: RegExp | undefined;
}) {
  const people = Array.isArray(value) ? (value as { email: string | null }[]) : [];
  const text = people.map(({ email }) => email ?? '').join(', ');
  return (
    <>
      <span class="count">{countOf(people.length)}</span> <Marked text={text} finder={finder} />
    </>
  );
}
