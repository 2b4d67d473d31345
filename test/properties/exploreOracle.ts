/**
 * The oracle of explore: what has to be counted, by looking at every document, in plain lines that
 * share nothing with the service. Time zones are asked of `Intl`, one date at a time.
 */
import { expect } from 'chai';
import { compareStored, compareValues, type Oracle, plain, values } from './oracle.ts';
import { EXPLORED, type GeneratedExplore, type GeneratedWorld, type Stored } from './worlds.ts';

/** Where the fields of an explore are stored, where the name is not the path. */
const STORED_AT: Readonly<Record<string, string>> = {
  'schedules user_email': 'task_args.user_email',
  'schedules schedule_id': '_id',
  'tasks id': '_id',
  'users id': '_id',
  'projects id': '_id',
  'projects project_id': 'identifier',
  'projects project_name': 'name',
};

const LABELLED_TYPES: Readonly<Record<string, string>> = {
  system_backup: 'System backup',
  housekeeping: 'Housekeeping',
  sync_ldap: 'Sync LDAP',
};

type Json = string | number | boolean | null;

interface Counted {
  /** JSON where the value can be listed, else a key of its own. */
  readonly value: Json | undefined;
  readonly stored: unknown;
  count: number;
}

export class ExploreOracle {
  readonly #world: GeneratedWorld;
  readonly #oracle: Oracle;
  readonly #same: (text: string) => string;

  constructor(world: GeneratedWorld, oracle: Oracle, same: (text: string) => string) {
    this.#world = world;
    this.#oracle = oracle;
    this.#same = same;
  }

