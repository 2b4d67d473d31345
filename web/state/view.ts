/** The view as plain data: the address holds all of it. */
import {
  type AnyCondition,
  type FieldCondition,
  type Length,
  type SimpleCondition,
  type Sort,
  selectOf,
  type TextCondition,
  type ViewValue,
} from '../../clients/typescript/viewAddress.ts';

/** A built-in table, or one of your own: its name is its path. */
export type TableName = string;

export const isOwn = (name: string): name is `tables/${string}` =>
  /^tables\/[a-z][a-z0-9_]*$/.test(name);

/** The service calls a table by its name, the UI by its path. */
export const serviceName = (name: TableName): string => name.replace(/^tables\//, '');

/** Lengths that the UI offers. */
export const LENGTHS: readonly Length[] = ['15m', '1h', '6h', '24h', '7d', '30d', '365d'];

/** The label of a value that has one: a project's name. */
export type LabelOf = (field: string, value: ViewValue) => string | undefined;

/** A condition that is shown as a chip. */
export type Condition = FieldCondition | AnyCondition;

export type Tab = 'record' | 'log' | 'document';

/** The range of time before the one that shows, the one a week earlier, or the view's other filters. */
export type Baseline = 'before' | 'week' | 'with';
/**
 * The rows that counts by value are compared with: all rows, or those of a baseline. `all` and `ranked` list the
 * values with a larger share here first.
 */
export type Compare = 'all' | Baseline | `${Baseline}-ranked`;

export const baselineIn = (compare: Compare | null): Baseline | undefined =>
  compare === null || compare === 'all' ? undefined : (compare.split('-')[0] as Baseline);

export const isRanked = (compare: Compare | null): boolean =>
  compare === 'all' || compare?.endsWith('-ranked') === true;

export const comparing = (baseline: Baseline | undefined, ranked: boolean): Compare | null =>
  baseline === undefined ? (ranked ? 'all' : null) : ranked ? `${baseline}-ranked` : baseline;

/** Words and conditions. */
export type Filters = Pick<View, 'q' | 'conditions'>;

export const NO_FILTERS: Filters = { q: '', conditions: [] };

export interface View {
  readonly table: TableName;
  /** The project whose rows alone are shown: how members see tasks and schedules. */
  readonly project: string | null;
  /** The words that are searched for, see `searchText.ts`. */
  readonly q: string;
  readonly conditions: readonly Condition[];
  /** The most significant first, three at most; none: as the table sorts by itself. */
  readonly sort: readonly Sort[];
  readonly page: number;
  readonly perPage: number;
  /** Columns in their order; null: those of the table. */
  readonly columns: readonly string[] | null;
  /** The date that the timeline shows; null: the table's first. */
  readonly time: string | null;
  /** The field whose values show as groups, in place of the rows. */
  readonly group: string | null;
  readonly compare: Compare | null;
  /** The other filters to compare with. Dates are always those of the rows that show. */
  readonly other: Filters;
  /** The key of the row whose record is open. */
  readonly open: string | null;
  readonly tab: Tab;
}

export const PER_PAGE = [25, 50, 100] as const;

export const initialView = (table: TableName): View => ({
  table,
  project: null,
  q: '',
  conditions: [],
  sort: [],
  page: 1,
  perPage: PER_PAGE[0],
  columns: null,
  time: null,
  group: null,
  compare: null,
  other: NO_FILTERS,
  open: null,
  tab: 'record',
});

/** The same with another question: from the first page. */
export function asking(view: View, change: Partial<View>): View {
  return { ...view, page: 1, ...change };
}

/** Whether there is anything to compare: without filters the rows are all rows. */
export const isFiltered = ({ q, conditions }: Filters): boolean =>
  conditions.length > 0 || q.trim() !== '';

/** The condition that bounds a field, if there is one. */
export const rangeOn = (conditions: readonly Condition[], field: string | undefined) =>
  conditions.find(
    (one) =>
      field !== undefined && isOn(one, field) && (one.kind === 'range' || one.kind === 'span'),
  );

/** The conditions with one more; another of the same field and kind gives way to it. */
export function withCondition(
  conditions: readonly Condition[],
  added: Condition,
): readonly Condition[] {
  const at = conditions.findIndex((one) => slotOf(one) === slotOf(added));
  if (at < 0) return [...conditions, added];
  return conditions.map((one, index) => (index === at ? added : one));
}

/** The condition with the values that the same field has already. */
export function joined(conditions: readonly Condition[], added: Condition): Condition {
  if (added.kind !== 'values') return added;
  const before = valuesOn(conditions, added.field, added.not);
  return { ...added, values: [...new Set([...before, ...added.values])] };
}

/** The values of a field that are included, or excluded. */
function valuesOn(
  conditions: readonly Condition[],
  field: string,
  not: boolean,
): readonly ViewValue[] {
  const found = conditions.find(
    (one) => one.kind === 'values' && one.field === field && one.not === not,
  );
  return found?.kind === 'values' ? found.values : [];
}

export const withoutCondition = (conditions: readonly Condition[], gone: Condition) =>
  conditions.filter((one) => slotOf(one) !== slotOf(gone));

/**
 * A field has one condition of each kind: included values, excluded values, a time or range. It may hold several parts
 * of texts.
 */
const slotOf = (one: Condition) =>
  one.kind === 'any' || one.kind === 'contains'
    ? JSON.stringify(one)
    : `${one.field} ${one.kind === 'values' ? (one.not ? 'not' : 'in') : 'range'}`;

/** Whether the condition is on the field alone. */
export const isOn = (one: Condition, field: string): one is FieldCondition =>
  one.kind !== 'any' && one.field === field;

/** One condition for several of which one must hold: values of one field are a list. */
export function anyOf(all: readonly (Condition | TextCondition)[]): Condition {
  const of: SimpleCondition[] = [];
  for (const one of all.flatMap((each) => (each.kind === 'any' ? each.of : [each]))) {
    const at = of.findIndex((each) => isList(each) && isList(one) && each.field === one.field);
    const list = of[at];
    if (list && isList(list) && isList(one)) {
      of[at] = { ...list, values: [...new Set([...list.values, ...one.values])] };
    } else if (!of.some((each) => JSON.stringify(each) === JSON.stringify(one))) of.push(one);
  }
  const [first] = of;
  return of.length === 1 && first!.kind !== 'text' ? first! : { kind: 'any', of };
}

/** A value outside of the range; rows without a value have none. */
export function outside(
  one: Extract<FieldCondition, { kind: 'range' | 'span' }>,
  now: Date,
): Condition {
  const { field } = one;
  const { from, to } = selectOf(one, now);
  const range = { kind: 'range', field } as const;
  return anyOf([
    ...(from === undefined ? [] : [{ ...range, to: from }]),
    ...(to === undefined ? [] : [{ ...range, from: to }]),
  ]);
}

const isList = (one: SimpleCondition): one is FieldCondition & { readonly kind: 'values' } =>
  one.kind === 'values' && !one.not;

/** Puts a value into the field's list, or takes it out; an empty list is no condition. */
export function toggled(
  conditions: readonly Condition[],
  field: string,
  value: ViewValue,
  not: boolean,
): readonly Condition[] {
  const [had, other] = [valuesOn(conditions, field, not), valuesOn(conditions, field, !not)];
  const without = (all: readonly ViewValue[]) => all.filter((one) => one !== value);
  const next = had.includes(value) ? without(had) : [...had, value];
  return withValues(withValues(conditions, field, !not, without(other)), field, not, next);
}

function withValues(
  conditions: readonly Condition[],
  field: string,
  not: boolean,
  values: readonly ViewValue[],
): readonly Condition[] {
  const list: Condition = { kind: 'values', field, not, values };
  return values.length === 0 ? withoutCondition(conditions, list) : withCondition(conditions, list);
}

/** Whether the value is selected, excluded, or neither. */
export function choiceOf(
  conditions: readonly Condition[],
  field: string,
  value: ViewValue,
): 'in' | 'out' | undefined {
  if (valuesOn(conditions, field, false).includes(value)) return 'in';
  return valuesOn(conditions, field, true).includes(value) ? 'out' : undefined;
}
