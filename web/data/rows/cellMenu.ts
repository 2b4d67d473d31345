/**
 * The menu of one value, in a row or in the open record: rows with it alone, rows without it, its text, and
 * where it leads. The menu keeps the row as it was when it was opened.
 */

import { effect, signal } from '@preact/signals';
import {
  exactly,
  type FieldCondition,
  nextAfter,
  numberOf,
  type ViewValue,
} from '../../../clients/typescript/viewAddress.ts';
import type { Row } from '../../present/answer.ts';
import { valueText } from '../../present/chip.ts';
import type { Deed, Spot } from '../../present/deeds.ts';
import type { FieldKind } from '../../query/language.ts';
import { withRow } from '../../state/address.ts';
import { durationOf, isMoment, momentOf } from '../../state/times.ts';
import {
  type Condition,
  choiceOf,
  isOn,
  outside,
  toggled,
  type View,
  withCondition,
} from '../../state/view.ts';
import {
  columnOf,
  columnTitle,
  fieldOf,
  isExactNumber,
  tableOf,
  tableTitle,
} from '../../tables/tables.ts';
import { say } from '../../words/words.ts';
import { vocabulary } from '../box/box.ts';
import { labelOf } from '../box/understanding.ts';
import { copy, copyLink } from '../copy.ts';
import { isAdmin } from '../service/session.ts';
import { ask, go, keyOf, rowsAddress, table, view } from '../store.ts';

export interface CellOf {
  readonly row: Row;
  readonly column: string;
}

/** The value whose menu is open, the place where it was opened, and the element that gets the focus back. */
export const cellMenu = signal<
  { readonly cell: CellOf; readonly at: Spot; readonly from: HTMLElement } | undefined
>(undefined);
// Its row may be none of another view.
effect(() => {
  view.value;
  cellMenu.value = undefined;
});

/** `Status: Failure` */
export function cellTitle({ row, column }: CellOf): string {
  const { name } = table.peek();
  return `${columnTitle(name, column)}: ${textOf(row[column], column)}`;
}

export function deedsOf(cell: CellOf): readonly Deed[] {
  const { row, column } = cell;
  const text = copied(row[column]);
  const address = withRow(rowsAddress.peek(), keyOf(row));
  return [
    ...filtersOf(cell),
    ...(text === '' ? [] : [{ title: say('Copy value'), act: () => void copy(text) }]),
    { title: say('Copy link'), act: () => copyLink(address) },
    ...leadsOf(cell),
    { title: say('Open in a new tab'), act: () => void open(address, '_blank') },
  ];
}

/** The field that filters by the column: another one where the column shows a name for it. */
function filterOf({ row, column }: CellOf) {
  const { of } = columnOf(table.peek().name, column);
  const field = of ?? fieldOf(table.peek(), column);
  const kind = vocabulary().fields[field];
  return kind && { kind, value: row[of ?? column] };
}

function filtersOf(cell: CellOf): Deed[] {
  const found = filterOf(cell);
  if (!found || found.value === undefined) return [];
  const { kind, value } = found;
  const isRanged = kind.takes === 'number' || kind.takes === 'seconds' || kind.takes === 'date';
  if (!isRanged || kind.isCounted || value === null) return byValue(kind, value, cell.column);
  if (kind.takes === 'date') return isMoment(value) ? byDate(kind, value) : [];
  // Without a facet the field takes numbers alone, and a text in it finds nothing.
  const takes = (one: unknown) => one === null || numberIn(one, kind.field) !== undefined;
  if (kind.isListed) return [value].flat().every(takes) ? byValue(kind, value, cell.column) : [];
  const number = numberIn(value, kind.field);
  if (number === undefined) return [];
  const what = textOf(value, cell.column, kind.field);
  const range = { kind: 'range', field: kind.field } as const;
  const itself = onlyOrNot(what, { ...range, ...exactly(number) });
  // A name for people is neither more nor less than another one.
  if (columnOf(table.peek().name, cell.column).of !== undefined) return itself;
  return [
    ...itself,
    only(say('{what} or more', { what }), { ...range, from: number }),
    only(say('{what} or less', { what }), { ...range, to: nextAfter(number) }),
  ];
}

function numberIn(value: unknown, field: string): number | string | undefined {
  if (typeof value === 'number') return value;
  const isExact = typeof value === 'string' && isExactNumber(table.peek(), field, value);
  return isExact ? numberOf(value) : undefined;
}

