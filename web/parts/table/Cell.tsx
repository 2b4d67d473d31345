/** One value of a record, as its column looks. */
import type { JSX } from 'preact';
import { linkOf } from '../../../clients/typescript/looks.ts';
import { partsOf } from '../../present/highlight.ts';
import { now, times, typeLabels } from '../../state/surroundings.ts';
import {
  ageOf,
  bytesOf,
  countOf,
  durationOf,
  isMoment,
  momentOf,
  moneyOf,
  whenOf,
} from '../../state/times.ts';
import type { ColumnLook, Look } from '../../tables/tables.ts';
import { say } from '../../words/words.ts';
import { Icon } from '../controls/Icon.tsx';
import { StatusMark } from '../controls/StatusMark.tsx';

type CellLook = Pick<ColumnLook, 'look' | 'detail' | 'words' | 'isTruth'>;

/**
 * No component of its own, nor made of any: there are hundreds, and each would cost more than its content.
 *
 * @param finder marks the matches, in columns that are searched
 * @param most letters of a text that show; all of them where it is undefined
 */
export function cellValue(
  { look, detail, words, isTruth }: CellLook,
  value: unknown,
  finder?: RegExp,
  most?: number,
): JSX.Element {
  const text = () => marked(textOf(value), finder, most);
  if (value === null || value === undefined || isEmptyList(look, value)) {
    return <span class="none">–</span>;
  }
  // A condition on it finds other rows than one on no value.
  if (value === '') return <span class="none">{say('Empty text')}</span>;
  switch (look) {
    case 'status': {
      const mark = (one: unknown) =>
        StatusMark({ status: typeof one === 'boolean' && !isTruth ? String(one) : one, words });
      return Array.isArray(value) ? <span class="statuses">{value.map(mark)}</span> : mark(value);
    }
    case 'date':
      return isMoment(value) ? moment(value) : text();
    case 'number':
      return number(figureText(look, value), finder);
    case 'seconds':
    case 'bytes':
    case 'money':
      return <span class="figure">{figureText(look, value, detail)}</span>;
    case 'truth':
      return typeof value === 'boolean' ? truth(value) : text();
    case 'link':
      return linked(textOf(value), detail, text());
    case 'flag':
      return value === true ? (
        <span class="flag">
          <Icon name="keep" size={13} /> {say('preserved')}
        </span>
      ) : (
        <span class="none">–</span>
      );
    case 'exception':
      return <span class="exception">{text()}</span>;
    case 'type':
      return marked(typeLabels.value.get(String(value)) ?? textOf(value), finder);
    case 'people':
      return people(value, finder);
    case 'list':
      return Array.isArray(value) ? marked(value.map(textOf).join(', '), finder, most) : text();
    case 'id':
    case 'code':
    case 'json':
      return <span class="mono">{text()}</span>;
    default:
      return text();
  }
}

/** Looks that stand to the right, so that their digits compare. */
const FIGURES = ['number', 'seconds', 'bytes', 'money'] as const;
type Figure = (typeof FIGURES)[number];

export const isFigure = (look: Look): look is Figure => (FIGURES as readonly Look[]).includes(look);

function figureText(look: Figure, value: unknown, detail?: string): string {
  if (look === 'money') return moneyOf(value, detail) ?? textOf(value);
  if (typeof value !== 'number') return textOf(value);
  if (look === 'seconds') return durationOf(value);
  return look === 'bytes' ? bytesOf(value) : String(value);
}

/** A number of more signs may be cut in a narrow column, and would then be another one. */
const SHORT = 4;

/** A value that a cell may cut, whole. */
export function cellTitle({ look, detail }: CellLook, value: unknown): string | undefined {
  const isText = typeof value === 'string';
  if (!isText && typeof value !== 'number') return undefined;
  if (isFigure(look)) {
    const text = figureText(look, value, detail);
    return text.length > SHORT ? text : undefined;
  }
  return isText && value.length > 14 && !/^\d{4}-\d\d-\d\dT/.test(value) ? value : undefined;
}

const isEmptyList = (look: CellLook['look'], value: unknown) =>
  (look === 'list' || look === 'status') && Array.isArray(value) && value.length === 0;

const textOf = (value: unknown): string =>
  typeof value === 'object' || value === '' ? JSON.stringify(value) : String(value);

/** The first half of a character. */
const HALF = /[\uD800-\uDBFF]$/;

export function marked(whole: string, finder: RegExp | undefined, most?: number): JSX.Element {
  const isCut = most !== undefined && whole.length > most;
  const text = isCut ? `${whole.slice(0, most).replace(HALF, '')}…` : whole;
  if (!finder) return <>{text}</>;
  return (
    <>{partsOf(text, finder).map((part) => (part.hit ? <mark>{part.text}</mark> : part.text))}</>
  );
}

/** A narrow column cuts its digits, and never the power of ten behind them. */
function number(text: string, finder: RegExp | undefined): JSX.Element {
  const [, digits, power] = /^(-?[\d.]+)(e[+-]?\d+)$/i.exec(text) ?? [];
  if (digits === undefined) return <span class="figure">{marked(text, finder)}</span>;
  return (
    <span class="figure">
      <span class="digits">{marked(digits, finder)}</span>
      <span>{power}</span>
    </span>
  );
}

/** An address is a link; any other text, such as a script, stays text. */
function linked(value: string, template = '{value}', text: JSX.Element): JSX.Element {
  const address = linkOf(template, value);
  if (address === undefined) return text;
  return (
    <a class="link" href={address} target="_blank" rel="noopener noreferrer" tabIndex={-1}>
      {text}
    </a>
  );
}

/** An age or day, with the moment as its title; or the moment, with the age. */
function moment(date: string): JSX.Element {
  const moment = momentOf(date);
  const relative = times.value === 'relative';
  return (
    <time class="figure" dateTime={date} title={relative ? moment : ageOf(date, now.value)}>
      {relative ? whenOf(date, now.value) : moment}
    </time>
  );
}

function truth(is: boolean): JSX.Element {
  return (
    <span class={`truth ${is ? 'is-on' : ''}`}>
      <Icon name={is ? 'check' : 'cross'} size={13} /> {say(is ? 'Yes' : 'No')}
    </span>
  );
}

function people(value: unknown, finder: RegExp | undefined): JSX.Element {
  const people = Array.isArray(value) ? (value as { email: string | null }[]) : [];
  const text = people.map(({ email }) => email ?? '').join(', ');
  return (
    <>
      <span class="count">{countOf(people.length)}</span> {marked(text, finder)}
    </>
  );
}
