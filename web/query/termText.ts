/** Conditions as text for the search box: the inverse of `parseQuery` and `meaningOf`. */
import {
  type FieldCondition,
  isNumeric,
  type ViewValue,
} from '../../clients/typescript/viewAddress.ts';
import { type Ends, endsOf } from '../state/numbers.ts';
import { inQuotes, wordText } from '../state/searchText.ts';
import { dayOf, isDayStart, minuteOf } from '../state/times.ts';
import type { Condition, LabelOf } from '../state/view.ts';
import { type FieldKind, quoted, readsOtherwise, type Vocabulary } from './language.ts';

export function termText(one: Condition, vocabulary: Vocabulary, labelOf: LabelOf): string {
  if (one.kind === 'any') {
    const members = one.of.map((each) =>
      each.kind === 'text' ? wordText(each) : termText(each, vocabulary, labelOf),
    );
    return members.join(' or ');
  }
  const name = nameOf(one.field, vocabulary);
  if (one.kind === 'contains') return `${one.not ? '-' : ''}${name}~${quoted(one.text)}`;
  if (one.kind === 'span') return `${name}:${one.span}`;
  if (one.kind === 'range') {
    return `${name}:${rangeText(one, vocabulary.fields[name]?.takes === 'seconds')}`;
  }
  const kind = vocabulary.fields[name];
  // The service finds values by their names where it counts them.
  const nameFor = (value: ViewValue) =>
    kind?.takes === 'values' ? labelOf(one.field, value) : undefined;
  const values = one.values.map((value) => valueText(value, nameFor(value), kind));
  return `${one.not ? '-' : ''}${name}:${values.join(',')}`;
}

/** @param kind of the field: a text that would read as a value of another type has quotes */
export function valueText(value: ViewValue, label?: string, kind?: FieldKind): string {
  if (value === null) return 'none';
  if (label !== undefined) return quoted(label);
  if (kind && typeof value === 'string' && readsOtherwise(kind, value)) return inQuotes(value);
  if (typeof value === 'boolean' && kind?.takes !== 'values') return value ? 'yes' : 'no';
  return quoted(String(value));
}

/** The first name that the field has: the shortest. */
const nameOf = (field: string, { fields }: Vocabulary): string =>
  Object.keys(fields).find((name) => fields[name]!.field === field) ?? field;

function rangeText({ from, to }: FieldCondition & { kind: 'range' }, isSeconds: boolean): string {
  if (isNumeric(from) || isNumeric(to)) {
    // A number with a sign or a power of ten has no unit.
    return numbersText(endsOf({ from, to }), (number) =>
      isSeconds && /^[\d.]+$/.test(String(number)) ? `${number}s` : String(number),
    );
  }
  if (to === undefined) return `>=${firstText(String(from))}`;
  if (from === undefined) return `<${firstText(String(to))}`;
  const [first, last] = [firstText(String(from)), lastText(String(to))];
  return first === last ? first : `${first}..${last}`;
}

function numbersText(
  { first, last, only }: Ends,
  textOf: (number: number | string) => string,
): string {
  if (only !== undefined) return textOf(only);
  const [from, to] = [first, last].map((one) => one && textOf(one.number));
  if (first && last) return `${first.isAfter ? '>' : ''}${from}..${last.isAfter ? '' : '<'}${to}`;
  return first ? `${first.isAfter ? '>' : '>='}${from}` : `${last!.isAfter ? '<=' : '<'}${to}`;
}

/** The day, minute or moment that begins there. */
const firstText = (from: string): string => wholeText(from, 0) ?? new Date(from).toISOString();

/** The day, minute or moment that ends there. */
const lastText = (to: string): string =>
  wholeText(to, 1) ?? new Date(Date.parse(to) - 1).toISOString();

/** The day or minute that begins at a moment, or ends there; undefined where none does. */
function wholeText(moment: string, before: 0 | 1): string | undefined {
  const at = new Date(moment);
  if (isDayStart(at)) return dayOf(new Date(at.getTime() - before));
  const minute = new Date(at.getTime() - before * 60_000);
  const named = new Date(minute);
  named.setHours(minute.getHours(), minute.getMinutes(), 0, 0);
  // A second and an hour that the clock shows twice have no shorter name.
  if (named.getTime() !== minute.getTime()) return undefined;
  return minuteOf(minute).replace(' ', 'T');
}
