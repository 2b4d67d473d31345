/**
 * The condition of one `--select`.
 *
 *     status=FAILURE,null   {"field": "status", "in": ["FAILURE", null]}
 *     worker!=worker-3      {"field": "worker", "not_in": ["worker-3"]}
 *     worker~gpu            {"field": "worker", "contains": "gpu"}
 *     worker!~gpu           {"field": "worker", "not_contains": "gpu"}
 *     date_done>=7d         {"field": "date_done", "from": "…seven days ago"}
 *     date_done=a..b        {"field": "date_done", "from": "a", "to": "b"}
 *     date_done=today       {"field": "date_done", "from": "…midnight", "to": "…the next"}
 *     execution_time>=2m    {"field": "execution_time", "from": 120}
 *     retries>3             {"field": "retries", "from": 3.0000000000000004}
 *     retries=3             {"field": "retries", "from": 3, "to": 3.0000000000000004}
 */
import {
  KINDS,
  MOST_DIGITS,
  nextAfter,
  type OwnField,
  secondsOf,
  type ViewSelect,
} from 'table-search/client';
import type { TableDescription } from '../tables.ts';
import { dayOf, instantOf, MOMENTS, momentOf } from './moment.ts';
import { refused, under } from './names.ts';
import { NUMBER, typed, UUID, type Value } from './values.ts';

/** A condition on one field. */
export interface Condition extends ViewSelect {
  readonly field: string;
}

const FORMS =
  'field=value,value  field!=value  field~text  field!~text  field>=from  field>from  field<to  field<=to  field=from..to';

const missing = (operator: string) =>
  operator === ''
    ? `write one of  ${FORMS}`
    : `a value must follow ${operator}; null and "" are values, too.`;

const WRITTEN = /^(?<field>[^\s!=<>~]+)(?<operator>!=|!~|>=|<=|~|>|<|=)(?<text>.*)$/s;

/** @throws CliError for a text that is no condition, and for a value that its field has no use for */
export function conditionOf(
  description: TableDescription,
  given: string,
  now: number,
  option = '--select',
): Condition {
  const refuse = (why: string) => refused(option, given, why);
  const { field = '', operator = '', text = '' } = WRITTEN.exec(given)?.groups ?? {};
  if (text === '') throw refuse(missing(operator));
  if (operator === '=' && text.startsWith('=')) {
    throw refuse(`write ${field}${text}; a value that begins with = is in quotes.`);
  }
  expectTaken(description, { field, operator, refuse });
  if (operator === '~') return { field, contains: text };
  if (operator === '!~') return { field, not_contains: text };
  const { ranges, values, columns, fields } = description;
  const range = under(ranges, field);
  const day = operator === '=' && range === 'date' ? dayOf(text, now) : undefined;
  if (day) return { field, ...day };
  const own = under(fields, field);
  const isValues = operator === '!=' || (operator === '=' && !text.includes('..'));
  const isListed = values.includes(field) && isValues;
  if ((operator !== '=' && operator !== '!=') || (range !== undefined && !isListed)) {
    if (range === undefined && values.includes(field)) {
      throw refuse(`${field} takes no range; write ${field}=value or ${field}!=value.`);
    }
    const isSeconds = own ? hasSeconds(own) : field === SECONDS;
    const told = { field, operator, text, isSeconds, type: own?.type, isDate: range === 'date' };
    return rangeOf({ ...told, now, refuse });
  }
  const kind = under(columns, field) ?? range ?? 'text';
  const read = own ? readOwn(own, now, refuse) : readBuiltIn(kind);
  const isTruth = (own ? KINDS[own.type] : kind) === 'boolean';
  const isCounted = own?.uses.includes('facet') === true;
  const listed = valuesOf(text, { read, isTruth, isCounted, refuse });
  return operator === '=' ? { field, in: listed } : { field, not_in: listed };
}

/** @throws CliError for an operator that the field has no use for; the service knows names best */
function expectTaken(
  { conditions, contains, values, ranges, fields }: TableDescription,
  { field, operator, refuse }: Pick<Told, 'field' | 'operator' | 'refuse'>,
): void {
  const label = fields?.[field]?.label_of;
  if (label && !operator.endsWith('~')) {
    throw refuse(`${field} is a text of ${label.table}: write ${field}~text or ${field}!~text.`);
  }
  if (label || ![...conditions, ...contains].includes(field)) return;
  const [isListed, hasRange] = [values.includes(field), ranges[field] !== undefined];
  if (!operator.endsWith('~')) {
    if (isListed || hasRange || !contains.includes(field)) return;
    throw refuse(`${field} has no values to compare; write ${field}~text or ${field}!~text.`);
  }
  if (contains.includes(field)) return;
  const forms = isListed ? `${field}=value or ${field}!=value` : rangeForms(field);
  throw refuse(`${field} takes no ${operator}; write ${forms}.`);
}

const rangeForms = (field: string) => `${field}>=from, ${field}<to or ${field}=from..to`;

/** The conditions of `--baseline`, where `all` adds none. */
export const baselineConditions = (given: readonly string[]): readonly string[] =>
  given.filter((one) => one !== 'all');

/** The only built-in field of seconds. */
const SECONDS = 'execution_time';

const hasSeconds = ({ type, look }: OwnField): boolean => (look ?? type) === 'seconds';

interface Told {
  readonly field: string;
  readonly operator: string;
  readonly text: string;
  /** Whether lengths of time are numbers of it. */
  readonly isSeconds: boolean;
  /** Undefined for fields of the built-in tables. */
  readonly type: OwnField['type'] | undefined;
  readonly isDate: boolean;
  readonly now: number;
  readonly refuse: (why: string) => Error;
}

