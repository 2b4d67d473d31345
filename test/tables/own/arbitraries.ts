/**
 * Random definitions and dirty documents for them: arrays where no array should be, several tables over
 * one collection, labels of all kinds, windows, grants of some rows.
 */
import fc from 'fast-check';
import type { Document } from 'mongodb';
import { FIELD_TYPES, type FieldType } from '../../../src/tables/definition/definition.ts';
import { ABILITIES, type FileUse } from '../../../src/tables/file/types.ts';
import { UNDEFINED } from '../../follow/support/rawInsert.ts';
import { questionOf } from './questions.ts';
import { any, CLEAN, keyOf, ROW_VALUES, SPANS } from './values.ts';
import type { Contents, Field, Stored, World, Written } from './world.ts';

/**
 * With names that few choose: a digit in front, a `$` inside, a space, letters beyond ASCII. Some lie
 * inside of others, or in arrays in arrays.
 */
const PATHS = [
  ...['a', 'b', '1c', 'd$ é', 'n.x', 'n.2y', 'n.m.z', 'l.s', 'l.t', 'l.m.u', 'l', 'n'],
];

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

/** A document with these fields: members of one parent lie together, now and then in an array. */
function documentOf(fields: readonly Stored[]): fc.Arbitrary<Document> {
  const value = fc.record(
    Object.fromEntries(fields.map(({ path, type, several }) => [path, memberOf(type, several)])),
  );
  const parents = ['n', 'n.m', 'l', 'l.m'].filter((parent) =>
    fields.some(({ path }) => path.startsWith(`${parent}.`)),
  );
  const shape = fc.record(
    Object.fromEntries(
      parents.map((parent) => [
        parent,
        fc.oneof(
          { weight: parent.startsWith('l') ? 2 : 12, arbitrary: fc.constant('object') },
          {
            weight: parent.startsWith('l') ? 8 : 1,
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

const documents = (key: FieldType, fields: readonly Stored[], maxLength: number, minLength = 1) =>
  fc
    .array(fc.tuple(keyOf(key), documentOf(fields)), { minLength, maxLength, size: 'max' })
    .map((all) => all.map(([_id, document]) => ({ _id, ...document })));

/**
 * Paths with several values: an array is on the way, or at the end of the shortest way there is.
 */
const mayBeSeveral = (path: string) => path.startsWith('l') || path === 'a' || path === 'b';

const stored = (
  path: string,
  place: number,
): fc.Arbitrary<Stored & { uses: readonly FileUse[]; values: string }> =>
  fc.constantFrom(...FIELD_TYPES, 'date' as const, 'string' as const).chain((type) =>
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

/** Where labels come from: `others` is their table, with a key of its own and another field to join by. */
interface Others {
  readonly collection: 'things' | 'others';
  readonly key: FieldType;
  readonly code: FieldType;
}

interface Label {
  readonly label: 'name' | 'title';
  readonly of: 'others';
  readonly through: string;
  readonly key?: 'code';
  readonly use?: readonly FileUse[];
}

/** The other table, mostly with keys of types that fields have, and labels from it. */
function labelsOf(
  fields: readonly Stored[],
): fc.Arbitrary<{ readonly others: Others; readonly labels: Readonly<Record<string, Label>> }> {
  const types = fields.map(({ type }) => type).filter((type) => KEYS.some((key) => key === type));
  const key = fc.constantFrom(...KEYS, ...types, ...types);
  return fc
    .record({
      collection: fc.constantFrom(...(['others', 'others', 'others', 'things'] as const)),
      key,
      code: key,
    })
    .chain((others) => labelsThrough(fields, others).map((labels) => ({ others, labels })));
}

/** Up to three labels, of one text or two, through one field or several, by one key or another. */
function labelsThrough(
  fields: readonly Stored[],
  { key, code }: Others,
): fc.Arbitrary<Readonly<Record<string, Label>>> {
  const ways = fields.flatMap(({ name, type, several }): Pick<Label, 'through' | 'key'>[] =>
    several
      ? []
      : [
          ...(type === key ? [{ through: name }] : []),
          ...(type === code ? [{ through: name, key: 'code' as const }] : []),
        ],
  );
  if (ways.length === 0) return fc.constant({});
  const uses = fc.subarray([...ABILITIES.label.possible], { minLength: 1 });
  const label = fc
    .tuple(
      fc.constantFrom(...ways),
      fc.constantFrom('name', 'name', 'title'),
      fc.option(uses, { nil: undefined }),
    )
    .map(([way, text, use]): Label => ({ label: text, of: 'others', ...way, ...(use && { use }) }));
  return fc
    .array(label, { maxLength: 3, size: 'max' })
    .map((all) => Object.fromEntries(all.map((one, i) => [`label${i}`, one])));
}

interface Grant {
  readonly rows: Document;
  readonly claims: Document;
}

/** The values that a grant names, of one field or two, or that the token claims. */
function grantOn(fields: readonly Stored[]): fc.Arbitrary<Grant | null> {
  const typed = fields.filter(({ type }) => type !== 'mixed');
  if (typed.length === 0) return fc.constant(null);
  const some = fc.subarray([...typed], { minLength: 1, maxLength: Math.min(2, typed.length) });
  return some.chain((chosen) =>
    fc
      .tuple(
        ...chosen.map(({ name, type }) => {
          const value = ROW_VALUES[type as keyof typeof ROW_VALUES];
          const values = fc.oneof(value, fc.uniqueArray(value, { minLength: 1, maxLength: 4 }));
          return fc.tuple(
            fc.constant(name),
            values,
            fc.constantFrom(...['file', 'file', 'claim', 'claim', 'claim', 'missing']),
          );
        }),
      )
      .map((all) => ({
        rows: Object.fromEntries(
          all.map(([name, values, from]) => [
            name,
            from === 'file' ? values : { claim: `of.${name}` },
          ]),
        ),
        claims: {
          of: Object.fromEntries(
            all.flatMap(([name, values, from]) => (from === 'claim' ? [[name, values]] : [])),
          ),
        },
      })),
  );
}

const contentsOf = (
  key: FieldType,
  fields: readonly Stored[],
  others: Others,
): fc.Arbitrary<Contents> =>
  fc.record({
    things: fc.oneof(
      { weight: 5, arbitrary: documents(key, fields, 14) },
      { weight: 1, arbitrary: documents(key, fields, 50, 30) },
    ),
    others: documents(others.key, otherFields(others), 8),
  });

/** Questions of each definition and its contents. */
const QUESTIONS = 30;

export const world: fc.Arbitrary<World> = fc
  .record({
    paths: fc.subarray(PATHS, { minLength: 2, maxLength: 7 }),
    key: fc.constantFrom(...KEYS, 'mixed' as const),
    windowSpan: fc.option(fc.constantFrom(...SPANS), { freq: 2 }),
    descending: fc.boolean(),
  })
  .chain(({ paths, key, windowSpan, descending }) =>
    fc.tuple(...paths.map(stored)).chain((fields) => {
      const uses = key === 'mixed' ? (['sort', 'show'] as const) : ABILITIES[key].possible;
      const id: Field = { name: 'id', path: '_id', type: key, several: false, uses };
      const all = [id, ...fields];
      const dates = fields.filter(({ type, several }) => type === 'date' && !several);
      const [first, second] = dates;
      const span = second ? [second.name, first!.name] : undefined;
      const windowed = dates.find(({ uses }) => uses.includes('range'));
      const sortable = all.filter(({ uses }) => uses.includes('sort'));
      return fc
        .tuple(
          labelsOf(all),
          fc.option(grantOn(all.filter(({ name }) => name !== 'id' || key !== 'mixed')), {
            freq: 2,
          }),
          fc.constantFrom(...sortable),
        )
        .chain(([{ others, labels }, grant, { name: sort }]) => {
          const texts = Object.keys(labels).filter(
            (name) => labels[name]!.use?.includes('text') ?? true,
          );
          const things: Written = {
            collection: 'things',
            fields: {
              id: { type: key, use: uses },
              ...Object.fromEntries(fields.map((field) => [field.name, writtenOf(field)])),
              ...labels,
              ...(span && { took: { seconds: span } }),
            },
            text: [
              ...all.filter(({ uses }) => uses.includes('text')).map(({ name }) => name),
              ...texts,
            ],
            sort: `${descending ? '-' : ''}${sort}`,
            ...(windowed && windowSpan && { window: { field: windowed.name, span: windowSpan } }),
            access: [
              { roles: ['admin'] },
              ...(grant ? [{ roles: ['some'], rows: grant.rows }] : []),
            ],
          };
          return fc.record({
            tables: fc.constant({ things, others: othersOf(others) }),
            claims: fc.constant(grant?.claims ?? {}),
            contents: fc
              .tuple(contentsOf(key, fields, others), contentsOf(key, fields, others))
              // At last only the other collection changes, and with it the labels of the same things.
              .map(([first, second]) => [first, second, { ...second, others: first.others }]),
            questions: fc.array(questionOf(all, things), {
              minLength: QUESTIONS,
              maxLength: QUESTIONS,
            }),
          });
        });
    }),
  );

const writtenOf = ({
  type,
  path,
  several,
  uses,
  values,
}: Field & { values: string }): Document => ({
  type: several ? [type] : type,
  path,
  use: uses,
  ...(type !== 'mixed' && type !== 'boolean' && type !== 'date' && { values }),
});

const otherFields = ({ code }: Others): readonly Stored[] => [
  { name: 'name', path: 'n.x', type: 'string', several: false },
  { name: 'title', path: 'l.t', type: 'string', several: false },
  { name: 'code', path: 'n.m.z', type: code, several: false },
];

const othersOf = (others: Others): Written => ({
  collection: others.collection,
  fields: {
    id: { type: others.key, use: ['filter', 'show'] },
    ...Object.fromEntries(
      otherFields(others).map(({ name, path, type }) => [name, { type, path, use: ['show'] }]),
    ),
  },
  text: [],
  sort: 'id',
  access: [{ roles: ['admin'] }],
});
