/** The definition of the flights is a file without a problem, for data that the example loads. */
import { readFileSync } from 'node:fs';
import { expect } from 'chai';
import { printProblems, readTablesFile } from '../../src/tables/file/index.ts';

const textOf = (name: string) =>
  readFileSync(new URL(`../../examples/flights/${name}`, import.meta.url), 'utf8');

describe('examples/flights/tables.yaml', () => {
  it('has no problem, and no field that documents.py does not write', () => {
    const read = readTablesFile(textOf('tables.yaml'));
    if ('problems' in read) throw new Error(printProblems('tables.yaml', read.problems));
    const written = new Set(
      [...textOf('documents.py').matchAll(/"(\w+)":/g)].map(([, name]) => name),
    );
    const paths = read.tables.flatMap(({ fields }) =>
      Object.values(fields).flatMap((field) => (field.kind === 'stored' ? [field.path] : [])),
    );
    expect(paths).not.eql([]);
    expect(paths.flatMap((one) => one.split('.')).filter((name) => !written.has(name))).eql([]);
  });
});
