/**
 * Case folding by an equivalence over code points: which letters count as the same.
 *
 *     candidatePairs() ──asked of a server──► the pairs it calls equal ──► Fold.from(pairs)
 *                                                                            K, k, U+212A ──► k
 *
 * Case-insensitive matching of single letters is an equivalence relation. So two texts match letter
 * by letter exactly when their foldings are equal, and a text contains another exactly when its
 * folding contains the other's folding. Letters never match sequences (`ß` is not `SS`).
 *
 * Matching is on code points. A lone surrogate is no code point: it counts as U+FFFD, its form in
 * UTF-8. So half an emoji matches no emoji.
 */

/** Two code points. */
export type CodePointPair = readonly [a: number, b: number];

const LAST_CODE_POINT = 0x10ffff;
/** Code points in one run; a power of two, so that surrogates fill whole runs. */
const TOGETHER = 256;
const ASCII = String.fromCharCode(...Array.from({ length: 128 }, (_, code) => code));
const IS_ASCII = /^[\0-\x7f]*$/;

/** The text with each lone surrogate replaced by U+FFFD. */
export function wellFormed(text: string): string {
  return text.toWellFormed();
}

/** A union-find over code points; all members of a class are written as its root. */
class Classes {
  readonly #parent = new Map<number, number>();

  root(codePoint: number): number {
    let at = codePoint;
    for (;;) {
      const up = this.#parent.get(at);
      if (up === undefined || up === at) return at;
      at = up;
    }
  }

  unite(a: number, b: number): void {
    const [winner, loser] = preferred(this.root(a), this.root(b));
    this.#parent.set(winner, winner);
    if (winner !== loser) this.#parent.set(loser, winner);
  }

  /** Every code point that was ever united, in ascending order, grouped by class. */
  groups(): number[][] {
    const groups = new Map<number, number[]>();
    for (const member of [...this.#parent.keys()].sort((a, b) => a - b)) {
      const root = this.root(member);
      const group = groups.get(root);
      if (group) group.push(member);
      else groups.set(root, [member]);
    }
    return [...groups.values()];
  }
}

/** An ASCII letter is written in lower case, so plain text folds to its usual form. */
function preferred(a: number, b: number): [winner: number, loser: number] {
  const isLower = (c: number) => c >= 0x61 && c <= 0x7a;
  if (isLower(a) !== isLower(b)) return isLower(a) ? [a, b] : [b, a];
  return a < b ? [a, b] : [b, a];
}

/**
 * Every pair of code points that any case mapping could make equal: about 1,700 pairs, found in
 * some 50 ms. They include all pairs that `/iu` in JavaScript, `toLowerCase` and `toUpperCase`
 * relate. Code points are linked by their lower and upper case, sequences included: `ﬅ` and `ﬆ`
 * share the upper case `ST`, so some tables call them equal.
 */
export function candidatePairs(): CodePointPair[] {
  const finding = findingPairs();
  for (;;) {
    const { done, value } = finding.next();
    if (done) return value;
  }
}

/** The same in steps of some microseconds. */
export function* findingPairs(): Generator<undefined, CodePointPair[]> {
  const linked = new Classes();
  const sequences = new Map<string, number>();
  for (const codePoint of casedCodePoints()) {
    if (codePoint === undefined) {
      yield;
      continue;
    }
    const letter = String.fromCodePoint(codePoint);
    for (const mapped of [letter.toLowerCase(), letter.toUpperCase()]) {
      if (mapped === letter) continue;
      const single = mapped.codePointAt(0)!;
      if (String.fromCodePoint(single) === mapped) linked.unite(codePoint, single);
      else linked.unite(codePoint, sequences.get(mapped) ?? codePoint);
      if (!sequences.has(mapped)) sequences.set(mapped, codePoint);
    }
  }
  return linked.groups().flatMap(pairsOf);
}

/**
 * At least every code point that a case mapping changes; undefined at a point where it may pause.
 */
function* casedCodePoints(): Generator<number | undefined> {
  const codePoints: number[] = [];
  for (let from = 0; from <= LAST_CODE_POINT; from += TOGETHER) {
    if (from === 0xd800) from = 0xe000;
    for (let i = 0; i < TOGETHER; i++) codePoints[i] = from + i;
    const letters = String.fromCodePoint(...codePoints);
    // Most letters have no case, and mapping many in one call takes a third of the time.
    if (letters.toLowerCase() !== letters || letters.toUpperCase() !== letters) yield* codePoints;
    yield undefined;
  }
}

function pairsOf(members: readonly number[]): CodePointPair[] {
  return members.flatMap((a, i) => members.slice(i + 1).map((b): CodePointPair => [a, b]));
}

/** A folding by one equivalence of letters. Immutable. */
export class Fold {
  readonly #written: ReadonlyMap<number, string>;
  /** Whether ASCII folds as it does everywhere, so that the engine's own mapping can be used. */
  readonly #usual: boolean;

  private constructor(written: ReadonlyMap<number, string>) {
    this.#written = written;
    this.#usual = this.#byLetter(ASCII) === ASCII.toLowerCase();
  }

  /** The smallest equivalence that makes the two code points of each pair equal. */
  static from(equalPairs: Iterable<CodePointPair>): Fold {
    const classes = new Classes();
    for (const [a, b] of equalPairs) classes.unite(a, b);
    const written = new Map<number, string>();
    for (const member of classes.groups().flat()) {
      const root = classes.root(member);
      if (root !== member) written.set(member, String.fromCodePoint(root));
    }
    return new Fold(written);
  }

  /** Each letter that is written as another one, with that one, as plain data. */
  get written(): readonly (readonly [codePoint: number, written: string])[] {
    return [...this.#written];
  }

  /** The text with every letter written as its class, and lone surrogates as U+FFFD. */
  fold(text: string): string {
    return this.#usual && IS_ASCII.test(text) ? text.toLowerCase() : this.#byLetter(text);
  }

  #byLetter(text: string): string {
    let folded = '';
    for (const letter of wellFormed(text)) {
      folded += this.#written.get(letter.codePointAt(0)!) ?? letter;
    }
    return folded;
  }
}

let standard: Fold | undefined;

/**
 * The folding by Unicode's simple case folding as this JavaScript engine knows it: the candidate
 * pairs that `/iu` calls equal. For use without a server; MongoDB 6.0 knows fewer pairs.
 */
export function standardFold(): Fold {
  standard ??= Fold.from(
    candidatePairs().filter(([a, b]) =>
      new RegExp(`^\\u{${a.toString(16)}}$`, 'iu').test(String.fromCodePoint(b)),
    ),
  );
  return standard;
}
