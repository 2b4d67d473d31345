/** Levels and members of JSON told from its bytes, against those of the parsed value. */
import { expect } from 'chai';
import fc from 'fast-check';
import { excessOf } from '../../src/serve/request/jsonExtent.ts';

function depthOf(value: unknown): number {
  if (typeof value !== 'object' || value === null) return 0;
  return 1 + Math.max(0, ...Object.values(value).map(depthOf));
}

function membersOf(value: unknown): number {
  if (typeof value !== 'object' || value === null) return 0;
  const inside = Object.values(value).reduce((sum: number, one) => sum + membersOf(one), 0);
  return inside + (Array.isArray(value) ? 0 : Object.keys(value).length);
}

describe('the extent of JSON', () => {
  it('is that of the value in it, whatever its strings hold', () => {
    const text = fc.oneof(
      fc.string(),
      fc.constantFrom('[', '{', ':', '":', '"[', '\\', '\\"[', '\\\\[', '𝔸]'),
    );
    const { value: any } = fc.letrec<{ value: unknown }>((tie) => ({
      value: fc.oneof(
        { maxDepth: 6 },
        text,
        fc.integer(),
        fc.array(tie('value'), { maxLength: 3 }),
        fc.dictionary(text, tie('value'), { maxKeys: 3 }),
      ),
    }));
    const property = fc.property(any, fc.nat(2), (value, spaces) => {
      const bytes = Buffer.from(JSON.stringify(value, null, spaces));
      const levels = depthOf(value);
      const members = membersOf(value);
      expect(excessOf(bytes, { levels, members })).equal(undefined);
      if (levels > 0) expect(excessOf(bytes, { levels: levels - 1, members })).equal('levels');
      if (members > 0) expect(excessOf(bytes, { levels, members: members - 1 })).equal('members');
    });
    fc.assert(property, { numRuns: 500 });
  });
});
