/** What is kept of related documents is that of the key and the version asked for, or nothing. */
import { expect } from 'chai';
import fc from 'fast-check';
import type { Join } from '../../../src/tables/definition/definition.ts';
import type { StoredDocument } from '../../../src/tables/definition/record.ts';
import type { RelationKey } from '../../../src/tables/rows/relatedRows.ts';
import { ShownDocuments } from '../../../src/tables/rows/rests/shownDocuments.ts';

const JOINS: readonly Join[] = ['users', 'projects'].map((to) => ({ to, key: '_id' }) as Join);
/** Keys that share a place among them, and such as are never kept. */
const KEYS: readonly RelationKey[] = [
  ...Array.from({ length: 40 }, (_, n) => n * 16_384),
  ...[0, -0, 1, 1.5, -1, 2 ** 31, 2 ** 32 + 1, Number.NaN, '1', 1n],
] as RelationKey[];

describe('shown documents', () => {
  it('are those that were set last for the join, the key and the version', () => {
    const step = fc.record({
      join: fc.constantFrom(...JOINS),
      key: fc.nat(KEYS.length - 1),
      changes: fc.boolean(),
    });
    fc.assert(
      fc.property(fc.array(step, { maxLength: 200 }), (steps) => {
        const kept = new ShownDocuments();
        const versions = KEYS.map(() => ({}));
        const made = new Map<object, Map<Join, StoredDocument>>();
        for (const { join, key, changes } of steps) {
          if (changes) versions[key] = {};
          const version = versions[key]!;
          const found = kept.get(join, KEYS[key]!, version);
          const own = made.get(version) ?? new Map<Join, StoredDocument>();
          made.set(version, own);
          if (found) expect(found).to.equal(own.get(join));
          const document = { _id: KEYS[key] } as StoredDocument;
          kept.set(join, KEYS[key]!, version, document);
          own.set(join, document);
          const isKept = typeof KEYS[key] === 'number' && !Number.isNaN(KEYS[key]);
          expect(kept.get(join, KEYS[key]!, version)).to.equal(isKept ? document : undefined);
        }
      }),
      { numRuns: 300 },
    );
  });
});
