/** An answer that is written in several turns of the event loop is the same as one written at once. */
import { expect } from 'chai';
import { taskCatalogue } from '../../src/apps/admin/resources/taskTypes.ts';
import { RecordJson } from '../../src/serve/answer/recordJson.ts';
import {
  at,
  type JoinedRow,
  type RecordContext,
  shown,
} from '../../src/tables/definition/record.ts';

const context: RecordContext = { labels: taskCatalogue([]).labels, options: new Set() };
/** More than a turn may take, milliseconds. */
const LONG_MS = 8;

/** Rows of which some take longer to show than a turn is. */
const rows = (n: number, slow: readonly number[]): JoinedRow[] =>
  Array.from({ length: n }, (_, i) => ({
    document: { _id: i, slow: slow.includes(i) },
    joined: {},
  }));

const record = {
  id: shown({ type: 'integer' }, ['_id', 'slow'], ({ document }) => {
    if (at(document, 'slow'))
      for (const end = performance.now() + LONG_MS; performance.now() < end; );
    return at(document, '_id') as number;
  }),
};

describe('an answer', () => {
  for (const [n, slow] of [
    [0, []],
    [1, [0]],
    [5, []],
    [5, [0]],
    [5, [2]],
    [5, [4]],
    [5, [0, 1, 2, 3, 4]],
  ] as const) {
    it(`has its ${n} rows once and in order, rows that take a turn: ${slow.join() || 'none'}`, async () => {
      const json = new RecordJson(record);
      const [first, second] = [rows(n, slow), rows(n, slow)];
      const answers = [first, second].map((some) => json.answer(some, context, '"meta":1}'));
      // After the last row nothing is left to be written.
      if (slow.some((row) => row < n - 1)) {
        for (const answer of answers) expect(answer).to.be.instanceOf(Promise);
      }
      const data = first.map(({ document }) => ({ id: document._id }));
      for (const answer of answers) {
        expect(JSON.parse(String(await answer))).to.deep.equal({ data, meta: 1 });
      }
    });
  }
});
