/** Names of elements are found, whatever names came before. */
import { expect } from 'chai';
import fc from 'fast-check';
import { Names } from '../../src/store/bson/names.ts';

const LOOKED_FOR = ['_id', 'status', 'state', 'statu', 'größe', ''];
/** The names looked for, ones that begin alike, and more than are remembered. */
const name = fc.oneof(
  { weight: 4, arbitrary: fc.constantFrom(...LOOKED_FOR) },
  fc.constantFrom('stat', 'statuses', '_', 'grö', '\u0001', 'other'),
  fc.nat({ max: 600 }).map((number) => `other${number}`),
);

describe('names of elements', () => {
  it('are those that stand there, whatever stood before them', () => {
    fc.assert(
      fc.property(fc.array(fc.array(name, { maxLength: 30 }), { maxLength: 60 }), (documents) => {
        const names = new Names(LOOKED_FOR);
        for (const document of documents) {
          let before = names.start;
          for (const one of document) {
            const bytes = Buffer.from(`x${one}\0${one}`);
            before = names.find(before, bytes, 1);
            expect(Buffer.from(before.bytes).toString()).equal(`${one}\0`);
            expect(before.place).equal(LOOKED_FOR.indexOf(one));
          }
        }
      }),
      { numRuns: 60 },
    );
  });
});