  /** Documents that fulfil the search and the conditions, but for those on one field. */
  hits(request: GeneratedExplore, but?: string, conditions = request.select ?? []): Stored[] {
    const kind = kindOf(request);
    const heeded = conditions.filter(
      (condition) => but === undefined || fieldOf(condition) !== but,
    );
    return this.#oracle
      .hits(request)
      .filter((one) => heeded.every((condition) => this.#fulfils(kind, one, condition)));
  }

  #fulfils(kind: string, one: Stored, condition: Stored): boolean {
    const { field, any, text, not_text, contains, not_contains } = condition;
    if (any) return any.some((part: Stored) => this.#fulfils(kind, one, part));
    const free = text ?? not_text;
    const found = free ?? contains ?? not_contains;
    if (found === undefined) return fulfils(kind, one, condition);
    const has =
      free === undefined
        ? this.#oracle.hasText(kind, one, field, found.trim())
        : this.#oracle.findsText(kind, one, found.trim());
    return has === ((text ?? contains) !== undefined);
  }

  /** The hits in the order of a list of sorts; undefined without one. */
  inOrder(request: GeneratedExplore): Stored[] | undefined {
    const { sorts } = request;
    if (!sorts) return undefined;
    const kind = kindOf(request);
    const signs = sorts.map(({ sort_order }) => (sort_order === 'asc' ? 1 : -1));
    const keyed = this.hits(request).map((one) => ({
      one,
      keys: sorts.map(({ sort_by }, i) => this.#keyOf(kind, one, sort_by, signs[i]!)),
    }));
    keyed.sort((a, b) => {
      const orders = signs.map((sign, i) => sign * compareKeys(a.keys[i]!, b.keys[i]!));
      const tie = signs.at(-1)! * compareValues(a.one._id, b.one._id);
      return [...orders, tie].find((order) => order !== 0) ?? 0;
    });
    return keyed.map(({ one }) => one);
  }

  /** The value that a document is ordered by, in a list; nothing for an empty array. */
  #keyOf(kind: string, one: Stored, field: string, sign: number): readonly unknown[] {
    if (field === 'project_name' && kind !== 'projects') {
      const key = one.project_id;
      return [typeof key === 'string' ? (this.#label('project_id', key) ?? null) : null];
    }
    const found = elements(kind, one, field);
    return [...found].sort((a, b) => sign * compareValues(a, b)).slice(0, 1);
  }

  checkStats(request: GeneratedExplore, answered: readonly Stored[]): void {
    const kind = kindOf(request);
    const expected = request.stats!.map(({ field }) => {
      const found = this.hits(request).flatMap((one) => distinct(elements(kind, one, field)));
      const isDate = EXPLORED[kind]!.dates.includes(field);
      const values = found
        .filter((value) => (isDate ? value instanceof Date : Number.isFinite(value)))
        .sort(compareValues);
      const count = values.length;
      const at = (percent: number) => {
        const value = values[Math.max(0, Math.ceil((percent * count) / 100) - 1)] ?? null;
        return value instanceof Date
          ? value.toISOString()
          : value === null
            ? null
            : Number(value) + 0;
      };
      const quantiles = { p50: at(50), p90: at(90), p95: at(95), p99: at(99) };
      const ends = { min: at(0), ...quantiles, max: at(100) };
      return { field, count, missing: found.length - count, ...ends };
    });
    expect(answered).to.deep.equal(expected);
  }

  checkFacets(request: GeneratedExplore, answered: readonly Stored[]): void {
    const asked = request.facets ?? [];
    expect(answered.map(({ field }) => field)).to.deep.equal(asked.map(({ field }) => field));
    for (const [i, facet] of asked.entries()) {
      expect(answered[i], `facet ${facet.field}`).to.deep.equal(this.#facet(request, facet));
    }
  }

  #facet(request: GeneratedExplore, facet: Stored): Stored {
    const { field, limit = 10, contains, by } = facet;
    const kind = kindOf(request);
    const hits = this.hits(request, field);
    const before = request.baseline && this.hits(request, field, request.baseline);
    const valuesOf = (one: Stored, name: string) => distinct(elements(kind, one, name));
    const holding = (of: readonly Stored[], name: string, { stored }: Counted) =>
      of.filter((one) => valuesOf(one, name).map(keyOf).includes(keyOf(stored)));
    const counted = count(hits.flatMap((one) => valuesOf(one, field))).filter(({ value }) =>
      this.#has(kind, field, value, contains?.trim()),
    );
    const listed = counted.filter(({ value }) => value !== undefined).sort(byCount);
    const lifted = (one: Counted) =>
      lift(one.count, hits.length, holding(before ?? [], field, one).length, before?.length ?? 0);
    const shown = inOrder(listed, facet, lifted).slice(0, limit);
    const top = by && this.#most(hits.flatMap((one) => valuesOf(one, by)));
    const sum = (of: readonly Counted[]) => of.reduce((total, one) => total + one.count, 0);
    return {
      field,
      ...(by && { by: { field: by, values: top.map(({ value }: Counted) => value) } }),
      values: shown.map((one) => {
        const label = this.#label(field, one.value!);
        const mine = holding(hits, field, one);
        return {
          value: one.value,
          ...(label !== undefined && { label }),
          count: one.count,
          ...(before && { baseline: holding(before, field, one).length }),
          ...(by && { counts: top.map((other: Counted) => holding(mine, by, other).length) }),
        };
      }),
      distinct: listed.length,
      rest: sum(counted) - sum(shown),
      ...(before && { total: hits.length, baseline_total: before.length }),
    };
  }

  /** The ten most frequent values. */
  #most(found: readonly unknown[]): Counted[] {
    const listed = count(found).filter(({ value }) => value !== undefined);
    return listed.sort(byCount).slice(0, 10);
  }

  #has(kind: string, field: string, value: Json | undefined, text: string | undefined): boolean {
    if (!text) return true;
    if (typeof value !== 'string') return false;
    const texts = [value];
    if (field === 'task_type') texts.push(LABELLED_TYPES[value] ?? '');
    if (field === 'project_id' && kind !== 'projects') {
      const named = this.#world.projects.filter(({ identifier }) => identifier === value);
      texts.push(
        ...named.flatMap((one) => values(one, 'name')).filter((one) => typeof one === 'string'),
      );
    }
    return texts.some((one) => this.#same(one).includes(this.#same(text)));
  }

  #label(field: string, value: Json): string | undefined {
    if (field === 'task_type') return LABELLED_TYPES[String(value)];
    if (field !== 'project_id' || typeof value !== 'string') return undefined;
    const name = this.#world.projects.find(({ identifier }) => identifier === value)?.name;
    return typeof name === 'string' ? name : undefined;
  }

  /** The buckets follow one another and hold what they should; nothing else is counted. */
  checkHistogram(request: GeneratedExplore, answered: Stored): void {
    const kind = kindOf(request);
    const asked = request.histogram!;
    const { field, time_zone: zone = 'UTC', by } = asked;
    const [from, to] = [asked.from, asked.to].map((text) => text && Date.parse(text));
    const pairs = this.hits(request, field).flatMap((one) =>
      distinct(elements(kind, one, field)).map((value) => ({ one, value })),
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
    this.#checkSpan(buckets, dated, from, to);
    const top =
      by === undefined
        ? []
        : this.#most(dated.flatMap(({ one }) => distinct(elements(kind, one, by))));
    if (by !== undefined) {
      expect(answered.by).to.deep.equal({ field: by, values: top.map(({ value }) => value) });
    } else expect(answered).not.to.have.property('by');
    for (const [i, bucket] of buckets.entries()) {
      if (i > 0) expect(bucket.start).to.equal(buckets[i - 1].end);
      expect(Date.parse(bucket.start)).to.be.below(Date.parse(bucket.end));
      const cell = cellOf(interval, zone, Date.parse(bucket.start));
      const inside = dated.filter(({ value }) => cellOf(interval, zone, value.getTime()) === cell);
      expect(bucket.count, `${bucket.start} ${interval} ${zone}`).to.equal(inside.length);
      if (by === undefined) continue;
      const of = ({ one }: { one: Stored }) => distinct(elements(kind, one, by)).map(keyOf);
      const counts = top.map(({ stored }) => inside.filter((p) => of(p).includes(keyOf(stored))));
      expect(bucket.counts).to.deep.equal(counts.map(({ length }) => length));
      const known = new Set(top.map(({ stored }) => keyOf(stored)));
      const rest = inside.filter((pair) => !of(pair).some((key) => known.has(key)));
      expect(bucket.rest).to.equal(rest.length);
    }
    const total = buckets.reduce((sum: number, { count: n }: Stored) => sum + n, 0);
    expect(total, 'every date is in a bucket').to.equal(dated.length);
  }

  #checkSpan(
    buckets: readonly Stored[],
    dated: readonly { value: Date }[],
    from: number | undefined,
    to: number | undefined,
  ): void {
    const times = dated.map(({ value }) => value.getTime());
    const first = from ?? (times.length > 0 ? Math.min(...times) : undefined);
    const last = to !== undefined ? to - 1 : times.length > 0 ? Math.max(...times) : undefined;
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

const kindOf = ({ view }: GeneratedExplore) => view.split(' ').at(-1)!;

function secondsOf({ date_started: from, date_done: to }: Stored): number | null {
  return from instanceof Date && to instanceof Date
    ? (to.getTime() - from.getTime()) / 1_000
    : null;
}

/** The values at a field: null for a missing one, the elements of an array, none for `[]`. */
function elements(kind: string, one: Stored, field: string): unknown[] {
  if (field === 'execution_time') return [secondsOf(one)];
  let value: unknown = one;
  for (const step of (STORED_AT[`${kind} ${field}`] ?? field).split('.')) {
    value =
      value !== null && typeof value === 'object' && !Array.isArray(value)
        ? (value as Stored)[step]
        : Array.isArray(value)
          ? value.filter(isObject).flatMap((inner) => inner[step] ?? null)
          : undefined;
  }
  return (Array.isArray(value) ? value : [value ?? null]).map(plain);
}

/** Nothing comes first. */
const compareKeys = ([a]: readonly unknown[], [b]: readonly unknown[]) =>
  a === undefined || b === undefined
    ? Number(a !== undefined) - Number(b !== undefined)
    : compareValues(a, b);

const isObject = (value: unknown): value is Stored =>
  value !== null && typeof value === 'object' && !Array.isArray(value) && !(value instanceof Date);

function keyOf(value: unknown): string {
  if (typeof value === 'number') return `n${value === 0 ? 0 : value}`;
  if (value instanceof Date) return `d${value.getTime()}`;
  return value === null ? 'null' : `${typeof value} ${JSON.stringify(value)}`;
}

function distinct(found: readonly unknown[]): unknown[] {
  return [...new Map(found.map((value) => [keyOf(value), value])).values()];
}

function count(found: readonly unknown[]): Counted[] {
  const counted = new Map<string, Counted>();
  for (const value of found) {
    const key = keyOf(value);
    const known = counted.get(key);
    if (known) known.count += 1;
    else counted.set(key, { value: listed(value), stored: value, count: 1 });
  }
  return [...counted.values()];
}

function listed(value: unknown): Json | undefined {
  if (value === null || typeof value === 'string' || typeof value === 'boolean') return value;
  return typeof value === 'number' && Number.isFinite(value) ? value + 0 : undefined;
}

const byCount = (a: Counted, b: Counted) => b.count - a.count || compareStored(a.stored, b.stored);

function fulfils(kind: string, one: Stored, condition: Stored): boolean {
  const found = elements(kind, one, condition.field);
  const among = condition.in ?? condition.not_in;
  if (among) {
    const wanted = new Set(among.map(keyOf));
    return found.some((value) => wanted.has(keyOf(value))) === (condition.in !== undefined);
  }
  const bound = (given: unknown) =>
    typeof given === 'string' ? Date.parse(given) : (given as number | undefined);
  const dates = [condition.from, condition.to].some((given) => typeof given === 'string');
  const [from, to] = [bound(condition.from), bound(condition.to)];
  return found.some((value) => {
    if (dates ? !(value instanceof Date) : typeof value !== 'number') return false;
    const number = Number(value);
    if (Number.isNaN(number)) return false;
    return !(number < from!) && !(number >= to!);
  });
}

const formats = new Map<string, Intl.DateTimeFormat>();

/** What the clock of the zone shows, cut to the interval; up to an hour with its distance from UTC. */
function cellOf(interval: string, zone: string, time: number): string {
  let format = formats.get(zone);
  if (!format) {
    format = new Intl.DateTimeFormat('en-US', {
      timeZone: zone,
      hourCycle: 'h23',
      year: 'numeric',
      month: '2-digit',
      day: '2-digit',
      hour: '2-digit',
      minute: '2-digit',
      timeZoneName: 'longOffset',
    });
    formats.set(zone, format);
  }
  const parts = Object.fromEntries(
    format.formatToParts(time).map(({ type, value }) => [type, value]),
  );
  const { year, month, day, hour, minute, timeZoneName } = parts;
  const midnight = Date.parse(`${year}-${month}-${day}T00:00:00Z`);
  switch (interval) {
    case 'P1Y':
      return `${year}`;
    case 'P1M':
      return `${year}-${month}`;
    case 'P1W': {
      const weekday = (new Date(midnight).getUTCDay() + 6) % 7;
      return String(midnight - weekday * 86_400_000);
    }
    case 'P1D':
      return `${year}-${month}-${day}`;
    case 'PT6H':
      return `${year}-${month}-${day} ${Math.floor(Number(hour) / 6)}`;
    default: {
      const size = { PT1M: 1, PT5M: 5, PT15M: 15, PT1H: 60 }[interval]!;
      const minutes = Number(hour) * 60 + Number(minute);
      return `${year}-${month}-${day} ${Math.floor(minutes / size)} ${timeZoneName}`;
    }
  }
}
