/** Tables at the end of their memory. */

import { expect } from 'chai';
import type { Row, TextTable } from '../../src/textindex/api.ts';
import { standardFold } from '../../src/textindex/caseFold.ts';
import { createIndex } from '../../src/textindex/indexTable.ts';
import { mergedPage } from '../../src/textindex/partitions/pages.ts';
import { createPartitioned } from '../../src/textindex/partitions/partitioned.ts';
import type { Pointer } from '../../src/textindex/storage/brands.ts';
import { CapacityExceeded, Memory } from '../../src/textindex/storage/memory.ts';
import { createScan } from '../oracles/scan.ts';
import { TASKS, tasks, world } from '../worlds/tasks.ts';

const PAGE = 65_536;
const PAGES = 8;

describe('a memory of 8 pages', () => {
  it('lends all of it and then throws, with what was lent untouched', () => {
    const memory = new Memory(PAGES);
    const blocks: Pointer[] = [];
    const fill = () => {
      for (;;) {
        const block = memory.alloc(4096);
        memory.u8.fill(blocks.length, block, block + 4096);
        blocks.push(block);
      }
    };
    expect(fill).to.throw(CapacityExceeded, String(PAGES * PAGE));
    expect(memory.bytes).to.equal(PAGES * PAGE);
    expect(blocks.length).to.be.within(100, (PAGES * PAGE) / 4096);
    for (const [i, block] of blocks.entries()) {
      expect(memory.u8.subarray(block, block + 4096).every((byte) => byte === (i & 255))).equal(
        true,
      );
    }
    memory.free(blocks.pop()!, 4096);
    expect(memory.alloc(4096)).to.be.below(PAGES * PAGE);
  });

  for (const bytes of [PAGES * PAGE, 2 ** 32, 2 ** 32 + 16, 5 * 2 ** 30, 2 ** 40]) {
    it(`refuses a block of ${bytes} bytes and stays as it was`, () => {
      const memory = new Memory(PAGES);
      const used = memory.used;
      expect(() => memory.alloc(bytes)).to.throw(CapacityExceeded);
      expect(memory.used).to.equal(used);
      memory.reserve(bytes);
      expect(memory.bytes).to.be.at.most(PAGES * PAGE);
    });
  }
});

describe('a table in 64 pages', () => {
  const definition = {
    name: 'crowded',
    columns: [
      { name: 'text', expect: 'any', contains: true, sort: true },
      { name: 'uuid', expect: 'uuid', contains: true, equals: true },
    ],
  } as const;
  const row = (id: number): Row => ({
    id,
    cells: [
      `text ${id} ${'x'.repeat(id % 50)}`,
      `${String(id).padStart(8, '0')}-0000-4000-8000-000000000000`,
    ],
  });

  it('answers as a scan does until it throws', () => {
    const fold = standardFold();
    const layout = { segmentBits: 8, memoryPages: 64 };
    const index = createIndex(definition, { fold, layout });
    const scan = createScan(definition, { fold });
    const request = {
      where: { op: 'contains', column: 'text', text: '7' },
      ...{ sortBy: 'text', descending: false, page: 2, perPage: 20 },
    } as const;
    let rows = 0;
    const fill = () => {
      for (; rows < 1e6; rows++) {
        index.put(row(rows));
        scan.put(row(rows));
        if (rows % 512 > 0) continue;
        const found = mergedPage(request, [index.find(request)], 1);
        expect(found).to.deep.equal(scan.search(request));
      }
    };
    expect(fill).to.throw(CapacityExceeded);
    expect(rows).to.be.above(1_000);
  });
});

describe('a table of partitions of 32 pages', () => {
  const fold = standardFold();
  const ROWS = 20_000;
  /** A tenth of the texts is long, so that rows outgrow a partition that was full before. */
  const text = (id: number, turn: number) =>
    `text ${id} ${turn} ${'x'.repeat(turn * (id % 10 === 0 ? 200 : 1))}`;
  const tables = () => {
    const layout = { segmentBits: 8, memoryPages: 32 };
    const table = createPartitioned(definition, { fold, layout });
    return [table, createScan(definition, { fold })] as const;
  };
  const definition = {
    name: 'large',
    columns: [
      { name: 'text', expect: 'any', contains: true, sort: true },
      { name: 'shop', expect: 'any', equals: true, facet: true, labels: ['name'] },
    ],
  } as const;

  it('takes as many rows as come, and answers as a scan does', () => {
    const all = tables();
    const put = (from: number, to: number, turn: number) => {
      for (let id = from; id < to; id++) {
        for (const table of all) table.put({ id, cells: [text(id, turn), (id + turn) % 40] });
      }
    };
    const relate = (shop: number, name: string) => {
      for (const table of all) table.relate('shop', shop, 'name', [`${name} ${shop}`]);
    };
    for (let shop = 0; shop < 40; shop++) relate(shop, 'Apollo');
    put(0, ROWS, 1);
    const first = partitionsOf(all);
    expect(first).to.be.within(3, 12);
    put(0, ROWS, 2);
    relate(7, 'Artemis');
    const most = partitionsOf(all);
    for (let id = 0; id < ROWS; id++) if (id % 100 > 0) for (const table of all) table.remove(id);
    expect(partitionsOf(all)).to.be.at.most(most);
    // New rows take the room of old ones, where a partition's largest array may still grow.
    put(ROWS, ROWS * 2, 1);
    expect(partitionsOf(all)).to.be.below(most + first);
    all[0].check();
  });
});

/** How many partitions a table has, whose answers are those of a scan. */
function partitionsOf([table, scan]: readonly [TextTable, TextTable]): number {
  while (table.maintain(Number.POSITIVE_INFINITY));
  for (const where of [
    { op: 'contains', column: 'text', text: '77' },
    { op: 'contains', column: 'shop', label: 'name', text: 'ollo 7' },
  ] as const) {
    const request = { where, sortBy: 'text', descending: true, page: 3, perPage: 20 };
    expect(table.search(request)).to.deep.equal(scan.search(request));
  }
  const images = table.images!();
  for (const image of images) image.close();
  return images.length;
}

describe('partitions that a load fills', () => {
  it('have room for maintenance, so that the table can be kept', () => {
    const ROWS = 150_000;
    const from = world(7);
    const layout = { segmentBits: 12, memoryPages: 512 };
    const table = createPartitioned(TASKS, {
      ...{ fold: standardFold(), layout, expectedRows: ROWS, mostReserved: 0 },
    });
    for (const { id, name } of from.projects) {
      table.relate('project_id', id, 'project_name', [name]);
    }
    for (const row of tasks(ROWS, 7, from)) table.put(row);
    while (table.sort(Number.POSITIVE_INFINITY));
    while (table.maintain(Number.POSITIVE_INFINITY));
    const images = table.images!();
    for (const image of images) {
      for (const _ of image.state());
      image.close();
    }
    expect(images.length).to.be.above(1);
  });
});

describe('a table that is told to expect far too many rows', () => {
  const fill = (mostReserved?: number) => {
    const columns = [{ name: 'text', expect: 'any', contains: true } as const];
    const table = createIndex(
      { name: 'expecting', columns },
      {
        fold: standardFold(),
        expectedRows: 50_000_000,
        layout: { segmentBits: 10 },
        ...(mostReserved !== undefined && { mostReserved }),
      },
    );
    for (let id = 0; id < 1_100; id++) table.put({ id, cells: ['x'] });
    return table.bytes;
  };

  it('reserves no more than it may', () => {
    expect(fill()).to.be.above(100e6);
    expect(fill(20e6)).to.be.below(30e6);
  });
});
