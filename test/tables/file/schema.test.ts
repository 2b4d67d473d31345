/**
 * `tables.schema.json` in the package is the schema that files are checked by.
 * `UPDATE_DOCS=1 npx mocha test/tables/file/schema.test.ts` writes it again.
 */
import { readFileSync, writeFileSync } from 'node:fs';
import { expect } from 'chai';
import { TABLES_SCHEMA } from '../../../src/tables/file/schema.ts';

const FILE = new URL('../../../tables.schema.json', import.meta.url);

describe('tables.schema.json', () => {
  it('is the schema that files are checked by', () => {
    if (process.env.UPDATE_DOCS === '1') {
      writeFileSync(FILE, `${JSON.stringify(TABLES_SCHEMA, null, 2)}\n`);
    }
    expect(JSON.parse(readFileSync(FILE, 'utf8'))).to.deep.equal(
      JSON.parse(JSON.stringify(TABLES_SCHEMA)),
    );
  });

  it('describes every member to editors', () => {
    const bare: string[] = [];
    const look = (schema: unknown, path: string) => {
      if (typeof schema !== 'object' || schema === null) return;
      const { properties = {}, ...rest } = schema as { readonly properties?: object };
      for (const [name, member] of Object.entries(properties)) {
        if (typeof member.description !== 'string') bare.push(`${path}.${name}`);
        look(member, `${path}.${name}`);
      }
      for (const part of Object.values(rest)) look(part, path);
    };
    look(TABLES_SCHEMA, '');
    expect(bare).to.deep.equal([]);
  });
});
