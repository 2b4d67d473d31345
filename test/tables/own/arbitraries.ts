/**
 * Random definitions, dirty documents for them, and questions that hit these.
 *
 * Pools are small, so that values meet: equal ones of different types, ids and their texts, arrays
 * where no array should be.
 */
import fc from 'fast-check';
import {
  Binary,
  Decimal128,
  type Document,
  Double,
  Int32,
  Long,
  MinKey,
  ObjectId,
  Timestamp,
  UUID,
} from 'mongodb';
import { FIELD_TYPES, type FieldType } from '../../../src/tables/definition/definition.ts';
import { ABILITIES, type FileUse } from '../../../src/tables/file/types.ts';
import { UNDEFINED } from '../../follow/support/rawInsert.ts';

/** A table of a file, as a file has it. */
export interface Written {
  readonly collection: string;
  readonly fields: Readonly<Record<string, Document>>;
  readonly text: readonly string[];
  readonly sort: string;
  readonly window?: { readonly field: string; readonly span: string };
}

/** Documents by collection. */
export type Contents = Readonly<Record<'things' | 'others', readonly Document[]>>;

export interface World {
  readonly tables: Readonly<Record<'things' | 'others', Written>>;
  /** Contents of the collections, one after the other. */
  readonly contents: readonly Contents[];
  readonly bodies: readonly Document[];
}

/** With names that few choose: a digit in front, a `$` inside, a space, letters beyond ASCII. */
const PATHS = ['a', 'b', '1c', 'd$ é', 'n.x', 'n.2y', 'n.m.z', 'l.s', 'l.t'];

const OBJECT_IDS = [
  '65f000000000000000000001',
  '65f00000000000000000000a',
  '65f0ffffaaaaaaaaaa000001',
  'a5f00000aaaaaaaaaa00000a',
];
const UUIDS = ['7d0a0000-1111-4000-8000-000000000001', '7d0a0000-1111-4000-8000-00000000000a'];
const WORDS = [
  '',
  'Ann',
  'ann',
  'straße',
  'STRAẞE',
  'a',
  '😀',
  '1',
  '12.5',
  ...OBJECT_IDS.slice(0, 2),
  ...UUIDS,
];
const DECIMALS = [
  '12.5',
  '12.50',
  '0.1',
  '-0.1',
  '9007199254740993',
  '1',
  '0.30',
  '1E+30',
  '-7.25',
];
const NUMBERS = [1, 2, 12.5, 0.1, 0.3, -7.25, 9007199254740992, -1];
const DAY_MS = 86_400_000;
/** Windows of a day and of a week differ by the last two but one; no window's start is near any. */
const NOW = Date.now();
const MOMENTS = [0, 1, 1_500, DAY_MS, 1_767_225_600_000, NOW - 3 * DAY_MS, NOW, NOW + DAY_MS];
const SPANS = ['12h', '1d', '1w', '9999w'];

const objectId = fc.constantFrom(...OBJECT_IDS).map((hex) => new ObjectId(hex));
const date = fc.constantFrom(...MOMENTS).map((ms) => new Date(ms));
const binary = fc.constantFrom(new UUID(UUIDS[0]), new Binary(Buffer.from('ab')));
const decimal = fc.constantFrom(...DECIMALS).map((text) => Decimal128.fromString(text));
const double = fc.constantFrom(...NUMBERS).map((number) => new Double(number));
const number = fc.oneof(
  double,
  fc.constantFrom(1, 2, -1, 12).map((n) => new Int32(n)),
  fc.constantFrom('1', '9007199254740993').map((text) => Long.fromString(text)),
  decimal,
);

const CLEAN: Readonly<Record<FieldType, fc.Arbitrary<unknown>>> = {
  string: fc.constantFrom(...WORDS),
  number,
  decimal,
  boolean: fc.boolean(),
  date,
  objectId,
  uuid: fc.constantFrom(...UUIDS),
  mixed: fc.constantFrom<unknown>({ a: [1] }, [1, { b: null }], 'x', 7),
};
const odd = fc.constantFrom<unknown>(
  ...[null, undefined, Number.NaN, Number.POSITIVE_INFINITY, new Double(-0), { a: 1 }, {}],
  ...[
    new UUID(UUIDS[1]),
    new Binary(Buffer.from('ab')),
    new MinKey(),
    Timestamp.fromBits(1, 2),
    /a/i,
    UNDEFINED,
  ],
  ...['NaN', '-Infinity', '1E-40', '0E+2'].map((text) => Decimal128.fromString(text)),
);
const any: fc.Arbitrary<unknown> = fc.oneof(...Object.values(CLEAN), odd);

