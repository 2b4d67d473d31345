/**
 * docs/reference.md: filters, sorts and columns of each table, made from the definitions that validate, by way of
 * the client's contract. `UPDATE_DOCS=1 npx mocha test/docs/reference.test.ts` writes it again.
 */
import { readFileSync, writeFileSync } from 'node:fs';
import { expect } from 'chai';
import { VIEWS } from '../../clients/typescript/contract.ts';

const FILE = new URL('../../docs/reference.md', import.meta.url);

const HEAD = `# Filters, sorts and columns of each table

A test keeps this page equal to the definitions that validate requests. \`/openapi.json\` of a running service also
shows every record, header and error. Each search takes \`filters\` and \`sorting\`. Explore and export also take
\`select\`, and sort by more fields. Explore counts by value (\`facets\`) and by time (\`histogram\`), and has statistics
(\`stats\`): see [api.md](api.md). The first sort is the default, in descending order.
`;

const code = (names: readonly string[]) => names.map((name) => `\`${name}\``).join(', ');
const TAKES = {
  text: 'text',
  texts: 'list of texts',
  integer: 'whole number',
  boolean: 'true, false',
};

function textOf(): string {
  const parts = Object.values(VIEWS).map((view) => {
    const filters = Object.entries(view.filters).map(([name, { takes, choices = [], meaning }]) => {
      const values = takes === 'choice' ? code(choices) : TAKES[takes];
      return `| \`${name}\` | ${values} | ${meaning} |`;
    });
    const more = view.orders.filter((name) => !view.sorts.includes(name));
    return [
      `## \`POST ${view.path}\``,
      '',
      '| filter | takes | meaning |',
      '|---|---|---|',
      ...filters,
      '',
      `- **sort by** ${code(view.sorts)}; **in explore and export** also ${code(more)}`,
      `- **select by** ${code(view.conditions)}`,
      `- **count by value** ${code(view.facets)}; **by time** ${code(view.times)}; **statistics** of ${code(view.stats)}`,
      `- **columns** ${code(Object.keys(view.columns))}`,
      '',
    ].join('\n');
  });
  return [HEAD, ...parts].join('\n');
}

describe('docs/reference.md', () => {
  it('is what the definitions say', () => {
    if (process.env.UPDATE_DOCS === '1') writeFileSync(FILE, textOf());
    expect(readFileSync(FILE, 'utf8')).equal(textOf());
  });

  it('has every table, with its filters, sorts and counts', () => {
    const text = textOf();
    expect(text.match(/^## /gm)).lengthOf(8);
    for (const { path, filters, sorts } of Object.values(VIEWS)) {
      expect(text).include(path);
      expect(Object.keys(filters).length).greaterThan(2);
      expect(sorts.length).greaterThan(1);
    }
  });
});
