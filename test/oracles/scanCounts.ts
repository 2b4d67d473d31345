/**
 * The counts of the scan, over rows that it has found already: plain loops over all their cells.
 */
import type {
  FacetRequest,
  FacetResult,
  HistogramRequest,
  HistogramResult,
  Query,
  Row,
  RowCondition,
  Scalar,
  StatsRequest,
  StatsResult,
  TableDefinition,
} from '../../src/textindex/api.ts';
import { isNumeric } from '../../src/textindex/decimal.ts';
import { ColumnNumbers, type ColumnUse } from '../../src/textindex/definition.ts';
import {
  compareScalars,
  elements,
  isListed,
  isNothing,
  millisOf,
  scalarKey,
} from '../../src/textindex/scalars.ts';

/** Tests rows against a condition; `matcher` makes such a test of a query. */
export function conditionTest(
  definition: TableDefinition,
  condition: RowCondition,
  matcher: (query: Query) => (row: Row) => boolean,
): (row: Row) => boolean {
  if (condition.op === 'any') {
    const parts = condition.of.map((part) => conditionTest(definition, part, matcher));
    return (row) => parts.some((holds) => holds(row));
  }
  if (condition.op === 'not') {
    const holds = conditionTest(definition, condition.of, matcher);
    return (row) => !holds(row);
  }
  if (condition.op === 'matches') return matcher(condition.query);
  if (condition.op === 'ids') {
    const ids = new Set(condition.ids.map(scalarKey));
    return ({ id }) => ids.has(scalarKey(id));
  }
  if (condition.op === 'range') {
    const { isDate, elementsOf } = rangedOf(definition, condition.column);
    const { from = isDate ? new Date(-8.64e15) : Number.NEGATIVE_INFINITY, to } = condition;
    return (row) =>
      elementsOf(row).some(
        (value) =>
          (isDate ? value instanceof Date : isNumeric(value)) &&
          compareScalars(value, from) >= 0 &&
          (to === undefined || compareScalars(value, to) < 0),
      );
  }
  if (condition.op === 'nothing') {
    const { elementsOf } = rangedOf(definition, condition.column);
    return (row) => elementsOf(row).includes(null);
  }
  const column = columnNumber(definition, condition.column, { equals: true });
  const wanted = new Set(condition.values.map(scalarKey));
  return (row) => elements(row.cells[column]!).some((value) => wanted.has(scalarKey(value)));
}

/** The column that a condition is on, and whose counts ignore it. */
export function columnOf(condition: RowCondition): string | undefined {
  if (condition.op === 'not') return columnOf(condition.of);
  if (condition.op !== 'any') return condition.column;
  const columns = new Set(condition.of.map(columnOf));
  return columns.size === 1 ? [...columns][0] : undefined;
}

export function countFacet(
  definition: TableDefinition,
  rows: readonly Row[],
  { column, limit, order = { by: 'count' }, by }: FacetRequest,
  has: (value: Scalar) => boolean,
  baseline?: readonly Row[],
): FacetResult {
  const number = columnNumber(definition, column, { facet: true });
  const { ofIds } = definition.columns[number]!;
  const holding = (of: readonly Row[], value: Scalar) => of.filter(holderTest(number, value));
  const counted = countValues(rows.flatMap((row) => distinct(row.cells[number]!)).filter(has));
  const listed = counted.filter(({ value }) => isListed(value, ofIds));
  if (order.by === 'value' || (order.by === 'lift' && baseline)) {
    listed.sort((a, b) => compareScalars(a.value, b.value));
  }
  const before = baseline ?? [];
  const lifts = (value: Scalar, count: number) =>
    lift(count, rows.length, holding(before, value).length, before.length);
  const ranked =
    order.by === 'lift' && baseline
      ? listed
          .map((one) => ({ one, lift: lifts(one.value, one.count) }))
          .filter(({ one, lift: [above] }) => one.count >= order.minCount && above > 0n)
          .sort(({ lift: [a, b] }, { lift: [c, d] }) => Number(c * b - a * d))
          .map(({ one }) => one)
      : listed;
  const values = ranked.slice(0, limit);
  const top = by && mostFrequent(definition, rows, by);
  return {
    values: values.map(({ value, count }) => ({
      ...{ value, count },
      ...(baseline && { baseline: holding(baseline, value).length }),
      ...(top && {
        counts: top.map((one) => holding(rows, value).filter(one.isHeldBy).length),
      }),
    })),
    distinct: listed.length,
    rest: sum(counted) - sum(values),
    ...(baseline && { total: rows.length, baselineTotal: baseline.length }),
    ...(top && { by: top.map(({ value }) => value) }),
  };
}

