/** Conditions in words, as chips show them. */
import { boundText } from '../state/times.ts';
import type { Condition, LabelOf, TableName, Value } from '../state/view.ts';
import { columnOf, fieldTitle } from '../tables/tables.ts';
import { say } from '../words/words.ts';

export function valueText(table: TableName, field: string, value: Value, labelOf: LabelOf): string {
  if (value === null) return say('None');
  if (typeof value === 'boolean') return say(value ? 'Yes' : 'No');
  const word = columnOf(table, field).words?.[value];
  return word === undefined ? (labelOf(field, value) ?? String(value)) : say(word);
}

export function chipText(
  table: TableName,
  one: Condition,
  labelOf: LabelOf,
): { readonly field: string; readonly is: string; readonly value: string } {
  const field = fieldTitle(table, one.field);
  if (one.kind === 'span') {
    const word = one.span === 'today' || one.span === 'yesterday';
    return { field, is: '', value: word ? say(one.span) : say('last {span}', { span: one.span }) };
  }
  if (one.kind === 'range') return { field, is: '', value: rangeText(one.from, one.to) };
  const [first, ...more] = one.values.map((value) => valueText(table, one.field, value, labelOf));
  const value =
    more.length > 2
      ? say('{first} and {n} more', { first: first!, n: more.length })
      : [first, ...more].join(', ');
  return { field, is: one.not ? say('not') : '', value };
}

function rangeText(from: string | number | undefined, to: string | number | undefined): string {
  if (typeof from === 'number' && to === from + 1) return String(from);
  if (from === undefined) return say('before {when}', { when: boundText(to!) });
  if (to === undefined) return say('from {when}', { when: boundText(from) });
  return `${boundText(from)} – ${boundText(to)}`;
}