/** Mostly a value of the type; now and then another one, or some of them. */
const memberOf = (type: FieldType, several: boolean): fc.Arbitrary<unknown> => {
  const clean = CLEAN[type];
  const some = fc.array(fc.oneof({ weight: 3, arbitrary: clean }, any), { maxLength: 3 });
  return fc.oneof(
    { weight: 10, arbitrary: clean },
    { weight: 2, arbitrary: fc.constantFrom(undefined, undefined, UNDEFINED) },
    { weight: 1, arbitrary: any },
    { weight: several ? 8 : 1, arbitrary: some },
    { weight: 1, arbitrary: fc.array(some, { maxLength: 2 }) },
  );
};

interface Stored {
  readonly name: string;
  readonly path: string;
  readonly type: FieldType;
  readonly several: boolean;
}

/** A document with these fields: members of one parent lie together, now and then in an array. */
function documentOf(fields: readonly Stored[]): fc.Arbitrary<Document> {
  const value = fc.record(
    Object.fromEntries(fields.map(({ path, type, several }) => [path, memberOf(type, several)])),
  );
  const parents = ['n', 'n.m', 'l'].filter((parent) =>
    fields.some(({ path }) => path.startsWith(`${parent}.`)),
  );
  const shape = fc.record(
    Object.fromEntries(
      parents.map((parent) => [
        parent,
        fc.oneof(
          { weight: parent === 'l' ? 2 : 12, arbitrary: fc.constant('object') },
          {
            weight: parent === 'l' ? 8 : 1,
            arbitrary: fc.constantFrom('array', 'pair', 'mixed', 'empty'),
          },
          { weight: 1, arbitrary: fc.constantFrom('nested', 'other') },
        ),
      ]),
    ),
  );
  return fc.tuple(value, value, shape, any).map(([first, second, shapes, other]) => {
    const inside = (values: Document, prefix: string): Document => {
      const object: Document = {};
      for (const [path, one] of Object.entries(values)) {
        if (one === undefined || !path.startsWith(prefix)) continue;
        const [name, ...more] = path.slice(prefix.length).split('.') as [string, ...string[]];
        if (more.length === 0) object[name] = one;
      }
      for (const parent of parents) {
        if (!parent.startsWith(prefix) || parent.slice(prefix.length).includes('.')) continue;
        const one = inside(first, `${parent}.`);
        const two = inside(second, `${parent}.`);
        object[parent.slice(prefix.length)] = shaped(shapes[parent]!, one, two, other);
      }
      return object;
    };
    return inside(first, '');
  });
}

function shaped(shape: string, one: Document, two: Document, other: unknown): unknown {
  switch (shape) {
    case 'array':
      return [one];
    case 'pair':
      return [one, two];
    case 'mixed':
      return [one, other];
    case 'empty':
      return [];
    case 'nested':
      return [[one], two];
    case 'other':
      return other;
    default:
      return one;
  }
}

const keyOf = (type: FieldType): fc.Arbitrary<unknown> =>
  fc.oneof(
    { weight: 10, arbitrary: type === 'number' ? fc.nat(30) : CLEAN[type] },
    {
      weight: 6,
      arbitrary: fc.nat(0xfff).map((n) => new ObjectId(n.toString(16).padStart(24, '65f0'))),
    },
    { weight: 1, arbitrary: fc.oneof(fc.constantFrom(...WORDS), fc.nat(5), date, decimal, binary) },
  );

const documents = (key: FieldType, fields: readonly Stored[], maxLength: number) =>
  fc
    .array(fc.tuple(keyOf(key), documentOf(fields)), { minLength: 1, maxLength })
    .map((all) => all.map(([_id, document]) => ({ _id, ...document })));

/** By an array on the way, or at the end of the shortest way there is. */
const mayBeSeveral = (path: string) => path.startsWith('l.') || path === 'a' || path === 'b';

const stored = (
  path: string,
  place: number,
): fc.Arbitrary<Stored & { uses: readonly FileUse[]; values: string }> =>
  fc.constantFrom(...FIELD_TYPES).chain((type) =>
    fc
      .record({
        several: type === 'mixed' ? fc.constant(false) : fc.constantFrom(false, mayBeSeveral(path)),
        uses: fc.subarray([...ABILITIES[type].possible], { minLength: 1 }),
        values: fc.constantFrom('few', 'many', 'unique'),
      })
      .map(({ several, uses, values }) => {
        const kept = several ? uses.filter((use) => use !== 'sort') : uses;
        const all: readonly FileUse[] = kept.length > 0 ? kept : ['show'];
        return { name: `f${place}`, path, type, several, values, uses: all };
      }),
  );

const KEYS = ['objectId', 'objectId', 'string', 'number', 'uuid'] as const;

