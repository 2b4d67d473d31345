/** What is kept of rows that are watched: what was written, not the row, which is made again where it is wanted. */
import { expect } from 'chai';
import { RecordJson } from '../../src/http/recordJson.ts';
import type {
  JoinedRow,
  MadeRow,
  Presenter,
  RecordContext,
  RestOfRow,
} from '../../src/resources/record.ts';
import { taskCatalogue } from '../../src/resources/taskTypes.ts';
import { KeptRow } from '../../src/search/keptRow.ts';

const layout = { paths: ['name'], made: [{ name: 'more' }] };
const presenter = (show: (name: unknown, context: RecordContext) => string): Presenter =>
  Object.assign(({ document }: JoinedRow, context: RecordContext) => show(document.name, context), {
    schema: {},
    reads: ['name'],
  });
const record = {
  name: presenter((name, { options }) => `${name} ${[...options]}`),
  more: presenter(() => 'not asked'),
};
const answer = (row: MadeRow, records: RecordJson, options: readonly string[] = []) =>
  records
    .answerNow([row], { catalogue: taskCatalogue([]), options: new Set(options) }, '"meta":{}}', [
      Buffer.from('<'),
      Buffer.from('>'),
    ])
    ?.toString();

const json = Buffer.from('{"a":1}');
const rest: RestOfRow = {
  read(to) {
    to.length = json.copy(to.bytes);
  },
};

describe('a row that is kept for those who watch', () => {
  const made = (name: string): MadeRow => ({
    document: { name },
    made: { layout, values: [name], rest },
    joined: {},
  });
  const shown = (name: string) => `<{"data":[{"name":"${name}","more":{"a":1}}],"meta":{}}>`;

  it('is made again for other options and other records alone', () => {
    let again = 0;
    const row = new KeptRow(made('first'), () => {
      again += 1;
      return made('again');
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
    const row = new KeptRow(made('first'), () => undefined);
    const records = new RecordJson(record);
    expect(answer(row, records)).to.equal(shown('first '));
    expect(answer(row, records, ['x'])).to.equal(undefined);
    expect(answer(row, records)).to.equal(shown('first '));
    expect(row.make()).to.equal(false);
  });

  it('is counted with what it is written as', () => {
    const [short, long] = [made('a'), made('a'.repeat(1_000))];
    const bytes = (row: MadeRow) => new KeptRow(row, () => row).bytes;
    expect(bytes(long) - bytes(short)).to.equal(999);
  });
});
