/**
 * The steps of a life, as data: fast-check makes lists of steps, shrinks them and prints them.
 *
 *     write │ transaction │ burst of writes among searches │ a change through the service
 *     drop, rename, … │ a fault │ searches │ time passes │ everything is checked
 */
import fc from 'fast-check';
import { BSON, type Document } from 'mongodb';
import { type Ask, ask } from './asks.ts';
import { changesOf, documentOf, FOLLOWED, type Followed, idOf, relatedChanges } from './values.ts';

export type Write =
  | ({ readonly kind: 'insert' | 'replace' | 'upsert' | 'swap' } & {
      readonly collection: Followed;
      readonly id: unknown;
      readonly document: Document;
    })
  | { readonly kind: 'remove'; readonly collection: Followed; readonly id: unknown }
  | {
      readonly kind: 'update';
      readonly collection: Followed;
      readonly id: unknown;
      readonly update: Document;
    }
  | { readonly kind: 'updateMany'; readonly collection: Followed; readonly update: Document }
  | { readonly kind: 'bulk'; readonly ordered: boolean; readonly of: readonly Write[] }
  | { readonly kind: 'transaction'; readonly abort: boolean; readonly of: readonly Write[] };

export type Ddl = {
  readonly kind:
    | 'drop'
    | 'rename away'
    | 'rename over'
    | '$out'
    | 'dropDatabase'
    | 'create'
    | 'createIndex';
  readonly collection: Followed;
};

export interface Fault {
  readonly failCommands: readonly string[];
  readonly errorCode?: number;
  readonly times: number;
}

export type Step =
  /** `own`: the writer tells the service, as its management operations do. */
  | { readonly kind: 'write'; readonly own: boolean; readonly write: Write }
  | { readonly kind: 'burst'; readonly writes: readonly Write[]; readonly asks: readonly Ask[] }
  | { readonly kind: 'search'; readonly asks: readonly Ask[] }
  | { readonly kind: 'enable'; readonly schedule: number; readonly enabled: boolean }
  | { readonly kind: 'ddl'; readonly ddl: Ddl; readonly asks: readonly Ask[] }
  | {
      readonly kind: 'fault';
      readonly fault: Fault;
      readonly writes: readonly Write[];
      readonly asks: readonly Ask[];
    }
  | { readonly kind: 'kill'; readonly asks: readonly Ask[] }
  | { readonly kind: 'pause'; readonly ms: number }
  | { readonly kind: 'settle' };

const collection = fc.constantFrom(...FOLLOWED);

const plainWrite: fc.Arbitrary<Write> = fc.oneof(
  {
    weight: 5,
    arbitrary: collection.chain((name) =>
      fc.record({
        kind: fc.constantFrom('insert', 'insert', 'replace', 'upsert', 'swap'),
        collection: fc.constant(name),
        id: idOf[name],
        document: documentOf(name),
      }),
    ),
  },
  {
    weight: 3,
    arbitrary: collection.chain((name) =>
      fc.record({
        kind: fc.constant('update' as const),
        collection: fc.constant(name),
        id: idOf[name],
        update: changesOf(name),
      }),
    ),
  },
  {
    weight: 3,
    arbitrary: fc
      .tuple(relatedChanges, fc.integer({ min: 1, max: 9 }))
      .map(([change, id]) => ({ kind: 'update' as const, id, ...change })),
  },
  {
    weight: 2,
    arbitrary: collection.chain((name) =>
      fc.record({
        kind: fc.constant('remove' as const),
        collection: fc.constant(name),
        id: idOf[name],
      }),
    ),
  },
  {
    weight: 1,
    arbitrary: collection.chain((name) =>
      fc.record({
        kind: fc.constant('updateMany' as const),
        collection: fc.constant(name),
        update: changesOf(name),
      }),
    ),
  },
);

/** A write or step of this kind, drawn so often. */
const often = <Kind extends string, Drawn>(
  weight: number,
  kind: Kind,
  members: { [Name in keyof Drawn]: fc.Arbitrary<Drawn[Name]> },
) => ({ weight, arbitrary: fc.record(members).map((drawn) => ({ kind, ...drawn })) });

const several = fc.array(plainWrite, { minLength: 1, maxLength: 5 });

/** Any write. */
export const write: fc.Arbitrary<Write> = fc.oneof(
  { weight: 10, arbitrary: plainWrite },
  often(3, 'transaction', {
    abort: fc.integer({ min: 0, max: 4 }).map((n) => n === 0),
    of: several,
  }),
  often(2, 'bulk', { ordered: fc.boolean(), of: several }),
);

const asks = fc.array(ask, { minLength: 1, maxLength: 4 });

/** Commands that the server may fail, with the code of the error; null cuts the connection. */
const FAULTS: readonly (readonly [readonly string[], number | null])[] = [
  [['getMore'], null],
  [['getMore'], 43],
  [['getMore'], 286],
  [['getMore'], 11601],
  [['find'], null],
  [['find'], 246],
  [['find'], 361],
  [['aggregate'], null],
  [['aggregate'], 246],
  [['aggregate'], 11600],
  [['find', 'aggregate', 'getMore'], null],
];

const fault: fc.Arbitrary<Fault> = fc
  .tuple(fc.integer({ min: 0, max: FAULTS.length - 1 }), fc.integer({ min: 1, max: 3 }))
  .map(([n, times]) => {
    const [failCommands, errorCode] = FAULTS[n]!;
    return { failCommands, times, ...(errorCode !== null && { errorCode }) };
  });

const ddl: fc.Arbitrary<Ddl> = fc.record({
  kind: fc.constantFrom(
    ...(['drop', 'drop', 'rename away', 'rename over', 'rename over', '$out'] as const),
    ...(['dropDatabase', 'create', 'createIndex'] as const),
  ),
  collection,
});

const step: fc.Arbitrary<Step> = fc.oneof(
  often(10, 'write', { own: fc.boolean(), write }),
  often(8, 'search', { asks }),
  often(5, 'burst', {
    writes: fc.array(write, { minLength: 1, maxLength: 5 }),
    asks: fc.array(ask, { minLength: 2, maxLength: 8 }),
  }),
  often(1, 'enable', { schedule: fc.integer({ min: 1, max: 9 }), enabled: fc.boolean() }),
  often(1, 'ddl', { ddl, asks: fc.array(ask, { minLength: 2, maxLength: 6 }) }),
  often(1, 'fault', { fault, writes: fc.array(write, { minLength: 1, maxLength: 3 }), asks }),
  often(1, 'kill', { asks }),
  often(1, 'pause', { ms: fc.integer({ min: 1, max: 20 }) }),
  { weight: 2, arbitrary: fc.constant({ kind: 'settle' as const }) },
);

/** A life of the store and its searchers, from an empty database on. */
export const lives = (maxLength: number): fc.Arbitrary<Printed<Step>[]> =>
  fc.array(step.map(printed), { minLength: 1, maxLength, size: 'max' });

export type Printed<T> = T & { readonly [fc.toStringMethod]: () => string };

const printed = <T extends object>(value: T): Printed<T> =>
  Object.defineProperty({ ...value }, fc.toStringMethod, {
    value: () => BSON.EJSON.stringify(value),
    enumerable: false,
  }) as Printed<T>;
