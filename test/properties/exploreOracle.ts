/**
 * The oracle of explore. It counts by looking at every document, in plain lines that share nothing
 * with the service. It knows a table by its `Subject`: a built-in one or one of a file.
 *
 *     subject.found.filter(conditions but those on the field) ──► values, each once ──► counts
 */
import { expect } from 'chai';
import { Binary, UUID } from 'mongodb';
import { cellOf } from '../oracles/calendarCells.ts';
import {
  compareStored,
  compareValues,
  distinct,
  exactly,
  exactText,
  keyOf,
  typeOf,
} from '../oracles/storedValues.ts';
import type { Stored } from './worlds.ts';

/** The oracle's view of a table and of the search in it. */
export interface Subject {
  /** Documents that the search finds without conditions, in no order. */
  readonly found: readonly Stored[];
  /** The values at a field: null for a missing one, none for `[]`. */
  elements(one: Stored, field: string): readonly unknown[];
  isDated(field: string): boolean;
  /** Whether a value selects itself, too: a double besides the decimal of its digits, a UUID as it is written. */
  isAsWritten?(field: string, given: Json): boolean;
  /** A value of a condition as it is stored; the bound of a range is always of the field's type. */
  valueOf(field: string, given: Json, isBound: boolean): unknown;
  /** Whether q finds it, as far as q goes. */
  findsText(one: Stored, text: string): boolean;
  /** Whether the text stands in a field, or in the label of that name. */
  hasText(one: Stored, field: string, text: string): boolean;
  /** Texts of a counted value, its labels among them, in one of each letters that are the same. */
  textsOf(field: string, value: unknown): readonly string[];
  /** The letters of the server. */
  same(text: string): string;
  labelOf(field: string, value: unknown): string | undefined;
  /** Whether a value is one of those that an answer lists. */
  isListed(field: string, value: unknown): boolean;
  /** The value that a document is ordered by, in a list; nothing for an empty array. */
  keyOf(one: Stored, field: string, sign: number): readonly unknown[];
}

export type Json = string | number | boolean | null;

/** The conditions and counts of a body. */
export interface Counting {
  readonly select?: readonly Stored[];
  readonly baseline?: readonly Stored[];
  readonly facets?: readonly Stored[];
  readonly histogram?: Stored;
  readonly stats?: readonly Stored[];
  readonly sorts?: readonly Stored[] | undefined;
}

const QUANTILES: readonly (readonly [string, number])[] = [
  ['min', 0],
  ['p50', 50],
  ['p90', 90],
  ['p95', 95],
  ['p99', 99],
  ['max', 100],
];

interface Counted {
  readonly stored: unknown;
  count: number;
}

export class ExploreOracle {
  readonly #subject: Subject;
  readonly #asked: Counting;

  constructor(subject: Subject, asked: Counting) {
    this.#subject = subject;
    this.#asked = asked;
  }

  /** Documents that match the search and the conditions, those on one field left out. */
  hits(but?: string, conditions = this.#asked.select ?? []): Stored[] {
    const heeded = conditions.filter((one) => but === undefined || fieldOf(one) !== but);
    return this.#subject.found.filter((one) => heeded.every((it) => this.#fulfils(one, it)));
  }

  #fulfils(one: Stored, condition: Stored): boolean {
    const { field, any, text, not_text, contains, not_contains } = condition;
    if (any) return any.some((part: Stored) => this.#fulfils(one, part));
    const free = text ?? not_text;
    const found = free ?? contains ?? not_contains;
    if (found === undefined) return this.#hasValue(one, condition);
    const has =
      free === undefined
        ? this.#subject.hasText(one, field, found.trim())
        : this.#subject.findsText(one, found.trim());
    return has === ((text ?? contains) !== undefined);
  }

