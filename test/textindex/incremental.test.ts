/**
 * Explores that are kept up to date by what changes: each answer is what the table answers then, whatever
 * has changed. `RUNS` and `SEED` as in index.test.ts.
 */
import { expect } from 'chai';
import fc from 'fast-check';
import type {
  ExploreRequest,
  ExploreResult,
  Query,
  RowId,
  Scalar,
  TextTable,
} from '../../src/textindex/api.ts';
import { standardFold } from '../../src/textindex/caseFold.ts';
import { IncrementalExplore } from '../../src/textindex/incremental/incrementalExplore.ts';
import { type RowChange, RowVersion } from '../../src/textindex/incremental/rowVersion.ts';
import { queryTest } from '../../src/textindex/incremental/versionTests.ts';
import { Vocabulary } from '../../src/textindex/incremental/vocabulary.ts';
import { createIndex } from '../../src/textindex/indexTable.ts';
import { EMPTY_ARRAY, scalarKey } from '../../src/textindex/scalars.ts';
import { createScan } from '../oracles/scan.ts';
import { SEED } from '../support/seed.ts';
import { definition, explore, type Step, step } from './arbitraries.ts';
import { comparable, shown } from './explored.ts';

const RUNS = Number(process.env.RUNS ?? 150);
const fold = standardFold();
const foldText = (text: string) => fold.fold(text);
const columns = definition.columns.map(({ name }) => name);

/** How often an answer was there, and how often something had to be asked for it. */
interface Tally {
  known: number;
  asked: number;
}

/** Small ones, so that edges are met. */
interface Sizes {
  /** Of the vocabulary. */
  readonly values: number;
  readonly spareRows: number;
}

/** A table with explores that are kept beside it. */
class Watched {
  readonly #table: TextTable;
  readonly #requests: readonly ExploreRequest[];
  readonly #sizes: Sizes;
  readonly #tally: Tally;
  readonly #labels = new Map<string, readonly string[]>();
  #incremental: IncrementalExplore[] = [];
  #pending: RowChange[] = [];

  constructor(table: TextTable, requests: readonly ExploreRequest[], sizes: Sizes, tally: Tally) {
    this.#table = table;
    this.#requests = requests;
    this.#sizes = sizes;
    this.#tally = tally;
    this.#begin();
  }

  run(step: Step): void {
    switch (step.do) {
      case 'put':
        for (const row of step.rows) {
          const before = this.#before(row.id);
          const after = new RowVersion(row.id, row.cells, foldText, before);
          this.#pending.push({ before, after });
          this.#table.put(row);
        }
        break;
      case 'remove':
        for (const id of step.ids) {
          this.#pending.push({ before: this.#before(id), after: undefined });
          this.#table.remove(id);
        }
        break;
      case 'relate':
        this.#table.relate(step.to[0], step.value, step.to[1], step.texts);
        this.#labels.set(`${step.to.join()} ${scalarKey(step.value)}`, step.texts);
        this.#begin();
        break;
      case 'maintain':
        break;
      default:
        this.compare();
    }
  }