/** JLH times total², as a fraction: (share − baseline share) × share ÷ baseline share. */
function lift(count: number, total: number, baseline: number, all: number): [bigint, bigint] {
  const [c, t, b, n] = [count, total, Math.max(baseline, 1), Math.max(all, 1)].map(BigInt) as [
    bigint,
    bigint,
    bigint,
    bigint,
  ];
  return [(c * n - b * t) * c, b];
}

/** The values most frequent in some rows, with a test whether a row holds them. */
function mostFrequent(
  definition: TableDefinition,
  rows: readonly Row[],
  { column, limit }: { readonly column: string; readonly limit: number },
) {
  const number = columnNumber(definition, column, { facet: true });
  return countValues(rows.flatMap((row) => distinct(row.cells[number]!)))
    .filter(({ value }) => isListed(value, definition.columns[number]!.ofIds))
    .slice(0, limit)
    .map(({ value }) => ({ value, isHeldBy: holderTest(number, value) }));
}

/** Tests whether a cell of a row holds a value. */
function holderTest(number: number, value: Scalar): (row: Row) => boolean {
  const key = scalarKey(value);
  return (row) => distinct(row.cells[number]!).some((one) => scalarKey(one) === key);
}

export function countHistogram(
  definition: TableDefinition,
  rows: readonly Row[],
  { column, from, to, boundaries, by }: HistogramRequest,
): HistogramResult {
  const number = columnNumber(definition, column, { dates: true });
  const found = rows.flatMap((row) =>
    distinct(row.cells[number]!).map((value) => ({ row, value })),
  );
  const isDate = (value: Scalar) => value instanceof Date;
  const missing = found.filter(({ value }) => !isDate(value)).length;
  const dated = found
    .filter(({ value }) => isDate(value))
    .map(({ row, value }) => ({ row, ms: millisOf(value as Date) }))
    .filter(({ ms }) => ms >= (from ?? ms) && (to === undefined || ms < to));
  const times = dated.map(({ ms }) => ms).sort((a, b) => a - b);
  const bounds = boundaries(times[0], times.at(-1));
  const inBuckets = bounds
    .slice(1)
    .map((end, i) =>
      dated.filter(({ ms }) => ms >= bounds[i]! && (ms < end || i === bounds.length - 2)),
    );
  const counts = inBuckets.map(({ length }) => length);
  if (!by) return { counts, missing };
  const rowsIn = inBuckets.map((bucket) => bucket.map(({ row }) => row));
  const top = mostFrequent(definition, rowsIn.flat(), by);
  const split = rowsIn.map((bucket) => top.map(({ isHeldBy }) => bucket.filter(isHeldBy).length));
  const rest = rowsIn.map(
    (bucket) => bucket.filter((row) => !top.some(({ isHeldBy }) => isHeldBy(row))).length,
  );
  return { counts, missing, by: { values: top.map(({ value }) => value), split, rest } };
}

export function countStats(
  definition: TableDefinition,
  rows: readonly Row[],
  { column, ranks }: StatsRequest,
): StatsResult {
  const { isDate, elementsOf } = rangedOf(definition, column);
  const found = rows.flatMap((row) => distinct(elementsOf(row)));
  const values = found
    .filter((one) => (isDate ? one instanceof Date : isNumeric(one) && isListed(one)))
    .sort(compareScalars);
  const wanted = values.length === 0 ? [] : ranks(values.length);
  return {
    count: values.length,
    missing: found.length - values.length,
    values: wanted.map((rank) => values[rank]!),
  };
}

/** Ranges and statistics read a column's cells, or the ids. */
function rangedOf(definition: TableDefinition, name: string) {
  if (name === 'id') return { isDate: false, elementsOf: ({ id }: Row) => [id] };
  const number = columnNumber(definition, name, { range: true });
  return {
    isDate: definition.columns[number]!.expect === 'date',
    elementsOf: ({ cells }: Row) => elements(cells[number]!),
  };
}

/** The elements of a cell, each once. */
function distinct(cell: Row['cells'][number]): Scalar[] {
  const held = elements(cell).filter((value) => !isNothing(value));
  return [...new Map(held.map((value) => [scalarKey(value), value])).values()];
}

/** Most frequent first, ties in the order of values. */
function countValues(values: readonly Scalar[]): { value: Scalar; count: number }[] {
  const counted = new Map<string, { value: Scalar; count: number }>();
  for (const value of values) {
    const known = counted.get(scalarKey(value));
    if (known) known.count++;
    else counted.set(scalarKey(value), { value, count: 1 });
  }
  return [...counted.values()].sort(
    (a, b) => b.count - a.count || compareScalars(a.value, b.value),
  );
}

const sum = (counted: readonly { readonly count: number }[]) =>
  counted.reduce((total, { count }) => total + count, 0);

const columnNumber = (definition: TableDefinition, name: string, use: ColumnUse) =>
  new ColumnNumbers(definition).of(name, use);
