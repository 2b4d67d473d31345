/** Lines of exports: cells that spreadsheets take for what they are, and members that are read. */
import { expect } from 'chai';
import { Decimal128, Long } from 'mongodb';
import { RESOURCES } from '../../src/apps/admin/resources/index.ts';
import { taskCatalogue } from '../../src/apps/admin/resources/taskTypes.ts';
import { csvCell } from '../../src/serve/export/csv.ts';
import { FORMATS } from '../../src/serve/routes/export.ts';
import type { JoinedRow } from '../../src/tables/definition/record.ts';
import { storedMember } from '../../src/tables/definition/storedMembers.ts';

const JOINED: JoinedRow['joined'] = {
  project: [{ _id: 1, name: '=Apollo, "ß"' }],
  members: [{ _id: 1, email: 'ana@mail.test' }],
};

const { labels } = taskCatalogue();
const contexts = [new Set<string>(), new Set(['get_artifacts_metadata'])].map((options) => ({
  labels,
  options,
}));

describe('lines of exports', () => {
  it('guard what spreadsheets calculate, and no negative number or far date', () => {
    const member = storedMember('a', 'mixed');
    const cell = (a: unknown) =>
      csvCell(member({ document: { a }, joined: {} }, contexts[0]!), false);
    const numbers = ['-1.50', '-7', '-1E-7', '-1.2E+40'];
    for (const text of numbers) {
      expect(cell(Decimal128.fromString(text))).to.equal(text);
      expect(cell(text)).to.equal(text);
    }
    expect(cell(Long.fromString('-9007199254740993'))).to.equal('-9007199254740993');
    for (const moment of ['+010031-03-04T05:06:07.089Z', '-000044-03-15T00:00:00.000Z']) {
      expect(cell(new Date(moment))).to.equal(moment);
      expect(cell(`${moment}+1`)).to.equal(`'${moment}+1`);
    }
    expect(cell(Decimal128.fromString('-Infinity'))).to.equal("'-Infinity");
    const calculated = ['-1+2', '-1.5E', '-', '-x', '-1 ', '--1', '-1\n', '+1', '=1', '@x', '\t1'];
    // Spreadsheets take signs of double width for these.
    calculated.push('\n=1', '＝1', '＋1', '－1', '＠x');
    for (const text of calculated) expect(cell(text)).to.match(/^"?'/);
  });

  it('are made of the members that presenters say they read', () => {
    const declared = (reads: readonly string[]) => {
      const look = (_: object, name: string | symbol) => {
        if (!reads.includes(String(name))) throw new Error(`${String(name)} is not declared`);
        return undefined;
      };
      return new Proxy({}, { get: look, has: look as never, getOwnPropertyDescriptor: look });
    };
    for (const { record } of Object.values(RESOURCES)) {
      for (const presenter of Object.values(record)) {
        for (const context of contexts) {
          presenter({ joined: JOINED, document: declared(presenter.reads) }, context);
        }
      }
    }
  });

  it('lack no cell, and no row, where nothing is shown', () => {
    const { line } = FORMATS['text/csv'];
    expect(line({ b: 'x,y' }, ['a', 'b', 'c'], true)).to.equal(',"x,y",\r\n');
    expect(line({}, ['a'], true)).to.equal('""\r\n');
    expect(FORMATS['application/x-ndjson'].line({})).to.equal('{}\n');
  });
});