const significant = (number: string) => number.replace(/^-?[0.]*|\./g, '').length;

/** The digits of a number, where decimals or large integers can lie between it and the next double. */
function besideDoubles(number: number | string, type: Told['type']): number | string {
  if (number === 0) return number;
  const digits = String(number);
  const hasOthers = type === 'decimal' || (type === 'number' && Number.isInteger(number));
  return hasOthers && NUMBER.test(digits) ? digits : number;
}

/** `field>=from`, `field<to`, `field=from..to`, `field=value`, and of numbers `field>from`, `field<=to`. */
function rangeOf(told: Told): Condition {
  const { field, operator, text, isDate, refuse } = told;
  if (operator === '>=') return { field, from: boundOf(told, text) };
  if (operator === '<') return { field, to: boundOf(told, text) };
  if (operator === '>' || operator === '<=') {
    if (isDate) {
      const other = operator === '>' ? '>=' : '<';
      throw refuse(`a range includes its start and excludes its end; write ${field}${other}…`);
    }
    const { to: next } = exactly(told);
    return operator === '>' ? { field, from: next } : { field, to: next };
  }
  if (text === 'null' && operator === '=') return { field, in: [null] };
  if (text === 'null' && operator === '!=') return { field, not_in: [null] };
  // Rows without a value would be missing among those outside of a range.
  if (operator === '!=') {
    const value = NUMBER.test(text) ? text : '…';
    const above = `${field}${isDate ? '>=' : '>'}${value}`;
    throw refuse(`${field} has ranges alone, and no !=; write ${field}<${value} or ${above}.`);
  }
  return { field, ...withinOf(told) };
}

/** `from..to`, or one value. */
function withinOf(told: Told): Pick<Condition, 'from' | 'to'> {
  const { field, text, isDate, refuse } = told;
  const [, from, to] = /^(.*?)\.\.(.*)$/s.exec(text) ?? [];
  if (to === undefined) {
    const one = isDate ? instantOf(text) : exactly(told);
    if (one) return one;
  }
  if (to === undefined || from + to === '') {
    const day = isDate ? ', or a day such as 2026-11-20' : '';
    throw refuse(`${field} takes a range: ${rangeForms(field)}${day}.`);
  }
  return { ...(from && { from: boundOf(told, from) }), ...(to && { to: boundOf(told, to) }) };
}

function boundOf({ field, isDate, isSeconds, now, refuse }: Told, text: string): string | number {
  const found = isDate
    ? momentOf(text, now)
    : (numberOf(text) ?? (isSeconds ? secondsOf(text) : undefined));
  if (found !== undefined) return found;
  if (isDate) throw refuse(`write a moment as ${MOMENTS}.`);
  if (isSeconds) throw refuse(`${field} takes seconds, such as 90, 90s, 2h or 1h30m.`);
  return text;
}

/** The range that holds this number alone. */
function exactly(told: Told): { readonly from: string | number; readonly to: string | number } {
  const { field, text, type, refuse } = told;
  const number = boundOf(told, text);
  if (typeof number === 'string') {
    if (!NUMBER.test(number)) throw refuse(`${field} takes one number here.`);
    if (significant(number) > MOST_DIGITS) throw refuse(`${MOST_DIGITS} digits are the most.`);
  }
  return { from: number, to: nextAfter(besideDoubles(number, type)) };
}

/** Stored UUIDs have lower case; people paste them as other programs show them. */
const readBuiltIn =
  (kind: string) =>
  (part: string): Value => {
    const value = typed(part, kind);
    return typeof value === 'string' && UUID.test(value) ? value.toLowerCase() : value;
  };

const readOwn =
  (field: OwnField, now: number, refuse: (why: string) => Error) =>
  (part: string): Value => {
    if (field.type === 'date') {
      if (dayOf(part, now)) throw refuse(`${part} is a day; write a moment, as 2026-11-20T08:00Z.`);
      return momentOf(part, now) ?? part;
    }
    return (hasSeconds(field) ? secondsOf(part) : undefined) ?? typed(part, KINDS[field.type]);
  };

/** Values between commas; `null` is null, and quotes hold text as JSON has it. */
function valuesOf(text: string, { read, isTruth, isCounted, refuse }: Reading): Value[] {
  const parts = text.match(/"(?:[^"\\]|\\.)*"(?=,|$)|[^,]+/g) ?? [];
  return parts.flatMap((part) => {
    if (part.startsWith('"')) {
      try {
        return JSON.parse(part) as string;
      } catch {
        throw refuse(`${part} is no JSON text; write one such as "a, b".`);
      }
    }
    if (part === 'null') return null;
    const value = read(part);
    if (isTruth && typeof value === 'string') throw refuse('write true or false.');
    return isCounted && typeof value === 'string' ? [value, ...alike(part)] : value;
  });
}

/** The number or truth that shows as this text: a field of texts may hold it, and a facet lists it. */
const alike = (text: string): readonly Value[] =>
  ['number', 'boolean']
    .map((kind) => typed(text, kind))
    .filter((value) => typeof value !== 'string' && String(value) === text);

/** How the values of a field are read. */
interface Reading {
  readonly read: (part: string) => Value;
  readonly isTruth: boolean;
  /** Whether the field's facet lists values of other types as well. */
  readonly isCounted: boolean;
  readonly refuse: (why: string) => Error;
}

/** Text where a number would lose digits. */
function numberOf(text: string): number | string | undefined {
  const read = typed(text, 'number');
  return typeof read === 'number' || NUMBER.test(text) ? (read as number | string) : undefined;
}
