/** Depth of JSON told from its bytes, against the depth of what is parsed from them. */
import { expect } from 'chai';
import fc from 'fast-check';
import { isDeeperThan } from '../../src/http/jsonDepth.ts';

function depthOf(value: unknown): number {
  if (typeof value !== 'object' || value === null) return 0;
  return 1 + Math.max(0, ...Object.values(value).map(depthOf));
}

describe('the depth of JSON', () => {
  it('is that of the value in it, whatever its strings hold', () => {
    const text = fc.oneof(
      fc.string(),
      fc.constantFrom('[', '{', '"[', '\\', '\\"[', '\\\\[', '𝔸]'),
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
      const depth = depthOf(value);
      expect(isDeeperThan(depth, bytes)).equal(false);
      if (depth > 0) expect(isDeeperThan(depth - 1, bytes)).equal(true);
    });
    fc.assert(property, { numRuns: 500 });
  });
});