const JSON_VALUES: Readonly<Record<FieldType, fc.Arbitrary<unknown>>> = {
  string: CLEAN.string,
  number: fc.constantFrom<unknown>(...NUMBERS, '0.1', '12.50', '9007199254740993'),
  decimal: fc.constantFrom<unknown>(...NUMBERS, '0.10', '12.5', '9007199254740993'),
  boolean: fc.boolean(),
  date: fc.constantFrom(...MOMENTS).map((ms) => new Date(ms).toISOString()),
  objectId: fc.constantFrom(...OBJECT_IDS, OBJECT_IDS[1]!.toUpperCase()),
  uuid: fc.constantFrom(...UUIDS, UUIDS[1]!.toUpperCase()),
  mixed: fc.constant(null),
};
/** Values of any type, as a facet may list them. */
const LISTED = [...WORDS, ...NUMBERS, ...DECIMALS.filter((text) => text !== '1E+30'), true, false];
const QUERIES = [
  'a',
  '0',
  '65F0',
  '000a',
  'ann',
  'ß',
  '-',
  '1',
  '7d0a',
  '0-1',
  'aaaa0',
  '65f00000000000000000000a',
  'x',
] as const;
const query = fc.constantFrom(...QUERIES);

/** Letters of all texts that are stored or asked for. */
export const LETTERS = [...[...WORDS, ...UUIDS, ...OBJECT_IDS, ...QUERIES].join('')];

type Field = Stored & { readonly uses: readonly FileUse[] };

