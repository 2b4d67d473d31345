/** What is kept of rows that are watched: what was written, not the row, which is made again where it is wanted. */
import { expect } from 'chai';
import { taskCatalogue } from '../../../src/apps/admin/resources/taskTypes.ts';
import { RecordJson } from '../../../src/serve/answer/recordJson.ts';
import type {
  JoinedRow,
  MemoryRow,
  Presenter,
  RecordContext,
  RestOfRow,
} from '../../../src/tables/definition/record.ts';
import { WatchedRow } from '../../../src/tables/rows/watchedRow.ts';

const layout = { paths: ['name'], inRest: [{ name: 'more' }] };
const presenter = (show: (name: unknown, context: RecordContext) => string): Presenter =>
  Object.assign(({ document }: JoinedRow, context: RecordContext) => show(document.name, context), {
    schema: {},
    reads: ['name'],
  });
const record = {
  name: presenter((name, { options }) => `${name} ${[...options]}`),
  more: presenter(() => 'not asked'),
};
const answer = (row: MemoryRow, records: RecordJson, options: readonly string[] = []) =>
  records
    .answerNow(
      [row],
      { labels: taskCatalogue([]).labels, options: new Set(options) },
      '"meta":{}}',
      [Buffer.from('<'), Buffer.from('>')],
    )
    ?.toString();

const json = Buffer.from('{"a":1}');
const rest: RestOfRow = {
  read(to) {
    to.length = json.copy(to.bytes);
  },
};

describe('a row that is kept for those who watch', () => {
  const rowOf = (name: string): MemoryRow => ({
    document: { name },
    memory: { layout, values: [name], rest },
    joined: {},
  });
  const shown = (name: string) => `<{"data":[{"name":"${name}","more":{"a":1}}],"meta":{}}>`;

  it('is made again for other options and other records alone', () => {
    let again = 0;
    const row = new WatchedRow(rowOf('first'), () => {
      again += 1;
      return rowOf('again');
    });
    const records = new RecordJson(record);
    expect(answer(row, records)).to.equal(shown('first '));
    expect(answer(row, records)).to.equal(shown('first '));
    expect(again).to.equal(0);
    expect(answer(row, records, ['x'])).to.equal(shown('again x'));
    expect(answer(row, records, ['x'])).to.equal(shown('again x'));
    expect(answer(row, records)).to.equal(shown('first '));
    expect(again).to.equal(1);
    expect(answer(row, new RecordJson({ ...record }))).to.equal(shown('again '));
    expect(again).to.equal(2);
  });

  it('has to be read where memory does not tell it any more, but for what is kept', () => {
    const row = new WatchedRow(rowOf('first'), () => undefined);
    const records = new RecordJson(record);
    expect(answer(row, records)).to.equal(shown('first '));
    expect(answer(row, records, ['x'])).to.equal(undefined);
    expect(answer(row, records)).to.equal(shown('first '));
    expect(row.make()).to.equal(false);
  });

  it('is counted with what it is written as', () => {
    const [short, long] = [rowOf('a'), rowOf('a'.repeat(1_000))];
    const bytes = (row: MemoryRow) => new WatchedRow(row, () => row).bytes;
    expect(bytes(long) - bytes(short)).to.equal(999);
  });
});
