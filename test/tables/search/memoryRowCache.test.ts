/** Rows that are kept are those that were made last for the id, at the version asked for, or nothing. */
import { expect } from 'chai';
import type { MemoryRow } from '../../../src/tables/definition/record.ts';
import { MemoryRowCache } from '../../../src/tables/rows/rests/memoryRowCache.ts';

const row = (bytes = 0): MemoryRow => ({
  document: {},
  joined: {},
  memory: {
    layout: { paths: [], inRest: [] },
    values: [],
    rest: {
      read(to) {
        to.length = bytes;
      },
    },
  },
});

describe('rows that list related documents', () => {
  it('are the same objects while the version is the same', () => {
    const rows = new MemoryRowCache();
    const [first, second, text] = [row(), row(), row()];
    rows.set(1, 5, first);
    rows.set('1', 5, text);
    expect(rows.get(1, 5)).to.equal(first);
    expect(rows.get('1', 5)).to.equal(text);
    expect(rows.get(1, 6)).to.equal(undefined);
    expect(rows.get(2, 5)).to.equal(undefined);
    rows.set(1, 6, second);
    expect(rows.get(1, 6)).to.equal(second);
    expect(rows.get(1, 5)).to.equal(undefined);
  });

  it('are not kept where their ids are of rare types', () => {
    const rows = new MemoryRowCache();
    for (const id of [true, null, 1n, new Date(0)]) {
      rows.set(id, 1, row());
      expect(rows.get(id, 1)).to.equal(undefined);
    }
  });

  it('take no more than so much: those that were asked for longest ago go', () => {
    const rows = new MemoryRowCache();
    for (let id = 0; id < 2_000; id++) {
      rows.set(id, 1, row(4_000));
      expect(rows.get(0, 1) !== undefined).to.equal(id < 2_000);
    }
    const kept = Array.from({ length: 2_000 }, (_, id) => rows.get(id, 1) !== undefined);
    const count = kept.filter(Boolean).length;
    expect(count).to.be.above(600);
    expect(count).to.be.below(700);
    expect(kept.slice(-count + 1).every(Boolean)).to.equal(true);
  });
});
