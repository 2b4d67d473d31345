/** What the scan counts: rows that it has found already, in plain loops over all that they hold. */
import type {
  FacetRequest,
  FacetResult,
  HistogramRequest,
  HistogramResult,
  Row,
  RowCondition,
  Scalar,
  TableDefinition,
} from '../../src/textindex/api.ts';
import { isNumeric } from '../../src/textindex/decimal.ts';
import { columnNumber } from '../../src/textindex/definition.ts';
import {
  compareScalars,
  elements,
  isListed,
  isNothing,
  millisOf,
  scalarKey,
} from '../../src/textindex/scalars.ts';

/** Whether a row fulfils a condition. */
export function conditionTest(
  definition: TableDefinition,
  condition: RowCondition,
): (row: Row) => boolean {
  if (condition.op === 'ids') {
    const ids = new Set(condition.ids.map(scalarKey));
    return ({ id }) => ids.has(scalarKey(id));
  }
  if (condition.op === 'range') {
    const column = columnNumber(definition, condition.column, { range: true });
    const isDate = definition.columns[column]!.expect === 'date';
    const { from = isDate ? new Date(-8.64e15) : Number.NEGATIVE_INFINITY, to } = condition;
    return (row) =>
      elements(row.cells[column]!).some(
        (value) =>
          (isDate ? value instanceof Date : isNumeric(value)) &&
          compareScalars(value, from) >= 0 &&
          (to === undefined || compareScalars(value, to) < 0),
      );
  }
  const column = columnNumber(definition, condition.column, { equals: true });
  const wanted = new Set(condition.values.map(scalarKey));
  const holds = (row: Row) =>
    elements(row.cells[column]!).some((value) => wanted.has(scalarKey(value)));
  return condition.op === 'in' ? holds : (row) => !holds(row);
}

export function countFacet(
  definition: TableDefinition,
  rows: readonly Row[],
  { column, limit, whole = false }: FacetRequest,
  has: (value: Scalar) => boolean,
): FacetResult {
  const number = columnNumber(definition, column, { facet: true });
  const { ofIds } = definition.columns[number]!;
  const counted = countValues(
    rows.flatMap((row) => distinct(row.cells[number]!).filter((value) => has(value))),
  );
  const listed = counted.filter(({ value }) => isListed(value, ofIds));
  const values = whole ? listed : listed.slice(0, limit);
  return { values, distinct: listed.length, rest: sum(counted) - sum(values) };
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
  const other = columnNumber(definition, by.column, { facet: true });
  const values = countValues(inBuckets.flat().flatMap(({ row }) => distinct(row.cells[other]!)))
    .filter(({ value }) => isListed(value, definition.columns[other]!.ofIds))
    .slice(0, by.limit)
    .map(({ value }) => value);
  const keys = values.map(scalarKey);
  const keysOf = (row: Row) => new Set(distinct(row.cells[other]!).map(scalarKey));
  const split = inBuckets.map((bucket) =>
    keys.map((key) => bucket.filter(({ row }) => keysOf(row).has(key)).length),
  );
  const rest = inBuckets.map(
    (bucket) => bucket.filter(({ row }) => !keys.some((key) => keysOf(row).has(key))).length,
  );
  return { counts, missing, by: { values, split, rest } };
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
