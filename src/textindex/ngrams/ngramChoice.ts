/**
 * Chooses the unigrams and bigrams that get a bitmap of their rows: those that cost a search most
 * without one.
 *
 *     texts of all values ──► n-grams ──► rows to set one by one + bitmaps to unite ──► the dearest
 *
 * It is a generator that yields every few microseconds of work, so that it can be done in slices
 * while searches and changes go on.
 */
import type { Dictionary } from '../dictionary/dictionary.ts';
import type { Texts } from '../dictionary/texts.ts';
import { eachNgramIn, MAX_NGRAMS } from './ngramMasks.ts';

/** Unigrams come before bigrams: every text that is typed begins with one. */
const MAX_UNIGRAMS = 48;
const STRIDE = 32;
/** The bytes of a text that the choice reads; a step of 32 texts takes a millisecond at most. */
const READ_BYTES = 1024;
/** So many rows are set one by one in the time in which a bitmap is united. */
const BITMAP = 6000;
/**
 * The most that a column may cost, in rows set one by one.
 */
const MAX_COST = 64_000;

/** Texts that are searched together, and the dictionary of their values. */
export interface SearchedTexts {
  readonly dictionary: Dictionary;
  readonly texts: Texts;
}

/** Returns the n-grams to keep, the dearest first; none that costs less than `least` rows. */
export function* chooseNgrams(
  parts: readonly SearchedTexts[],
  least: number,
): Generator<void, string[]> {
  const costs = new Map<string, number>();
  for (const part of parts) {
    for (const [ngram, cost] of yield* costsIn(part)) {
      costs.set(ngram, (costs.get(ngram) ?? 0) + Math.min(cost, MAX_COST));
    }
  }
  const dear = [...costs].filter(([, cost]) => cost >= least).sort((a, b) => b[1] - a[1]);
  const ngrams = dear.map(([ngram]) => ngram);
  yield;
  const unigrams = ngrams.filter(isUnigram).slice(0, MAX_UNIGRAMS);
  const bigrams = ngrams.filter((ngram) => !isUnigram(ngram));
  return [...unigrams, ...bigrams].slice(0, MAX_NGRAMS);
}

function* costsIn({ dictionary, texts }: SearchedTexts): Generator<void, Map<string, number>> {
  const decoder = new TextDecoder();
  const { postings } = dictionary;
  const costs = new Map<string, number>();
  let seen = 0;
  for (const [ordinal, bytes] of texts.all()) {
    const cost = postings.dense.has(ordinal) ? BITMAP : postings.countOf(ordinal);
    const ngrams = new Set<string>();
    eachNgramIn(decoder.decode(bytes.subarray(0, READ_BYTES)), (ngram) => ngrams.add(ngram));
    for (const ngram of ngrams) costs.set(ngram, (costs.get(ngram) ?? 0) + cost);
    if (++seen % STRIDE === 0) yield;
  }
  return costs;
}

const isUnigram = (ngram: string) => ngram.length === (ngram.codePointAt(0)! > 0xffff ? 2 : 1);
