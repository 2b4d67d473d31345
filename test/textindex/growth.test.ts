import { expect } from 'chai';
import type { Query, Row, Scalar } from '../../src/textindex/api.ts';
import { standardFold } from '../../src/textindex/caseFold.ts';
import { createIndex } from '../../src/textindex/index.ts';
import { Pair } from './pair.ts';

/** A UUID that follows from a number. */
function uuid(n: number): string {
  const digits = (Math.imul(n, 2654435761) >>> 0).toString(16).padStart(8, '0');
  return `${digits}-${digits.slice(4)}-4${digits.slice(1, 4)}-8${digits.slice(2, 5)}-${digits}${digits.slice(0, 4)}`;
}

const definition = {
  name: 'growing',
  columns: [
    { name: 'uuid', expect: 'uuid', contains: true, equals: true },
    { name: 'few', expect: 'any', contains: true, equals: true, labels: ['name'] },
    { name: 'date', expect: 'date', sort: true },
  ],
} as const;

const ROWS = 75_000;
const row = (n: number): Row => ({
  id: n,
  // Most rows have a value of their own in a column said to have a handful: 67,500 of them.
  cells: [
    uuid(n),
    n % 10 ? `Value ${n}` : `kind ${n % 10}`,
    new Date(1e12 + ((n * 7919) % 100_003) * 1000),
  ],
});

const contains = (column: string, text: string, label?: string): Query =>
  label ? { op: 'contains', column, label, text } : { op: 'contains', column, text };
const equals = (column: string, value: Scalar): Query => ({
  op: 'equals',
  column,
  values: [value],
});

const QUERIES: readonly Query[] = [
  contains('uuid', uuid(77_777).slice(0, 4)),
  contains('uuid', uuid(70_001).slice(6, 11)),
  equals('uuid', uuid(65_535)),
  contains('uuid', uuid(74_999).slice(3, 20)),
  contains('few', 'value 13'),
  contains('few', 'KIND'),
  contains('few', 'odd', 'name'),
  equals('few', 'Value 71071'),
  { op: 'and', of: [contains('few', 'kind'), contains('uuid', 'a')] },
];

class Growing extends Pair {
  putAll(from: number, to: number, step = 1): void {
    for (let n = from; n < to; n += step) this.put(row(n));
  }

  removeAll(from: number, to: number, step = 1): void {
    for (let n = from; n < to; n += step) this.remove(n);
  }

  compare(queries: readonly Query[]): void {
    for (const [i, where] of queries.entries()) {
      const sort = i % 2 ? { sortBy: 'id', page: 1 } : { sortBy: 'date', page: 300 };
      this.search({ where, ...sort, descending: i % 3 === 0, perPage: 20 });
    }
  }
}

describe('index of full size', function () {
  this.timeout(240_000);

  it('grows past segments, ordinal widths and hints, and shrinks again', () => {
    const pair = new Growing(definition);
    pair.putAll(0, ROWS);
    pair.relate('few', 'Value 9999', 'name', ['an odd one']);
    pair.compare(QUERIES.slice(0, 4));
    pair.maintain(5);
    pair.compare(QUERIES);
    pair.removeAll(0, ROWS, 3);
    pair.putAll(ROWS, ROWS * 2, 7);
    pair.compare(QUERIES.slice(2, 6));
    pair.maintain(5);
    pair.compare(QUERIES);
    expect(pair.index.bytes / pair.index.size).to.be.below(1000);
    pair.removeAll(0, ROWS * 2);
    pair.compare(QUERIES.slice(0, 3));
    pair.index.check();
    expect(pair.index.size).to.equal(0);
  });

  it('takes no more memory however many rows come and go', () => {
    const rows = 30_000;
    const repeating = (name: string) => ({ name, expect: 'any', contains: true }) as const;
    const columns = [definition.columns[0], repeating('folder'), repeating('person')];
    const options = { fold: standardFold(), expectedRows: rows };
    const index = createIndex({ name: 'steady', columns }, options);
    const kindOf = (n: number, kinds: number) => (Math.imul(n, 0x9e3779b1) >>> 0) % kinds;
    const rowOf = (id: number, n: number): Row => ({
      id,
      cells: [uuid(n), `folder ${kindOf(n, 3_000)}`, `person ${kindOf(n >>> 3, 2_000)}`],
    });
    const settle = () => {
      let steps = 0;
      while (index.maintain(5)) if (++steps > 5_000) throw new Error('maintenance has no end');
    };
    for (let id = 0; id < rows; id++) index.put(rowOf(id, id));
    settle();
    const change = (from: number, to: number) => {
      for (let n = from; n < to; n++) {
        index.put(rowOf(kindOf(n, rows), n));
        if (n % 500 === 0) settle();
      }
    };
    change(rows, rows * 2);
    const warm = index.bytes;
    change(rows * 2, rows * 4);
    expect(index.bytes).to.be.at.most(warm * 1.1);
    index.check();
  });
});
