/**
 * docs/tables.md: every example is a definition file, or fields of one (`yaml fields`), without a
 * problem. An example that is `yaml wrong` has the problems that the block after it shows.
 */
import { readFileSync } from 'node:fs';
import { expect } from 'chai';
import { FIELD_TYPES } from '../../src/tables/definition/definition.ts';
import { printProblems, readTablesFile, TABLES_SCHEMA } from '../../src/tables/file/index.ts';
import { ABILITIES } from '../../src/tables/file/types.ts';

const page = readFileSync(new URL('../../docs/tables.md', import.meta.url), 'utf8');
const blocks = [...page.matchAll(/^```(\S+) ?(\S*)\n([\s\S]*?)^```$/gm)].map(
  ([, language, kind, text]) => ({ language, kind, text: text! }),
);

function problemsOf(text: string): string {
  const file = readTablesFile(text);
  return 'problems' in file ? printProblems('tables.yaml', file.problems) : '';
}

describe('docs/tables.md', () => {
  for (const [position, { language, kind, text }] of blocks.entries()) {
    if (language !== 'yaml') continue;
    it(`example ${position + 1} is ${kind === 'wrong' ? 'wrong as it says' : 'a file'}`, () => {
      const inTable = `version: 1\ntables:\n  t:\n    collection: t\n    fields:\n      id: objectId\n${text.replace(/^/gm, '      ')}`;
      const said = kind === 'wrong' ? blocks[position + 1]!.text.trimEnd() : '';
      expect(problemsOf(kind === 'fields' ? inTable : text)).equal(said);
    });
  }

  it('has a row for each member of the format', () => {
    const rows = new Set(
      [...page.matchAll(/^\| ([^|]+) \|/gm)].flatMap(([, first]) =>
        [...first!.matchAll(/`(\w+)/g)].map(([, name]) => name!),
      ),
    );
    const members = new Set<string>();
    const look = (schema: unknown) => {
      if (typeof schema !== 'object' || schema === null) return;
      for (const name of Object.keys((schema as { properties?: object }).properties ?? {})) {
        members.add(name);
      }
      for (const part of Object.values(schema)) look(part);
    };
    look(TABLES_SCHEMA);
    members.delete('claim');
    expect([...members].filter((name) => !rows.has(name))).eql([]);
  });

  it('says the uses of each type', () => {
    const table = /### Types\n\n([\s\S]*?)\n\n/.exec(page)![1]!;
    const said = Object.fromEntries(
      [...table.matchAll(/^\| `(\w+)` \|[^|]*\|([^|]*)\|([^|]*)\|$/gm)].map(
        ([, type, usual, more]) => {
          const uses = (cell: string) =>
            [...cell.matchAll(/`(text|filter|facet|sort|range|show)`/g)].map(([, use]) => use!);
          return [
            type!,
            { usual: uses(usual!), possible: [...uses(usual!), ...uses(more!)].sort() },
          ];
        },
      ),
    );
    const are = FIELD_TYPES.map((type) => {
      const { usual, possible } = ABILITIES[type];
      return [type, { usual: [...usual], possible: [...possible].sort() }];
    });
    expect(said).eql(Object.fromEntries(are));
  });
});