  #hasValue(one: Stored, condition: Stored): boolean {
    const { field } = condition;
    const found = this.#subject.elements(one, field);
    const stored = (given: Json, isBound = false) => this.#subject.valueOf(field, given, isBound);
    const among = condition.in ?? condition.not_in;
    if (among) {
      const selects = (given: Json) =>
        this.#subject.isAsWritten?.(field, given) ? [stored(given), given] : [stored(given)];
      const wanted = new Set(among.flatMap(selects).map(keyOf));
      return found.some((value) => wanted.has(keyOf(value))) === (condition.in !== undefined);
    }
    const [from, to] = [condition.from, condition.to].map((given) =>
      given === undefined ? undefined : stored(given, true),
    );
    const type = this.#subject.isDated(field) ? 'date' : 'number';
    return found.some(
      (value) =>
        typeOf(value) === type &&
        keyOf(value) !== 'number NaN' &&
        (from === undefined || compareValues(value, from) >= 0) &&
        (to === undefined || compareValues(value, to) < 0),
    );
  }

  /** The hits in the order of a list of sorts; undefined without one. */
  inOrder(): Stored[] | undefined {
    const { sorts } = this.#asked;
    if (!sorts) return undefined;
    const signs = sorts.map(({ sort_order }) => (sort_order === 'asc' ? 1 : -1));
    const keyed = this.hits().map((one) => ({
      one,
      keys: sorts.map(({ sort_by }, i) => this.#subject.keyOf(one, sort_by, signs[i]!)),
    }));
    keyed.sort((a, b) => {
      const orders = signs.map((sign, i) => sign * compareKeys(a.keys[i]!, b.keys[i]!));
      const tie = signs.at(-1)! * compareValues(a.one._id, b.one._id);
      return [...orders, tie].find((order) => order !== 0) ?? 0;
    });
    return keyed.map(({ one }) => one);
  }

  checkStats(answered: readonly Stored[]): void {
    const expected = this.#asked.stats!.map(({ field }, i) => {
      const found = this.hits().flatMap((one) => distinct(this.#subject.elements(one, field)));
      const isDate = this.#subject.isDated(field);
      const values = found
        .filter((value) => (isDate ? typeOf(value) === 'date' : exactly(value) !== undefined))
        .sort(compareValues);
      const count = values.length;
      const quantiles = QUANTILES.map(([name, percent]) => {
        const value = values[Math.max(0, Math.ceil((percent * count) / 100) - 1)] ?? null;
        return [name, shown(value, answered[i]?.[name])];
      });
      return { field, count, missing: found.length - count, ...Object.fromEntries(quantiles) };
    });
    expect(answered).to.deep.equal(expected);
  }

  checkFacets(answered: readonly Stored[]): void {
    const asked = this.#asked.facets ?? [];
    expect(answered.map(({ field }) => field)).to.deep.equal(asked.map(({ field }) => field));
    for (const [i, facet] of asked.entries()) {
      expect(answered[i], `facet ${facet.field}`).to.deep.equal(this.#facet(facet, answered[i]!));
    }
  }

  #facet(facet: Stored, answered: Stored): Stored {
    const { field, limit = 10, contains, by } = facet;
    const { baseline } = this.#asked;
    const hits = this.hits(field);
    const before = baseline && this.hits(field, baseline);
    const valuesOf = (one: Stored, name: string) => distinct(this.#subject.elements(one, name));
    const holding = (of: readonly Stored[], name: string, { stored }: Counted) =>
      of.filter((one) => valuesOf(one, name).map(keyOf).includes(keyOf(stored)));
    const counted = count(hits.flatMap((one) => valuesOf(one, field))).filter(({ stored }) =>
      this.#has(field, stored, contains?.trim()),
    );
    const listed = this.#listed(field, counted);
    const lifted = (one: Counted) =>
      lift(one.count, hits.length, holding(before ?? [], field, one).length, before?.length ?? 0);
    const top = by && this.#most(by, hits);
    const sum = (of: readonly Counted[]) => of.reduce((total, one) => total + one.count, 0);
    const first = inOrder(listed, facet, lifted).slice(0, limit);
    return {
      field,
      ...(by && { by: { field: by, values: shownAs(top, answered.by?.values) } }),
      values: first.map((one, i) => {
        const label = this.#subject.labelOf(field, one.stored);
        const mine = holding(hits, field, one);
        return {
          value: shown(one.stored, answered.values?.[i]?.value),
          ...(label !== undefined && { label }),
          count: one.count,
          ...(before && { baseline: holding(before, field, one).length }),
          ...(by && { counts: top.map((other: Counted) => holding(mine, by, other).length) }),
        };
      }),
      distinct: listed.length,
      rest: sum(counted) - sum(first),
      ...(before && { total: hits.length, baseline_total: before.length }),
    };
  }

  /** The ten most frequent values of a field; a document counts as often as it is listed. */
  #most(field: string, documents: readonly Stored[]): Counted[] {
    const found = documents.flatMap((one) => distinct(this.#subject.elements(one, field)));
    return this.#listed(field, count(found)).slice(0, 10);
  }

  #listed(field: string, counted: readonly Counted[]): Counted[] {
    return counted.filter(({ stored }) => this.#subject.isListed(field, stored)).sort(byCount);
  }

  #has(field: string, value: unknown, text: string | undefined): boolean {
    if (!text) return true;
    const { same } = this.#subject;
    return this.#subject.textsOf(field, value).some((one) => same(one).includes(same(text)));
  }

  /** The buckets follow one another and hold what they should; nothing else is counted. */
  checkHistogram(answered: Stored): void {
    const asked = this.#asked.histogram!;
    const { field, time_zone: zone = 'UTC', by } = asked;
    const [from, to, until] = [asked.from, asked.to, asked.until].map(
      (text) => text && Date.parse(text),
    );
    const pairs = this.hits(field).flatMap((one) =>
      distinct(this.#subject.elements(one, field)).map((value) => ({ one, value })),
    );
    const missing = pairs.filter(({ value }) => !(value instanceof Date)).length;
    const dated = pairs.filter(
      ({ value }) =>
        value instanceof Date && !(value.getTime() < from!) && !(value.getTime() >= to!),
    ) as { one: Stored; value: Date }[];
    expect(answered).to.include({ field, time_zone: zone, missing });
    const { interval, buckets } = answered;
    if (asked.interval && asked.interval !== 'auto') expect(interval).to.equal(asked.interval);
    else expect(buckets.length).to.be.at.most(asked.max_buckets ?? 60);
    checkSpan(buckets, dated, { from, to, until });
    const top =
      by === undefined
        ? []
        : this.#most(
            by,
            dated.map(({ one }) => one),
          );
    if (by !== undefined) {
      const values = shownAs(top, answered.by?.values);
      expect(answered.by).to.deep.equal({ field: by, values });
    } else expect(answered).not.to.have.property('by');
    for (const [i, bucket] of buckets.entries()) {
      if (i > 0) expect(bucket.start).to.equal(buckets[i - 1].end);
      expect(Date.parse(bucket.start)).to.be.below(Date.parse(bucket.end));
      const cell = cellOf(interval, zone, Date.parse(bucket.start));
      const inside = dated.filter(({ value }) => cellOf(interval, zone, value.getTime()) === cell);
      expect(bucket.count, `${bucket.start} ${interval} ${zone}`).to.equal(inside.length);
      if (by === undefined) continue;
      const of = ({ one }: { one: Stored }) => this.#subject.elements(one, by).map(keyOf);
      const counts = top.map(({ stored }) => inside.filter((p) => of(p).includes(keyOf(stored))));
      expect(bucket.counts).to.deep.equal(counts.map(({ length }) => length));
      const known = new Set(top.map(({ stored }) => keyOf(stored)));
      const rest = inside.filter((pair) => !of(pair).some((key) => known.has(key)));
      expect(bucket.rest).to.equal(rest.length);
    }
    const total = buckets.reduce((sum: number, { count: n }: Stored) => sum + n, 0);
    expect(total, 'every date is in a bucket').to.equal(dated.length);
  }
}

function checkSpan(
  buckets: readonly Stored[],
  dated: readonly { value: Date }[],
  { from, to, until }: Readonly<Record<'from' | 'to' | 'until', number | undefined>>,
): void {
  const times = dated.map(({ value }) => value.getTime());
  const first = from ?? (times.length > 0 ? Math.min(...times) : undefined);
  const lasts = until === undefined ? times : [...times, until - 1];
  const last = to !== undefined ? to - 1 : lasts.length > 0 ? Math.max(...lasts) : undefined;
  if (first === undefined || last === undefined) {
    expect(buckets).to.deep.equal([]);
    return;
  }
  const within = (bucket: Stored, time: number) =>
    Date.parse(bucket.start) <= time && time < Date.parse(bucket.end);
  expect(within(buckets[0]!, first), 'the first bucket holds the beginning').to.equal(true);
  const end = Math.max(first, last);
  expect(within(buckets.at(-1)!, end), 'the last bucket holds the end').to.equal(true);
}

/** The field whose counts ignore a condition. */
function fieldOf({ field, any }: Stored): string | undefined {
  if (!any) return field;
  const fields = new Set<string | undefined>(any.map(fieldOf));
  return fields.size === 1 ? [...fields][0] : undefined;
}

/** (share − baseline share) × share ÷ baseline share, as a fraction; nothing counts as one. */
function lift(count: number, total: number, baseline: number, all: number): Fraction {
  const [c, t, b, n] = [count, total, Math.max(1, baseline), Math.max(1, all)].map(BigInt) as [
    ...[bigint, bigint, bigint, bigint],
  ];
  // c/t − b/n, times c/t, divided by b/n.
  return [(c * n - b * t) * c * n, t * n * t * b];
}

type Fraction = readonly [bigint, bigint];

function inOrder(
  listed: readonly Counted[],
  { order = 'count', min_count: least = 5 }: Stored,
  lifted: (one: Counted) => Fraction,
): readonly Counted[] {
  if (order === 'count') return listed;
  const sorted = [...listed].sort((a, b) => compareStored(a.stored, b.stored));
  if (order === 'value') return sorted;
  return sorted
    .map((one) => ({ one, lift: lifted(one) }))
    .filter(({ one, lift: [above] }) => one.count >= least && above > 0n)
    .sort(({ lift: [a, b] }, { lift: [c, d] }) => Number(c * b - a * d))
    .map(({ one }) => one);
}

/** Nothing stands where undefined does. */
const compareKeys = ([a]: readonly unknown[], [b]: readonly unknown[]) => compareValues(a, b);

function count(found: readonly unknown[]): Counted[] {
  const counted = new Map<string, Counted>();
  for (const stored of found) {
    const known = counted.get(keyOf(stored));
    if (known) known.count += 1;
    else counted.set(keyOf(stored), { stored, count: 1 });
  }
  return [...counted.values()];
}

const byCount = (a: Counted, b: Counted) => b.count - a.count || compareStored(a.stored, b.stored);

/** A string, a finite number, a boolean or null. */
export const isPlain = (value: unknown): boolean =>
  ['string', 'boolean', 'null'].includes(typeOf(value)) || exactly(value) !== undefined;

/**
 * The value as JSON. A number that has no exact double stands there as some text of its digits, so
 * that the answer's own is taken if it is one.
 */
export function shown(value: unknown, answered: unknown): unknown {
  const exact = exactly(value);
  if (value instanceof Binary && !(value instanceof UUID)) return value.toString('base64');
  if (!exact)
    return value instanceof Date ? value.toISOString() : isPlain(value) ? value : `${value}`;
  if (typeof answered === 'number' && keyOf(answered) === keyOf(value)) return answered;
  const digits = typeof answered === 'string' ? exactText(answered) : undefined;
  const isSame = digits?.top === exact.top && digits.bottom === exact.bottom;
  return isSame ? answered : `${exact.top}/${exact.bottom}`;
}

const shownAs = (counted: readonly Counted[], answered: readonly unknown[] = []): unknown[] =>
  counted.map(({ stored }, i) => shown(stored, answered[i]));