  compare(): void {
    for (const [i, kept] of this.#incremental.entries()) {
      const request = this.#requests[i]!;
      kept.change(this.#pending);
      if (this.#pending.length > 0) this.#tally[kept.isCurrent ? 'known' : 'asked']++;
      const got = byKeys(kept.answer(this.#table)!);
      expect(got, shown(request)).to.deep.equal(byKeys(this.#table.explore(request)));
    }
    this.#pending = [];
  }

  /** As when a label has changed. */
  #begin(): void {
    const labelTexts = (column: string, label: string, value: Scalar) =>
      this.#labels.get(`${column},${label} ${scalarKey(value)}`) ?? [];
    this.#pending = [];
    this.#incremental = this.#requests.map((request) => {
      const { values, spareRows } = this.#sizes;
      const vocabulary = new Vocabulary(values);
      const means = { definition, fold: foldText, labelTexts, vocabulary, spareRows };
      const kept = new IncrementalExplore(request, means);
      kept.answer(this.#table);
      return kept;
    });
  }

  #before(id: RowId): RowVersion | undefined {
    const values = this.#table.valuesOf(id, columns);
    return values && new RowVersion(id, values, foldText, undefined);
  }
}

/** With the keys of ids as well. */
const byKeys = (result: ExploreResult) => comparable({ ...result, ids: result.ids.map(scalarKey) });

/** Of few rows, so that many change again and again. */
function ofFew(one: Step): Step {
  const few = (id: RowId) => (typeof id === 'number' && id > 40 ? id % 40 : id);
  if (one.do === 'put') {
    return { ...one, rows: one.rows.map((row) => ({ ...row, id: few(row.id) })) };
  }
  return one.do === 'remove' ? { ...one, ids: one.ids.map(few) } : one;
}

/** Small changes, as most are, beside those of the tables' own property. */
const anySteps = fc.array(
  fc.oneof(
    { weight: 1, arbitrary: step },
    {
      weight: 2,
      arbitrary: step.map((one): Step => {
        if (one.do === 'put') return ofFew({ ...one, rows: one.rows.slice(0, 2) });
        return one.do === 'remove' ? ofFew({ ...one, ids: one.ids.slice(0, 2) }) : one;
      }),
    },
  ),
  { minLength: 6, maxLength: 40, size: 'max' },
);

/** Searches for everything too; and buckets that are others with each least and greatest date. */
const anyRequest = fc
  .tuple(explore, fc.boolean(), fc.boolean())
  .map(([request, everywhere, tight]): ExploreRequest => {
    const { histogram } = request;
    const boundaries = (first?: number, last?: number) =>
      first === undefined ? [] : [first - 1, Math.floor((first + last!) / 2), last! + 2];
    return {
      ...request,
      ...(everywhere && { where: ALL, within: ALL }),
      ...(histogram && tight && { histogram: { ...histogram, boundaries } }),
    };
  });
const ALL: Query = { op: 'all' };
const anySizes = fc.record({
  values: fc.constantFrom(6, 200, 65_536),
  spareRows: fc.constantFrom(0, 2, 4),
});

describe('explores that are kept', function () {
  this.timeout(120_000);
  const layout = { segmentBits: 7, blockRows: 4, denseRows: 8, listedRows: 3, probedRows: 6 };
  const tables = {
    index: () => createIndex(definition, { fold, layout }),
    scan: () => createScan(definition, { fold }),
  };
  for (const [name, create] of Object.entries(tables)) {
    it(`are what the table answers, whatever changes (${name}; SEED=${SEED} RUNS=${RUNS})`, () => {
      const tally: Tally = { known: 0, asked: 0 };
      const requests = fc.array(anyRequest, { minLength: 1, maxLength: 4 });
      fc.assert(
        fc.property(anySteps, requests, anySizes, (steps, asked, sizes) => {
          const watched = new Watched(create(), asked, sizes, tally);
          for (const one of steps) watched.run(one);
          watched.compare();
        }),
        { numRuns: RUNS, seed: SEED, endOnFailure: process.env.SHRINK === 'off' },
      );
      expect(tally.known, JSON.stringify(tally)).to.be.above(tally.asked);
    });
  }

  it('take an empty array inside of a value for nothing', () => {
    const tally: Tally = { known: 0, asked: 0 };
    const page = { where: ALL, sortBy: 'id', descending: false, page: 1, perPage: 5 };
    const request = { ...page, conditions: [], facets: [{ column: 'project', limit: 5 }] };
    const sizes = { values: 200, spareRows: 25 };
    const watched = new Watched(tables.scan(), [request], sizes, tally);
    for (const cell of [['p1'], ['p1', EMPTY_ARRAY], ['p1', new Date(1)], [EMPTY_ARRAY], []]) {
      const cells = definition.columns.map(({ name }) => (name === 'project' ? cell : null));
      watched.run({ do: 'put', rows: [{ id: 1, cells }] });
      watched.compare();
    }
    expect(tally).to.deep.equal({ known: 5, asked: 0 });
  });

  it('know of rows past those that are kept that they do not know them', () => {
    const tally: Tally = { known: 0, asked: 0 };
    const page = { where: ALL, sortBy: 'id', descending: false, page: 1, perPage: 2 };
    const table = tables.scan();
    const cells = definition.columns.map(() => null);
    for (let id = 1; id <= 6; id++) table.put({ id, cells });
    const sizes = { values: 200, spareRows: 2 };
    const watched = new Watched(table, [{ ...page, conditions: [], facets: [] }], sizes, tally);
    const steps: Step[] = [
      { do: 'remove', ids: [1] },
      { do: 'put', rows: [{ id: 7, cells }] },
      { do: 'remove', ids: [2] },
      { do: 'remove', ids: [3] },
    ];
    for (const one of steps) {
      watched.run(one);
      watched.compare();
    }
    expect(tally).to.deep.equal({ known: 3, asked: 1 });
  });

  it('do not take one query for another that is written alike', () => {
    const date = new Date(5);
    const means = { definition, fold: foldText, labelTexts: () => [] };
    const row = new RowVersion(
      1,
      definition.columns.map(({ name }) => (name === 'dates' ? date : null)),
      foldText,
      undefined,
    );
    const holds = (value: Scalar) => {
      const equals: Query = { op: 'equals', column: 'dates', values: [value] };
      return queryTest({ op: 'or', of: [equals] }, means)(row);
    };
    expect([date.toISOString(), date].map(holds)).to.deep.equal([false, true]);
    expect([date, date.toISOString()].map(holds)).to.deep.equal([true, false]);
  });
});
