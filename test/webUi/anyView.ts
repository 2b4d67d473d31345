/** Views at random: all that an address of the web UI can hold. */

import fc from 'fast-check';
import { type FieldCondition, nextAfter, numberOf } from '../../clients/typescript/viewAddress.ts';
import type { PageFields } from '../../web/state/address.ts';
import { textOf, wordsIn } from '../../web/state/searchText.ts';
import { anyOf, type Condition, type TableName, withCondition } from '../../web/state/view.ts';
import { addressFields, TABLES, tableOf } from '../../web/tables/tables.ts';

const text = fc.string({ minLength: 1, maxLength: 12, unit: 'grapheme' });
const value = fc.oneof(
  text,
  fc.constantFrom('', '~""', '~', '~null', ',', '\\', '\\,~', '..', '-x', ' a ', '+', '%', '&=#?'),
  fc.constantFrom('3', '-1.5e+9', '24h', 'today', '2026-01-01..', '>3..=5', '...7', '1..'),
  fc.integer(),
  fc.boolean(),
  fc.constant(null),
);
const date = fc.date({ min: new Date(0), max: new Date(4e12), noInvalidDate: true });

/** Any condition on these fields. */
export function conditionOn({
  ranges,
  values,
  times,
  contains,
}: Pick<PageFields, 'ranges' | 'values' | 'times' | 'contains'>): fc.Arbitrary<Condition> {
  const numbers = ranges.filter((field) => !times.includes(field));
  const simple: fc.Arbitrary<FieldCondition> = fc.oneof(
    fc.record({
      kind: fc.constant('values' as const),
      field: fc.constantFrom(...values),
      not: fc.boolean(),
      values: fc.array(value, { minLength: 1, maxLength: 4 }),
    }),
    ...(contains.length > 0
      ? [
          fc.record({
            kind: fc.constant('contains' as const),
            field: fc.constantFrom(...contains),
            not: fc.boolean(),
            text: text.filter((one) => one.trim() === one),
          }),
        ]
      : []),
    ...(times.length > 0
      ? [
          fc.record({
            kind: fc.constant('span' as const),
            field: fc.constantFrom(...times),
            span: fc.constantFrom('24h' as const, 'today' as const, '365d' as const),
          }),
          fc.record({
            kind: fc.constant('range' as const),
            field: fc.constantFrom(...times),
            from: date.map((at) => at.toISOString()),
          }),
        ]
      : []),
    ...numbers.map((field) =>
      fc.oneof(
        fc.record({
          kind: fc.constant('range' as const),
          field: fc.constant(field),
          from: number,
        }),
        fc.record({
          kind: fc.constant('range' as const),
          field: fc.constant(field),
          to: number.map(nextAfter),
        }),
      ),
    ),
  );
  const word = fc.record({
    kind: fc.constant('text' as const),
    text: text.filter((one) => one.trim() === one),
    not: fc.boolean(),
  });
  return fc.oneof(
    simple,
    fc
      .tuple(simple, fc.array(fc.oneof(simple, word), { minLength: 1, maxLength: 3 }))
      .map(([first, others]) => anyOf([first, ...others])),
  );
}

/** Not -0, which texts write as 0, and not the largest number, which no bound comes after. */
const number = fc
  .oneof(
    fc.integer(),
    fc.double({ noNaN: true, min: -1e300, max: 1e300 }),
    fc.bigInt({ min: -(10n ** 36n), max: 10n ** 36n }),
    fc.constantFrom('9007199254740992', '9007199254740993', '-0.12345678901234567890'),
  )
  .map((one) => numberOf(String(typeof one === 'number' ? one + 0 : one)));

const filtersOf = (table: TableName) => ({
  q: fc.string({ unit: 'grapheme' }).map((typed) => textOf(wordsIn(typed))),
  conditions: fc
    .array(conditionOn(addressFields(table)!), { maxLength: 5 })
    .map((all) => all.reduce<readonly Condition[]>(withCondition, [])),
});

/** Any view of a built-in table. */
export const view = fc.constantFrom(...TABLES).chain((table) =>
  fc.record({
    table: fc.constant(table),
    project: fc.option(fc.uuid()),
    ...filtersOf(table),
    other: fc.record(filtersOf(table)),
    sort: fc.uniqueArray(
      fc.record({
        by: fc.constantFrom(...tableOf(table).description.orders),
        order: fc.constantFrom('asc' as const, 'desc' as const),
      }),
      { maxLength: 3, selector: ({ by }) => by },
    ),
    page: fc.integer({ min: 1, max: 1e6 }),
    perPage: fc.constantFrom(25, 50, 100),
    columns: fc.option(fc.uniqueArray(fc.constantFrom('id', 'status', 'name'), { minLength: 1 })),
    time: fc.option(fc.constantFrom('date_done')),
    group: fc.option(fc.constantFrom(...tableOf(table).description.facets)),
    compare: fc.option(
      fc.constantFrom('all' as const, 'before' as const, 'week-ranked' as const, 'with' as const),
    ),
    open: fc.option(text),
    tab: fc.constantFrom('record' as const, 'log' as const),
  }),
);
