/**
 * Rows from memory are written as they are, though values come and go and the table gives free
 * numbers to others.
 */
import { expect } from 'chai';
import fc from 'fast-check';
import { taskCatalogue } from '../../src/apps/admin/resources/taskTypes.ts';
import { RowWriter } from '../../src/serve/answer/memoryRowWriter.ts';
import { Output } from '../../src/store/bson/output.ts';
import {
  json,
  type MemoryRow,
  type RecordContext,
  relatedText,
  text,
} from '../../src/tables/definition/record.ts';
import { createIndex, standardFold } from '../../src/textindex/index.ts';

const definition = {
  name: 'things',
  columns: [
    { name: 'worker', expect: 'any', contains: true },
    { name: 'folder', expect: 'any', equals: true },
  ],
} as const;
const PATHS = ['worker', 'folder'];
const layout = { paths: PATHS, inRest: [{ name: 'args' }] };
const record = {
  worker: text('worker'),
  folder: text('folder'),
  args: json('args'),
  owner: relatedText('owner', 'name'),
};
const context: RecordContext = { labels: taskCatalogue([]).labels, options: new Set() };

const value = fc.oneof(
  fc.nat(12).map((n) => `value ${n}`),
  fc.nat(12).map((n) => `"Wert" ${'é'.repeat(n * 3)}`),
  fc.constantFrom(null, '', 7, '\ud83d'),
);
const put = fc.record({ id: fc.nat(8), worker: value, folder: value, owner: fc.nat(2) });
const step = fc.oneof(
  { weight: 3, arbitrary: put },
  { weight: 1, arbitrary: fc.record({ id: fc.nat(8) }) },
);

describe('rows from memory', () => {
  it('show their values, whatever came and went', () => {
    fc.assert(
      fc.property(fc.array(step, { minLength: 20, maxLength: 120 }), (steps) => {
        const table = createIndex(definition, { fold: standardFold() });
        const writer = new RowWriter(record, layout);
        const rows = new Map<number, { worker: unknown; folder: unknown; owner: number }>();
        const out = new Output(64);
        for (const one of steps) {
          if ('worker' in one) {
            const { id, worker, folder } = one;
            table.put({ id, cells: [worker, folder], rest: Buffer.from(`{"id":${id}}`) });
            rows.set(id, one);
          } else expect(table.remove(one.id)).to.equal(rows.delete(one.id));
          const { ids } = table.search({
            ...{ where: { op: 'all' }, sortBy: 'id', descending: false, page: 1, perPage: 20 },
          });
          expect(ids).to.have.length(rows.size);
          for (const id of ids as number[]) {
            const { values, rest } = table.shown(id, PATHS)!;
            const { worker, folder, owner } = rows.get(id)!;
            const joined = { owner: [{ name: `owner ${owner}` }] };
            const memory = { layout, values, rest };
            out.length = 0;
            writer.write(out, { document: { _id: id }, joined, memory } as MemoryRow, context);
            const shown = [worker, folder].map((one) =>
              typeof one === 'string' ? one.toWellFormed() : null,
            );
            expect(out.take().toString()).to.equal(
              JSON.stringify({
                ...{ worker: shown[0], folder: shown[1], args: { id }, owner: `owner ${owner}` },
              }),
            );
          }
        }
      }),
      { numRuns: 100 },
    );
  });
});
