/** Random questions of a table: searches with conditions, orders and counts of all kinds. */
import fc from 'fast-check';
import type { Document } from 'mongodb';
import type { FieldType } from '../../../src/tables/definition/definition.ts';
import { FILLERS, JSON_VALUES, LISTED, MOMENTS, query } from './values.ts';
import type { Field, Question, Written } from './world.ts';

/** As many places as a list of values may have. */
const LONG_LIST = Array.from({ length: 1_000 }, (_, n) => n);

/** Both ends of a range; one alone where they are as good as equal. */
function between(type: FieldType): fc.Arbitrary<Document> {
  const size = (value: unknown) => (type === 'date' ? Date.parse(String(value)) : Number(value));
  return fc.tuple(JSON_VALUES[type], JSON_VALUES[type]).map(([a, b]) => {
    if (size(a) === size(b)) return { from: a };
    return size(a) < size(b) ? { from: a, to: b } : { from: b, to: a };
  });
}

const nothingOn = (field: string): fc.Arbitrary<Document> =>
  fc.constantFrom({ field, in: [null] }, { field, not_in: [null, null] });

function conditionOn({ name, type, uses }: Field): fc.Arbitrary<Document> {
  const one = fc.oneof(
    { weight: 6, arbitrary: JSON_VALUES[type] },
    fc.constant(null),
    ...(uses.includes('facet') ? [fc.constantFrom<unknown>(...LISTED)] : []),
  );
  const few = fc.array(one, { minLength: 1, maxLength: 3 });
  const among = fc.oneof(
    { weight: 19, arbitrary: few },
    few.map((list) => [...list, ...LONG_LIST.slice(list.length).map(FILLERS[type])]),
  );
  const kinds: fc.Arbitrary<Document>[] = [];
  if (uses.includes('filter') || uses.includes('facet')) {
    kinds.push(among.map((list) => ({ field: name, in: list })));
    kinds.push(among.map((list) => ({ field: name, not_in: list })));
  }
  if (uses.includes('range')) {
    kinds.push(nothingOn(name));
    kinds.push(JSON_VALUES[type].map((from) => ({ field: name, from })));
    kinds.push(JSON_VALUES[type].map((to) => ({ field: name, to })));
    kinds.push(between(type).map((range) => ({ field: name, ...range })));
  }
  if (hasText({ type, uses })) kinds.push(inField(name));
  return fc.oneof(...kinds);
}

const hasText = ({ type, uses }: Pick<Field, 'type' | 'uses'>) =>
  uses.includes('text') || (type === 'string' && uses.includes('filter'));

const inField = (field: string): fc.Arbitrary<Document> =>
  fc
    .tuple(fc.constantFrom('contains', 'not_contains'), query)
    .map(([form, text]) => ({ field, [form]: text }));

const FREE_TEXT = fc
  .tuple(fc.constantFrom('text', 'not_text'), query)
  .map(([form, text]) => ({ [form]: text }));

function conditionsOf(single: fc.Arbitrary<Document>): fc.Arbitrary<readonly Document[]> {
  const any = fc.array(single, { minLength: 2, maxLength: 4 }).map((parts) => ({ any: parts }));
  return fc.array(fc.oneof({ weight: 4, arbitrary: single }, any), { maxLength: 3 });
}

const someNames = (most: number, names: readonly string[]) =>
  names.length === 0
    ? undefined
    : fc
        .uniqueArray(fc.constantFrom(...names), { maxLength: most })
        .map((some) => some.map((field) => ({ field })));

const TOOK: readonly number[] = [-1.5, 0, 1.499, 1.5, 86_400, 3e11];
/** The only one that needs no more than 500 buckets is `auto`. */
const INTERVALS = ['PT1M', 'PT1H', 'P1D', 'P2W', 'P1M', 'P1Y'] as const;
const HOUR_MS = 3_600_000;
const LENGTHS: Readonly<Record<(typeof INTERVALS)[number], number>> = {
  ...{ PT1M: HOUR_MS, PT1H: 48 * HOUR_MS, P1D: 300 * 24 * HOUR_MS, P2W: 1_000 * 24 * HOUR_MS },
  ...{ P1M: 1_000 * 24 * HOUR_MS, P1Y: 9_000 * 24 * HOUR_MS },
};
const ZONES = ['UTC', 'Europe/Berlin', 'America/New_York', 'Asia/Kathmandu', 'Pacific/Apia'];
const iso = (ms: number) => new Date(ms).toISOString();

