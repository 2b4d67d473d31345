import { expect } from 'chai';
import fc from 'fast-check';
import { TextCache } from '../../src/follow/bson/textCache.ts';
import { textAt } from '../../src/store/bson/raw.ts';

/** Bytes as a BSON string: the length with the 00 at the end, little-endian, then both. */
function bsonString(content: Uint8Array): Buffer {
  const bytes = Buffer.alloc(4 + content.length + 1);
  bytes.writeInt32LE(content.length + 1, 0);
  bytes.set(content, 4);
  return bytes;
}

/** Few bytes, so that texts repeat, share places and differ in one byte only. */
const content = fc.oneof(
  fc.uint8Array({ maxLength: 3 }),
  fc
    .tuple(fc.constantFrom(7, 8, 9, 31, 32, 33), fc.nat(40), fc.constantFrom(0, 65, 200, 255))
    .map(([length, at, byte]) => new Uint8Array(length).fill(97).fill(byte, at, at + 1)),
  fc.string({ unit: 'grapheme', maxLength: 12 }).map((text) => new TextEncoder().encode(text)),
);

describe('texts kept by their bytes', () => {
  it('are what reading them returns, whatever was read before', () => {
    fc.assert(
      fc.property(fc.array(content, { maxLength: 60 }), (contents) => {
        const cache = new TextCache();
        for (const bytes of [...contents, ...contents].map(bsonString)) {
          expect(cache.textAt(bytes, 0)).to.equal(textAt(bytes, 0));
        }
      }),
    );
  });
});