const only = (title: string, condition: Condition & { readonly field: string }): Deed => ({
  title,
  act: () => {
    const { conditions } = view.peek();
    const others = conditions.filter((one) => !isOn(one, condition.field));
    ask({ conditions: withCondition(others, condition) });
  },
});

function byValue({ field }: FieldKind, value: unknown, column: string): Deed[] {
  const values = (Array.isArray(value) ? value : [value]) as ViewValue[];
  if (values.length === 0 || values.some((one) => typeof one === 'object' && one !== null))
    return [];
  const what = brief(values.map((one) => textOf(one, column, field)).join(', '));
  const isOne = values.length === 1;
  return [
    only(isOne ? say('Only {what}', { what }) : say('One of {what}', { what }), {
      ...{ kind: 'values', field, not: false, values },
    }),
    {
      title: isOne ? say('Not {what}', { what }) : say('None of {what}', { what }),
      act: () => exclude(field, values),
    },
  ];
}

function exclude(field: string, values: readonly ViewValue[]): void {
  const conditions = values.reduce(
    (all, one) => (choiceOf(all, field, one) === 'out' ? all : toggled(all, field, one, true)),
    view.peek().conditions,
  );
  ask({ conditions });
}

/** Rows with this range alone, and rows with a value outside of it. */
function onlyOrNot(what: string, range: FieldCondition & { readonly kind: 'range' }): Deed[] {
  const not = () => {
    const conditions = withCondition(view.peek().conditions, outside(range, new Date()));
    ask({ conditions });
  };
  return [
    only(say('Only {what}', { what }), range),
    { title: say('Not {what}', { what }), act: not },
  ];
}

function byDate({ field }: FieldKind, date: string): Deed[] {
  const at = new Date(date);
  const [first, next] = [new Date(at), new Date(at)];
  first.setHours(0, 0, 0, 0);
  next.setHours(24, 0, 0, 0);
  const range = { kind: 'range', field } as const;
  const from = first.toISOString();
  const when = momentOf(date);
  return [
    ...onlyOrNot(when.split(' ')[0]!, { ...range, from, to: next.toISOString() }),
    only(say('From {what} on', { what: when }), { ...range, from: at.toISOString() }),
    only(say('Before {what}', { what: when }), { ...range, to: at.toISOString() }),
  ];
}

/** Where the value leads, and rows elsewhere that have it. */
function leadsOf({ row, column }: CellOf): Deed[] {
  const { lead, related } = table.peek();
  const to = lead(row, column);
  const field = filterOf({ row, column })?.kind.field;
  // Conditions before the last only keep to the row's project.
  const same = related(row, isAdmin.peek()).filter(({ to }) => {
    const last = to.conditions.at(-1);
    if (field === undefined || last?.kind !== 'values' || !isOn(last, field)) return false;
    // Another table's field may have the same name.
    return last.values.includes(row[field] as ViewValue);
  });
  const opens = (title: string, to: View): Deed => ({ title, act: () => go(to) });
  return [
    ...(to ? [opens(openText(to.table), to)] : []),
    ...same.map(({ title, to }) => opens(say(title), to)),
  ];
}

/** A row of a table of one's own has no word but `row`, which the one with the menu is too. */
function openText(name: string): string {
  const { one } = tableOf(name);
  return one === 'row'
    ? say('Open in {what}', { what: tableTitle(name) })
    : say('Open {what}', { what: say(one) });
}

/** A value as the table shows it, cut short. */
function textOf(value: unknown, column: string, field = column): string {
  const { name } = table.peek();
  const { look } = columnOf(name, column);
  if (look === 'date' && isMoment(value)) return momentOf(value);
  if (look === 'seconds' && typeof value === 'number') return durationOf(value);
  const isPlain = typeof value !== 'object' || value === null;
  return brief(isPlain ? valueText(name, field, value as ViewValue, labelOf) : copied(value));
}

function brief(text: string): string {
  if (text.length <= MOST_LETTERS) return text;
  // Not the half of a letter that has two parts.
  return `${text.slice(0, MOST_LETTERS - 1).replace(/[\ud800-\udbff]$/, '')}…`;
}

const MOST_LETTERS = 40;

function copied(value: unknown): string {
  if (value === null || value === undefined) return '';
  if (typeof value !== 'object') return String(value);
  const isPlain = Array.isArray(value) && value.every((one) => typeof one !== 'object');
  return isPlain ? value.join(', ') : JSON.stringify(value, null, 2);
}
