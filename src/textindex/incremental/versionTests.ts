/**
 * Queries and conditions as tests of one row. They read only the row's values and the labels of
 * these.
 */
import type { Query, RowCondition, Scalar, TableDefinition } from '../api.ts';
import { columnNumber } from '../definition.ts';
import { millisOf, scalarKey, writtenAlike } from '../scalars.ts';
import type { FoldText, LabelTexts, RowVersion } from './rowVersion.ts';

/** Whether the query holds for a version of a row. */
export type VersionTest = (row: RowVersion) => boolean;

/** The means of making tests. */
export interface TestMeans {
  readonly definition: TableDefinition;
  readonly fold: FoldText;
  readonly labelTexts: LabelTexts;
}

export function queryTest(query: Query, means: TestMeans): VersionTest {
  const { definition, fold, labelTexts } = means;
  switch (query.op) {
    case 'all':
      return () => true;
    case 'none':
      return () => false;
    case 'and':
      return allOf(query.of.map((part) => queryTest(part, means)));
    case 'or': {
      const parts = query.of.map((part) => queryTest(part, means));
      const test: VersionTest = (row) => parts.some((part) => part(row));
      // A free text is sought in many columns, and by several watches.
      const name = nameOf(query);
      return name === undefined ? test : (row) => row.holds(name, test);
    }
    case 'equals':
      return valueTest(columnNumber(definition, query.column, { equals: true }), query.values);
    case 'contains': {
      const { column: name, label } = query;
      const text = fold(query.text);
      if (label === undefined) {
        const column = columnNumber(definition, name, { contains: true });
        return (row) => someHas(row.texts(column), text);
      }
      const column = columnNumber(definition, name, { label });
      return (row) => someHas(row.labelTexts(column, name, label, labelTexts), text);
    }
  }
}

export function conditionTest(condition: RowCondition, { definition }: TestMeans): VersionTest {
  switch (condition.op) {
    case 'ids': {
      const ids = new Set(condition.ids.map(scalarKey));
      return ({ id }) => ids.has(scalarKey(id));
    }
    case 'range': {
      const column = columnNumber(definition, condition.column, { range: true });
      const isDate = definition.columns[column]!.expect === 'date';
      const holds = rangeTest(isDate, condition);
      return (row) => row.values(column).some(holds);
    }
    default: {
      const column = columnNumber(definition, condition.column, { equals: true });
      const holds = valueTest(column, condition.values);
      return condition.op === 'in' ? holds : (row) => !holds(row);
    }
  }
}

/** Equal for queries that find the same; undefined for queries with values other than texts. */
function nameOf(query: Query): string | undefined {
  const isText = (value: Scalar) => typeof value === 'string';
  const named = (part: Query): boolean => {
    if (part.op === 'equals') return part.values.every(isText);
    return 'of' in part ? part.of.every(named) : true;
  };
  return named(query) ? JSON.stringify(query) : undefined;
}

function someHas(texts: readonly string[], text: string): boolean {
  for (const one of texts) if (one.includes(text)) return true;
  return false;
}

/** Whether a row holds one of the values. */
function valueTest(column: number, wanted: readonly Scalar[]): VersionTest {
  const isObject = (value: Scalar) => typeof value === 'object' && value !== null;
  const plain = new Set(wanted.filter((value) => !isObject(value)).map(writtenAlike));
  const others = new Set(wanted.filter(isObject).map(scalarKey));
  return (row) => {
    const values = row.values(column);
    for (let i = 0; i < values.length; i++) {
      const value = values[i]!;
      if (isObject(value) ? others.size > 0 && others.has(scalarKey(value)) : plain.has(value)) {
        return true;
      }
    }
    return false;
  };
}

/** Whether all of them hold. */
export function allOf(tests: readonly VersionTest[]): VersionTest {
  if (tests.length === 1) return tests[0]!;
  return (row) => {
    for (let i = 0; i < tests.length; i++) if (!tests[i]!(row)) return false;
    return true;
  };
}

function rangeTest(
  isDate: boolean,
  { from, to }: Extract<RowCondition, { op: 'range' }>,
): (value: Scalar) => boolean {
  const low = from === undefined ? Number.NEGATIVE_INFINITY : numberOf(from);
  const high = to === undefined ? undefined : numberOf(to);
  return (value) => {
    if (isDate !== value instanceof Date) return false;
    if (!isDate && typeof value !== 'number' && typeof value !== 'bigint') return false;
    const number = value instanceof Date ? millisOf(value) : (value as number | bigint);
    return number >= low && (high === undefined || number < high);
  };
}

const numberOf = (bound: number | Date) => (bound instanceof Date ? millisOf(bound) : bound);
