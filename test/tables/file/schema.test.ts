/**
 * `tables.schema.json` in the package is the schema that files are checked by.
 * `UPDATE_DOCS=1 npx mocha test/tables/file/schema.test.ts` writes it again.
 */
import { readFileSync, writeFileSync } from 'node:fs';
import { Ajv2020 } from 'ajv/dist/2020.js';
import { expect } from 'chai';
import fc from 'fast-check';
import { LineCounter } from 'yaml';
import { Spot } from '../../../src/tables/file/problems.ts';
import { TABLES_SCHEMA } from '../../../src/tables/file/schema.ts';
import { checkShape } from '../../../src/tables/file/shape.ts';
import { readSource } from '../../../src/tables/file/source.ts';
import { definition } from './definitions.ts';
import { PROBLEMS } from './problems.ts';

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

  const ajv = new Ajv2020({ ownProperties: true, strictRequired: false, allowUnionTypes: true });
  ajv.addKeyword({ keyword: 'patternErrorMessage', schemaType: 'string' });
  const valid = ajv.compile(TABLES_SCHEMA);

  const agree = (value: unknown) => {
    const file = new Spot(new LineCounter());
    checkShape(value, file);
    const said = file.problems.map(({ message }) => message).join('\n');
    expect(said === '', `${JSON.stringify(value)}\n${said}`).to.equal(valid(value));
  };

  it('is read as a validator of JSON Schema reads it', () => {
    for (const { text } of PROBLEMS) {
      const source = readSource(text);
      if ('value' in source) agree(source.value);
    }
    const other = fc.oneof(
      fc.constantFrom<unknown[]>(null, 1, true, '', 'a b', 'string', 'x'.repeat(1_001), [], {}),
      fc.constantFrom<unknown[]>(['a', 'a'], ['string'], { claim: 'a..b' }, { money: 'EUR' }),
    );
    const edits = fc.array(fc.tuple(fc.nat(), fc.nat(3), other), { minLength: 1, maxLength: 3 });
    const changed = fc.property(definition, edits, (file, all) => {
      const value = structuredClone(file) as object;
      for (const [pick, kind, one] of all) change(value, pick, kind, structuredClone(one));
      agree(value);
    });
    fc.assert(changed, { numRuns: 500 });
  });
});

/** Replaces, adds, renames or takes out a member, somewhere in the value. */
function change(value: object, pick: number, kind: number, other: unknown): void {
  const places = placesIn(value);
  if (places.length === 0) return;
  const [of, name] = places[pick % places.length]!;
  if (kind === 0) of[name] = other;
  else if (Array.isArray(of)) of.push(kind === 1 ? of[0] : other);
  else if (kind === 1) of[`${name}x`] = of[name];
  else if (kind === 2) of[['label', 'through', 'seconds', 'type', 'title'][pick % 5]!] = other;
  else delete of[name];
}

type Members = Record<string, unknown>;

const placesIn = (value: unknown): [of: Members, name: string][] =>
  typeof value !== 'object' || value === null
    ? []
    : Object.entries(value).flatMap(([name, one]) => [
        [value as Members, name] as [Members, string],
        ...placesIn(one),
      ]);