function conditionOn({ name, type, uses }: Field): fc.Arbitrary<Document> {
  const one = fc.oneof(
    { weight: 6, arbitrary: JSON_VALUES[type] },
    fc.constant(null),
    ...(uses.includes('facet') ? [fc.constantFrom<unknown>(...LISTED)] : []),
  );
  const among = fc.array(one, { minLength: 1, maxLength: 3 });
  const kinds: fc.Arbitrary<Document>[] = [];
  if (uses.includes('filter') || uses.includes('facet')) {
    kinds.push(among.map((list) => ({ field: name, in: list })));
    kinds.push(among.map((list) => ({ field: name, not_in: list })));
  }
  if (uses.includes('range')) {
    kinds.push(JSON_VALUES[type].map((from) => ({ field: name, from })));
    kinds.push(JSON_VALUES[type].map((to) => ({ field: name, to })));
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

function bodyOf(
  fields: readonly Field[],
  sorts: readonly string[],
  more: {
    readonly q: boolean;
    readonly filters: readonly string[];
    readonly seconds: boolean;
    /** Fields with statistics. */
    readonly measured: readonly string[];
  },
): fc.Arbitrary<Document> {
  const asked = fields.filter(({ uses }) =>
    uses.some((use) => ['text', 'filter', 'facet', 'range'].includes(use)),
  );
  const facets = fields.filter(({ uses }) => uses.includes('facet')).map(({ name }) => name);
  const dates = fields
    .filter(({ type, uses }) => type === 'date' && uses.includes('range'))
    .map(({ name }) => name);
  const names = [...(more.q ? ['q'] : []), ...more.filters];
  const took = fc
    .constantFrom(-1.5, 0, 1.499, 1.5, 86_400)
    .chain((bound) =>
      fc.constantFrom({ field: 'took', from: bound }, { field: 'took', to: bound }),
    );
  const single = [
    ...asked.map(conditionOn),
    ...(more.seconds ? [took] : []),
    ...(more.q ? [FREE_TEXT] : []),
    ...(more.filters.includes('label') ? [inField('label')] : []),
  ];
  const any = fc
    .array(fc.oneof(...single), { minLength: 2, maxLength: 3 })
    .map((parts) => ({ any: parts }));
  const conditions = single.length > 0 ? [...single, any] : [];
  const listed =
    conditions.length > 0 ? fc.array(fc.oneof(...conditions), { maxLength: 2 }) : fc.constant([]);
  const facet =
    facets.length === 0
      ? undefined
      : fc.record(
          {
            field: fc.constantFrom(...facets),
            limit: fc.integer({ min: 1, max: 4 }),
            contains: query,
            by: fc.constantFrom(...facets),
            order: fc.constantFrom('count', 'value'),
          },
          { requiredKeys: ['field'] },
        );
  const lifted = facet?.map((one) => ({ ...one, order: 'lift', min_count: 1 }));
  const some = (one: fc.Arbitrary<Document>) =>
    fc.uniqueArray(one, { maxLength: 2, selector: ({ field }) => field as string });
  const histogram =
    dates.length === 0
      ? undefined
      : fc.record(
          {
            field: fc.constantFrom(...dates),
            interval: fc.constant('P1Y'),
            ...(facets.length > 0 && { by: fc.constantFrom(...facets) }),
          },
          { requiredKeys: ['field', 'interval'] },
        );
  const sort = fc.record({
    sort_by: fc.constantFrom(...sorts),
    sort_order: fc.constantFrom('asc', 'desc'),
  });
  const plain = fc.record(
    {
      filters: fc.dictionary(fc.constantFrom(...(names.length > 0 ? names : ['none'])), query, {
        maxKeys: names.length > 0 ? 2 : 0,
      }),
      pagination: fc.record({
        page: fc.integer({ min: 1, max: 3 }),
        per_page: fc.constantFrom(3, 100),
      }),
      sorting: fc.oneof(
        sort,
        fc.uniqueArray(sort, { ...{ minLength: 1, maxLength: 3 }, selector: (one) => one.sort_by }),
      ),
      select: listed,
      ...(more.measured.length > 0 && {
        stats: some(fc.constantFrom(...more.measured).map((field) => ({ field }))),
      }),
      ...(facet && { facets: some(facet) }),
      ...(histogram && { histogram }),
    },
    { requiredKeys: [] },
  );
  if (!facet || !lifted) return plain;
  const compared = fc.record({ baseline: listed, facets: some(fc.oneof(facet, lifted)) });
  return fc
    .tuple(plain, fc.option(compared, { freq: 2 }))
    .map(([body, more]) => ({ ...body, ...more }));
}

/** Questions of each definition and its contents. */
const QUESTIONS = 40;

export const world: fc.Arbitrary<World> = fc
  .record({
    paths: fc.subarray(PATHS, { minLength: 2, maxLength: 7 }),
    key: fc.constantFrom(...KEYS),
    otherKey: fc.constantFrom(...KEYS),
    hasLabel: fc.boolean(),
    isThroughKey: fc.boolean(),
    hasSpan: fc.boolean(),
    windowSpan: fc.option(fc.constantFrom(...SPANS)),
  })
  .chain(({ paths, key, otherKey, hasLabel, isThroughKey, hasSpan, windowSpan }) =>
    fc.tuple(...paths.map(stored)).chain((fields) => {
      const uses = ABILITIES[key].possible;
      const id: Field = { name: 'id', path: '_id', type: key, several: false, uses };
      const through = hasLabel
        ? [...(isThroughKey ? [id] : []), ...fields].find(
            ({ type, several }) => type === otherKey && !several,
          )
        : undefined;
      const dates = fields
        .filter(({ type, several }) => type === 'date' && !several)
        .map(({ name }) => name);
      const span = hasSpan && dates.length >= 2 ? dates.slice(0, 2) : undefined;
      const windowed = fields.find(
        ({ type, several, uses }) => type === 'date' && !several && uses.includes('range'),
      );
      const written = Object.fromEntries(
        fields.map(({ name, path, type, several, uses, values }) => [
          name,
          {
            type: several ? [type] : type,
            path,
            use: uses,
            ...(type !== 'mixed' && type !== 'boolean' && type !== 'date' && { values }),
          },
        ]),
      );
      const things: Written = {
        collection: 'things',
        fields: {
          id: { type: key, use: uses },
          ...written,
          ...(through && { label: { label: 'name', of: 'others', through: through.name } }),
          ...(span && { took: { seconds: span } }),
        },
        text: [
          ...[id, ...fields].filter(({ uses }) => uses.includes('text')).map(({ name }) => name),
          ...(through ? ['label'] : []),
        ],
        sort: 'id',
        ...(windowed && windowSpan && { window: { field: windowed.name, span: windowSpan } }),
      };
      const other: Stored = { name: 'name', path: 'n.x', type: 'string', several: false };
      const others: Written = {
        collection: 'others',
        fields: {
          id: { type: otherKey, use: ['filter', 'show'] },
          name: { type: 'string', path: 'n.x', use: ['text', 'show'] },
        },
        text: ['name'],
        sort: 'id',
      };
      const sorts = ['id', ...fields.map(({ name }) => name)];
      if (span) sorts.push('took');
      if (through) sorts.push('label');
      const measured = [id, ...fields]
        .filter(({ uses }) => uses.includes('range'))
        .map(({ name }) => name);
      if (span) measured.push('took');
      const filters = [
        ...fields
          .filter(({ type, uses }) => type === 'string' && uses.includes('filter'))
          .map(({ name }) => name),
        ...(through ? ['label'] : []),
      ];
      const more = { q: things.text.length > 0, filters, measured, seconds: span !== undefined };
      return fc.record({
        tables: fc.constant({ things, others }),
        contents: fc.array(
          fc.record({
            things: documents(key, fields, 14),
            others: documents(otherKey, [other], 5),
          }),
          { minLength: 2, maxLength: 2 },
        ),
        bodies: fc.array(bodyOf([id, ...fields], sorts, more), {
          minLength: QUESTIONS,
          maxLength: QUESTIONS,
        }),
      });
    }),
  );
