/** Random definitions: printed in any form and read again they are the same. */
import { expect } from 'chai';
import fc from 'fast-check';
import { stringify } from 'yaml';
import type { DescribedField, DescribedTable } from '../../../src/tables/file/described.ts';
import { printProblems, readTablesFile } from '../../../src/tables/file/index.ts';
import type { WrittenField, WrittenTable } from '../../../src/tables/file/written.ts';
import { definition, described } from './definitions.ts';

function read(text: string): readonly DescribedTable[] {
  const file = readTablesFile(text);
  if ('problems' in file) throw new Error(`${printProblems('', file.problems)}\n${text}`);
  return file.tables.map(described);
}

/** The table with nothing left to a default. */
function inFull({ access, sort, fields, name: _, ...table }: DescribedTable): WrittenTable {
  const full = Object.entries(fields).map(([field, one]): [string, WrittenField] => [
    field,
    fieldInFull(one),
  ]);
  return {
    ...table,
    fields: Object.fromEntries(full),
    sort: `${sort.descending ? '-' : ''}${sort.by}`,
    access: access.map(({ roles, rows, hidden, document }) => ({
      roles,
      ...(Object.keys(rows).length > 0 && { rows }),
      hide: [...hidden],
      document,
    })),
  };
}

function fieldInFull({ uses: use, ...field }: DescribedField): WrittenField {
  if (field.kind === 'stored') {
    const { kind: _, several, type, ...rest } = field;
    return { ...rest, use, type: several ? [type] : type };
  }
  if (field.kind === 'label') {
    const { kind: _, ...rest } = field;
    return { ...rest, use };
  }
  const { kind: _, from, to, ...rest } = field;
  return { ...rest, use, seconds: [from, to] };
}

describe('a random definition', () => {
  const RUNS = { numRuns: 100 };

  it('is the same in YAML, in JSON, and with every default written out', () => {
    fc.assert(
      fc.property(definition, (file) => {
        const tables = read(JSON.stringify(file));
        expect(read(stringify(file)), 'block style').to.deep.equal(tables);
        expect(read(stringify(file, { collectionStyle: 'flow' })), 'flow').to.deep.equal(tables);
        const written = Object.fromEntries(tables.map((table) => [table.name, inFull(table)]));
        const full = stringify({ version: 1, tables: written });
        expect(read(full), 'in full').to.deep.equal(tables);
      }),
      RUNS,
    );
  });

  it('with one member renamed has a problem at that member alone', () => {
    fc.assert(
      fc.property(definition, fc.nat(), (file, pick) => {
        const text = stringify(file);
        const lines = text.split('\n');
        const members = lines.flatMap((line, index) =>
          /^ {4}(?:collection|title|fields|text|facets|sort|columns|access):/.test(line)
            ? [index]
            : [],
        );
        const at = members[pick % members.length]!;
        lines[at] = lines[at]!.replace(/^ {4}(\w+)/, (_, name: string) => `    ${name}x`);
        const read = readTablesFile(lines.join('\n'));
        const problems = 'problems' in read ? read.problems : [];
        expect(problems[0]).to.deep.include({ line: at + 1, column: 5 });
        expect(problems[0]!.guess).to.equal(lines[at]!.trim().split('x:')[0]);
        expect(problems).to.have.lengthOf(1);
      }),
      RUNS,
    );
  });
});
