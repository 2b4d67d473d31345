import { expect } from 'chai';
import { candidatePairs, Fold, standardFold, wellFormed } from '../../src/textindex/caseFold.ts';

describe('fold', () => {
  const fold = standardFold();

  it('makes the letters equal that Unicode simple case folding makes equal', () => {
    const equal = 'Kk ſS Åå Ωω ßẞ ςΣ σΣ µμ \u0345ι \u1fbeι θϑ ϴθ ǅǄ ǆǄ Ⅷⅷ ⓐⒶ 𐐀𐐨 ЖЖ'.split(' ');
    for (const pair of equal) {
      const [a, b] = [...pair] as [string, string];
      expect(fold.fold(a), pair).to.equal(fold.fold(b));
      expect(fold.fold(`x${a}y`), pair).to.equal(fold.fold(`X${b}Y`));
    }
  });

  it('keeps letters apart from sequences and from their look-alikes', () => {
    for (const [a, b] of [
      ['İ', 'i'],
      ['ı', 'I'],
      ['ß', 'SS'],
      ['ﬁ', 'fi'],
      ['é', 'e\u0301'],
    ] as const) {
      expect(fold.fold(a), `${a} ${b}`).not.to.equal(fold.fold(b));
    }
  });

  it('writes ASCII in lower case and treats half an emoji as U+FFFD', () => {
    expect(fold.fold('Hello-42 \u212a')).to.equal('hello-42 k');
    expect(fold.fold('\ud83d')).to.equal('\ufffd');
    expect(fold.fold('a\ude00b')).to.equal('a\ufffdb');
    expect(fold.fold('😀').includes(fold.fold('\ud83d'))).to.equal(false);
    expect(wellFormed('😀\ud83d')).to.equal('😀\ufffd');
  });

  it('offers every pair that /iu calls equal as a candidate', () => {
    const related = new Map<number, Set<number>>();
    for (const [a, b] of candidatePairs()) {
      related.set(a, (related.get(a) ?? new Set()).add(b));
      related.set(b, (related.get(b) ?? new Set()).add(a));
    }
    let letters = '';
    for (let c = 0; c < 0x110000; c++) {
      if (c === 0xd800) c = 0xe000;
      const letter = String.fromCodePoint(c);
      if (/[\p{CWL}\p{CWU}\p{CWT}\p{CWCF}\p{Lowercase}\p{Uppercase}]/u.test(letter)) {
        letters += letter;
      }
    }
    let pairs = 0;
    for (const letter of letters) {
      const code = letter.codePointAt(0)!;
      for (const [same] of letters.matchAll(new RegExp(`\\u{${code.toString(16)}}`, 'giu'))) {
        if (same === letter) continue;
        pairs++;
        expect(related.get(code)?.has(same.codePointAt(0)!), `${letter} ${same}`).to.equal(true);
      }
    }
    expect(pairs).to.be.greaterThan(2800);
    expect(candidatePairs().length).to.be.within(1400, 2500);
  });

  it('is the smallest equivalence over the pairs given, whatever their order', () => {
    const chain = Fold.from([
      [0x62, 0x63],
      [0x61, 0x62],
      [0x58, 0x78],
    ]);
    expect(chain.fold('abcXxZ')).to.equal('aaaxxZ');
    expect(Fold.from([]).fold('AbC')).to.equal('AbC');
  });
});
