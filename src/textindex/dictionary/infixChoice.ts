/**
 * Chooses the frequent infixes of a column's texts, and groups those that occur in the same
 * texts.
 *
 *     1,024 texts ──► unigrams ──► bigrams of frequent unigrams ──► …           suggestions
 *     4 MB of texts ──► how many hold each ──► classes of equal ones, the most frequent first
 *
 * Both use samples, so that the choice takes as long for a million texts as for twenty thousand.
 * `weber` and all that is inside it and stands nowhere else are one class, and cost one bitmap.
 *
 * They are generators that yield every millisecond of work at most.
 */
import { wellFormed } from '../caseFold.ts';
import { MAX_CLASSES } from './infixTrie.ts';

/** The most texts and characters of a sample. */
export const SAMPLE_TEXTS = 1024;
export const SAMPLE_LENGTH = 65_536;
/**
 * The share of a sample's texts that makes an infix frequent: one in so many, but at least two
 * texts.
 */
const FREQUENT_SHARE = 64;
const LONGEST = 24;
/** The search for longer infixes stops at this number of infixes. */
const MAX_INFIXES = 8192;
const STRIDE = 16;
const CLASSES_STRIDE = 512;

/** Infixes that stand in the same texts, the longest first, and the others inside it. */
export type InfixClass = readonly string[];

/** The frequent infixes of the texts of a sample. */
export function* frequentInfixes(sample: readonly string[]): Generator<void, string[]> {
  const least = Math.max(2, sample.length / FREQUENT_SHARE);
  const all: string[] = [];
  let shorter: ReadonlySet<string> | undefined;
  for (let length = 1; length <= LONGEST && all.length < MAX_INFIXES; length++) {
    const counts = new Map<string, number>();
    for (const [i, text] of sample.entries()) {
      for (const infix of candidatesIn(text, length, shorter)) {
        counts.set(infix, (counts.get(infix) ?? 0) + 1);
      }
      if (i % STRIDE === 0) yield;
    }
    yield;
    const frequent: string[] = [];
    for (const [infix, count] of counts) if (count >= least) frequent.push(infix);
    if (frequent.length === 0) break;
    for (const infix of frequent) all.push(infix);
    shorter = new Set(frequent);
    yield;
  }
  return all.filter((infix) => wellFormed(infix) === infix);
}

/**
 * The distinct substrings of one length that may be frequent: both of their shorter substrings are. A
 * substring is in no more texts than these (the Apriori principle; Agrawal and Srikant, 1994). In UTF-16
 * units: some begin or end with half a letter. `shorter`: the frequent ones of the length before; undefined
 * if all are.
 */
function candidatesIn(
  text: string,
  length: number,
  shorter: ReadonlySet<string> | undefined,
): Set<string> {
  const candidates = new Set<string>();
  const isFrequent = (from: number) => !shorter || shorter.has(text.slice(from, from + length - 1));
  let left = isFrequent(0);
  for (let i = 0; i + length <= text.length; i++) {
    const right = isFrequent(i + 1);
    if (left && right) candidates.add(text.slice(i, i + length));
    left = right;
  }
  return candidates;
}

/**
 * The classes to keep, `most` of them. `counts` says how many of the `texts` read hold each infix. An infix that is
 * inside another one and in as many texts is in the same texts, or nearly.
 */
export function* classesOf(
  counts: ReadonlyMap<string, number>,
  texts: number,
  most: number,
): Generator<void, InfixClass[]> {
  const least = Math.max(2, texts / (FREQUENT_SHARE * 1.5));
  const frequent = [...counts.keys()].filter((infix) => counts.get(infix)! >= least);
  yield;
  const equals = new Map(frequent.map((infix) => [infix, infix]));
  yield;
  const oneOf = (infix: string): string => {
    let one = infix;
    while (equals.get(one) !== one) one = equals.get(one)!;
    equals.set(infix, one);
    return one;
  };
  for (const [i, infix] of frequent.entries()) {
    if (i % CLASSES_STRIDE === 0) yield;
    for (const shorter of [infix.slice(1), infix.slice(0, -1)]) {
      if (counts.get(shorter) !== counts.get(infix) || !equals.has(shorter)) continue;
      equals.set(oneOf(shorter), oneOf(infix));
    }
  }
  const classes = new Map<string, string[]>();
  // The longest were suggested last.
  for (const [i, infix] of frequent.toReversed().entries()) {
    if (i % CLASSES_STRIDE === 0) yield;
    const one = oneOf(infix);
    const known = classes.get(one);
    if (known) known.push(infix);
    else classes.set(one, [infix]);
  }
  yield;
  const mostFirst = [...classes.values()]
    .flatMap(insideLongest)
    .sort((a, b) => counts.get(b[0]!)! - counts.get(a[0]!)!);
  return mostFirst.slice(0, most);
}

/**
 * Divides infixes that occur in the same texts into classes in which the first one contains all
 * others.
 */
function insideLongest(infixes: readonly string[]): InfixClass[] {
  const classes: InfixClass[] = [];
  let left = infixes;
  while (left.length > 0 && classes.length < MAX_CLASSES) {
    const [longest] = left;
    classes.push(left.filter((infix) => longest!.includes(infix)));
    left = left.filter((infix) => !longest!.includes(infix));
  }
  return classes;
}