/** Over all dates, or in intervals over a stretch around one of them. */
function histogramOn(dates: readonly string[], facets: readonly string[]): fc.Arbitrary<Document> {
  const by = facets.length > 0 && { by: fc.constantFrom(...facets) };
  const whole = fc.record(
    {
      field: fc.constantFrom(...dates),
      interval: fc.constant('auto'),
      min_buckets: fc.constantFrom(1, 20, 60),
      max_buckets: fc.constantFrom(60, 61, 500),
      time_zone: fc.constantFrom(...ZONES),
      until: fc.constantFrom(...MOMENTS).map(iso),
      ...by,
    },
    { requiredKeys: ['field'] },
  );
  const narrow = fc
    .tuple(
      fc.record(
        {
          field: fc.constantFrom(...dates),
          time_zone: fc.constantFrom(...ZONES),
          interval: fc.constantFrom(...INTERVALS),
          ...by,
        },
        { requiredKeys: ['field', 'interval'] },
      ),
      // The clocks of the first years are not those of `Intl`, which tells no era.
      fc.constantFrom(...MOMENTS.filter((ms) => ms > -1e12 && ms < 1e13)),
      fc.nat(9),
    )
    .map(([one, around, tenths]) => {
      const from = around - (LENGTHS[one.interval] * tenths) / 10;
      return { ...one, from: iso(from), to: iso(from + LENGTHS[one.interval]) };
    });
  return fc.oneof(whole, narrow);
}

export function questionOf(fields: readonly Field[], table: Written): fc.Arbitrary<Question> {
  const grant = fc.nat(table.access.length - 1);
  return fc.record({ body: bodyOf(fields, table), grant });
}

function bodyOf(fields: readonly Field[], table: Written): fc.Arbitrary<Document> {
  const hasSpan = table.fields.took !== undefined;
  const hasQ = table.text.length > 0;
  const labels = Object.keys(table.fields).filter((name) => table.fields[name]!.label);
  const sorts = [
    ...fields.filter(({ uses }) => uses.length > 0).map(({ name }) => name),
    ...labels,
    ...(hasSpan ? ['took'] : []),
  ];
  const filters = [
    ...(hasQ ? ['q'] : []),
    ...fields
      .filter(({ type, uses }) => type === 'string' && uses.includes('filter'))
      .map(({ name }) => name),
    ...labels.filter((name) => table.fields[name]!.use?.includes('filter') ?? true),
  ];
  const measured = [
    ...fields.filter(({ uses }) => uses.includes('range')).map(({ name }) => name),
    ...(hasSpan ? ['took'] : []),
  ];
  const asked = fields.filter(({ uses }) =>
    uses.some((use) => ['text', 'filter', 'facet', 'range'].includes(use)),
  );
  const facets = fields.filter(({ uses }) => uses.includes('facet')).map(({ name }) => name);
  const dates = fields
    .filter(({ type, uses }) => type === 'date' && uses.includes('range'))
    .map(({ name }) => name);
  const took = fc
    .constantFrom(...TOOK)
    .chain((bound) =>
      fc.constantFrom({ field: 'took', from: bound }, { field: 'took', to: bound }),
    );
  const single = [
    ...asked.map(conditionOn),
    ...(hasSpan ? [took, nothingOn('took')] : []),
    ...(hasQ ? [FREE_TEXT] : []),
    ...labels.map(inField),
  ];
  const listed = single.length > 0 ? conditionsOf(fc.oneof(...single)) : fc.constant([]);
  const facet =
    facets.length === 0
      ? undefined
      : fc.record(
          {
            field: fc.constantFrom(...facets),
            limit: fc.constantFrom(1, 2, 3, 4, 1_000),
            contains: query,
            by: fc.constantFrom(...facets),
            order: fc.constantFrom('count', 'value'),
          },
          { requiredKeys: ['field'] },
        );
  const lifted =
    facet &&
    fc
      .tuple(facet, fc.constantFrom({}, { min_count: 1 }, { min_count: 2 }))
      .map(([one, least]) => ({ ...one, order: 'lift', ...least }));
  const some = (one: fc.Arbitrary<Document>) =>
    fc.uniqueArray(one, { maxLength: 3, selector: ({ field }) => field as string });
  const sort = fc.record({
    sort_by: fc.constantFrom(...sorts),
    sort_order: fc.constantFrom('asc', 'desc'),
  });
  const stats = someNames(3, measured);
  const filled = fc.oneof(
    { weight: 9, arbitrary: query },
    fc.constantFrom<string | null>(null, '', '  '),
  );
  const plain = fc.record(
    {
      filters: fc.dictionary(
        fc.constantFrom(...(filters.length > 0 ? filters : ['none'])),
        filled,
        {
          maxKeys: filters.length > 0 ? 2 : 0,
        },
      ),
      pagination: fc.record({
        page: fc.oneof(
          { weight: 9, arbitrary: fc.integer({ min: 1, max: 3 }) },
          fc.constantFrom(1_000, Number.MAX_SAFE_INTEGER),
        ),
        per_page: fc.constantFrom(1, 3, 100, 1_000),
      }),
      sorting: fc.oneof(
        sort,
        fc.uniqueArray(sort, { ...{ minLength: 1, maxLength: 3 }, selector: (one) => one.sort_by }),
      ),
      select: listed,
      ...(stats && { stats }),
      ...(facet && { facets: some(facet) }),
      ...(dates.length > 0 && { histogram: histogramOn(dates, facets) }),
    },
    { requiredKeys: [] },
  );
  if (!facet || !lifted) return plain;
  const compared = fc.record({ baseline: listed, facets: some(fc.oneof(facet, lifted)) });
  return fc
    .tuple(plain, fc.option(compared, { freq: 2 }))
    .map(([body, more]) => ({ ...body, ...more }));
}
