/** The Range header, compared with a plain reading of the RFC over every small case. */
import { expect } from 'chai';
import fc from 'fast-check';
import { byteRange } from '../../../src/serve/request/byteRange.ts';

/** The bytes a range names, one by one. */
function named(first: number | null, last: number | null, length: number): number[] {
  const all = Array.from({ length }, (_, i) => i);
  if (first === null) return last ? all.slice(-last) : [];
  return all.filter((i) => i >= first && (last === null || i <= last));
}

describe('byte ranges', () => {
  const position = fc.option(fc.nat({ max: 12 }));

  it('name the bytes that the RFC says', () => {
    fc.assert(
      fc.property(position, position, fc.nat({ max: 10 }), (first, last, length) => {
        const range = byteRange(`bytes=${first ?? ''}-${last ?? ''}`, length);
        const ignored =
          (first === null && last === null) || (first !== null && last !== null && last < first);
        const bytes = named(first, last, length);
        if (ignored) expect(range).equal(undefined);
        else if (bytes.length === 0) expect(range).equal('unsatisfiable');
        else expect(range).eql({ start: bytes[0], end: bytes.at(-1) });
      }),
      { numRuns: 1_000 },
    );
  });

  it('are ignored where they are no single range of bytes', () => {
    const headers = ['', 'bytes', 'bytes=', 'bytes=-', 'bytes=1', 'bytes=1-2,4-5', 'bytes=-1-2'];
    for (const header of [undefined, ...headers, 'bytes=0x1-2', 'octets=1-2', 'bytes=１-２']) {
      expect(byteRange(header, 10), header).equal(undefined);
    }
  });

  it('bear numbers beyond what JavaScript counts exactly', () => {
    const huge = '9'.repeat(400);
    expect(byteRange(`bytes=2-${huge}`, 10)).eql({ start: 2, end: 9 });
    expect(byteRange(`bytes=-${huge}`, 10)).eql({ start: 0, end: 9 });
    expect(byteRange(`bytes=${huge}-`, 10)).equal('unsatisfiable');
  });
});
