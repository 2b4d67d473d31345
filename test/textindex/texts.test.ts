import { expect } from 'chai';
import fc from 'fast-check';
import { Needle } from '../../src/textindex/dictionary/needle.ts';
import { FIRST_VALUE } from '../../src/textindex/dictionary/ordinals.ts';
import { Texts } from '../../src/textindex/dictionary/texts.ts';
import { type Ordinal, plus } from '../../src/textindex/storage/brands.ts';
import { DEFAULT_LAYOUT, Space } from '../../src/textindex/storage/space.ts';

/** The ordinals whose texts contain the piece, each once, as the texts say and as they are. */
function ordinalsWith(space: Space, texts: Texts, piece: string): number[] {
  space.scratch.reset();
  const needle = new Needle(space, piece);
  const list = space.scratch.take(texts.entries * 4);
  const n = texts.find(needle, list);
  const found = Array.from(space.memory.u32.subarray(list >>> 2, (list >>> 2) + n));
  return [...new Set(found)].sort((a, b) => a - b);
}

function expected(model: ReadonlyMap<number, readonly string[]>, piece: string): number[] {
  const holds = [...model].filter(([, texts]) => texts.some((text) => text.includes(piece)));
  return holds.map(([ordinal]) => ordinal).sort((a, b) => a - b);
}

const syllable = fc.constantFrom('an', 'be', 'no', 'üß', '😀', '@x', '.', 'qu', 'zé', '1');
const word = fc.string({ unit: syllable, minLength: 1, maxLength: 40 });
const change = fc.record({
  ordinal: fc.integer({ min: FIRST_VALUE, max: 400 }).map((n) => n as Ordinal),
  texts: fc.array(word, { maxLength: 3 }),
});

/** Heaps are signed from the beginning, in chunks of 2 kB. */
const LAYOUT = { ...DEFAULT_LAYOUT, largeTextBytes: 0, textBlockBits: 2 };

describe('texts', function () {
  this.timeout(240_000);
  it('finds each piece in exactly the texts that hold it', () => {
    fc.assert(
      fc.property(
        fc.array(change, { minLength: 100, maxLength: 900, size: 'max' }),
        fc.array(word, { minLength: 1, maxLength: 6 }),
        fc.array(fc.tuple(fc.nat(), fc.nat(12), fc.integer({ min: 1, max: 12 })), {
          maxLength: 12,
        }),
        fc.nat(900),
        (changes, words, cuts, signedUpTo) => {
          const space = new Space(LAYOUT);
          const texts = new Texts(space);
          const model = new Map<number, readonly string[]>();
          for (const [i, { ordinal, texts: given }] of changes.entries()) {
            space.scratch.reset();
            texts.set(ordinal, given);
            model.set(ordinal, given);
            if (i < signedUpTo) texts.step();
          }
          texts.check();
          const all = [...model.values()].flat();
          const pieces = cuts.map(([which, from, length]) =>
            [...(all[which % Math.max(1, all.length)] ?? '')].slice(from, from + length).join(''),
          );
          for (const piece of [...words, ...pieces.filter((piece) => piece !== '')]) {
            expect(ordinalsWith(space, texts, piece), piece).to.deep.equal(expected(model, piece));
          }
        },
      ),
      { numRuns: 30 },
    );
  });

  it('finds each piece in a heap of megabytes, grown step by step', () => {
    const space = new Space(DEFAULT_LAYOUT);
    const texts = new Texts(space);
    const model = new Map<number, readonly string[]>();
    for (let ordinal = FIRST_VALUE; ordinal < 40_000; ordinal++) {
      const text = `${Math.imul(ordinal, 0x9e3779b1) >>> 0}.${'padding '.repeat(6)}${ordinal}@example.org`;
      texts.set(ordinal, [text]);
      model.set(ordinal, [text]);
    }
    const pieces = ['1234', '77@ex', '39999@', 'nowhere', '.padding', 'g 12', '0.pad', 'g', '39'];
    const compare = () => {
      texts.check();
      for (const piece of pieces)
        expect(ordinalsWith(space, texts, piece), piece).to.deep.equal(expected(model, piece));
    };
    compare();
    let chunks = 0;
    while (texts.step()) chunks++;
    expect(chunks, 'chunks of 512 kB').to.be.greaterThan(3);
    compare();
    // So many go that the others move together, and are signed again.
    for (let ordinal = FIRST_VALUE; ordinal < 40_000; ordinal++) {
      if (ordinal % 3 === 0) continue;
      texts.set(ordinal, []);
      model.delete(ordinal);
    }
    expect(texts.step()).to.equal(true);
    compare();
  });

  it('passes over blocks that cannot hold the piece', () => {
    const space = new Space(LAYOUT);
    const texts = new Texts(space);
    for (let ordinal = FIRST_VALUE; ordinal < 4_000; ordinal++) texts.set(ordinal, [`${ordinal}`]);
    while (texts.step());
    // The blocks are not looked at, since a text is not found where no n-gram of its block tells of it.
    // The second one is among the last, less than a chunk of blocks.
    const { u8 } = space.memory;
    for (const [i, j] of ['zy', 'yx', 'xw'].entries()) texts.set((5_000 + i) as Ordinal, [j]);
    for (const text of ['1234', '3950']) {
      const at = Buffer.from(u8).indexOf(`${text}\xff`, 'latin1');
      u8.set(Buffer.from('zyxw'), at);
      expect(ordinalsWith(space, texts, 'zyx'), text).to.deep.equal([]);
      u8.set(Buffer.from(text), at);
      expect(ordinalsWith(space, texts, text)).to.deep.equal([Number(text)]);
    }
  });

  it('finds a piece for which the heap has to grow', () => {
    const space = new Space(DEFAULT_LAYOUT);
    const texts = new Texts(space);
    for (let ordinal = FIRST_VALUE; ordinal < 72; ordinal++)
      texts.set(ordinal, [`row${ordinal}`.padEnd(99, 'x')]);
    const long = Array.from({ length: 560 }, (_, n) => n.toString(36))
      .join('')
      .slice(0, 560);
    texts.set(72 as Ordinal, [long]);
    expect(ordinalsWith(space, texts, long.slice(5, 520))).to.deep.equal([72]);
  });

  it('finds pieces where addresses need 32 bits', () => {
    const space = new Space(DEFAULT_LAYOUT);
    // Address space that is not touched takes no memory; the smaller blocks fill the gap below.
    for (let k = 30; k >= 13; k--) space.memory.alloc(2 ** k);
    const texts = new Texts(space);
    const model = new Map<number, readonly string[]>();
    for (let ordinal = FIRST_VALUE; ordinal < 4_000; ordinal++) {
      const text = `${Math.imul(ordinal, 0x9e3779b1) >>> 0}@example.org`;
      texts.set(ordinal, [text]);
      model.set(ordinal, [text]);
    }
    expect(space.memory.bytes).to.be.greaterThan(2 ** 31);
    for (const piece of ['1234', '77@', 'example', 'nowhere']) {
      space.scratch.reset();
      const taken = space.scratch.take(100_000);
      space.scratch.cut(plus(taken, 40));
      expect(space.scratch.take(16)).to.equal(taken + 48);
      expect(ordinalsWith(space, texts, piece), piece).to.deep.equal(expected(model, piece));
    }
  });
});
