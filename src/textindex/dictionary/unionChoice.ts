/**
 * Chooses the precomputed unions: those of the values that hold a frequent substring.
 *
 *     unigrams ──► bigrams of frequent unigrams ──► trigrams … ──► as long as one is frequent
 *
 * A substring is frequent when its values have one row in 24 or more. Each set of values that is
 * farther than that from every kept union is kept too, the farthest first, short substrings before
 * long. `@gmail.com` and every part of it have one set of values, so they cost one union. Texts
 * searched only together with other columns need none for unigrams and bigrams: n-gram bitmaps
 * answer for them (ngrams/ngramBitmaps.ts).
 *
 * It is a generator that yields every few microseconds of work, so that it can be done in slices
 * while searches and changes go on.
 */

import { LONGEST_NGRAM } from '../ngrams/ngramMasks.ts';
import { setBit } from '../storage/bits.ts';
import type { BitmapHandle, Ordinal, Pointer, RowNumber } from '../storage/brands.ts';
import type { Space } from '../storage/space.ts';
import { candidatesIn } from './candidates.ts';
import type { Dictionary } from './dictionary.ts';
import { MAX_UNIONS, SAMPLE } from './precomputedUnions.ts';
import type { Texts } from './texts.ts';

const FREQUENT_SHARE = 24;
const LONGEST = 24;
const STRIDE = 32;
/** The bytes read of a text: its pieces are suggestions, and a step must stay short. */
const READ_BYTES = 1024;
/**
 * The least number of values for a union: uniting a dozen bitmaps takes no longer than finding a
 * near union.
 */
const VALUES_EACH = 6;

interface Entry {
  readonly ordinal: Ordinal;
  readonly text: string;
}

/** Texts that are searched at once, and the frequent pieces of the length before. */
interface Group {
  readonly texts: Texts;
  readonly entries: readonly Entry[];
  frequent: ReadonlySet<string> | undefined;
}

/** Chooses and keeps unions; `unite` returns a bitmap of the rows of some ordinals. */
export function* placeUnions(
  space: Space,
  dictionary: Dictionary,
  unite: (ordinals: readonly Ordinal[]) => BitmapHandle,
): Generator<void> {
  dictionary.unions.reset(sampleOf(space, dictionary));
  const most = Math.min(MAX_UNIONS, Math.floor(dictionary.values.length / VALUES_EACH));
  if (most === 0) return;
  const groups = yield* readGroups(dictionary);
  for (let length = 1; groups.some(({ frequent }) => frequent?.size !== 0); length++) {
    if (length > LONGEST) return;
    const sets: (readonly Ordinal[])[] = [];
    for (const group of groups) {
      const pieces = yield* frequentPieces(dictionary, group.entries, length, group.frequent);
      group.frequent = new Set(pieces.keys());
      const kept = length <= LONGEST_NGRAM && dictionary.together.has(group.texts);
      if (!kept) sets.push(...pieces.values());
    }
    for (const ordinals of yield* farthestFirst(space, dictionary, sets)) {
      if (dictionary.unions.all.length >= most) return;
      place(space, dictionary, ordinals, unite);
      yield;
    }
  }
}

/** Ordinals of single-valued rows at even distances. */
function sampleOf(space: Space, dictionary: Dictionary): Ordinal[] {
  const list = space.scratch.take(space.segmentRows * 4);
  const sample: Ordinal[] = [];
  const perSegment = Math.ceil((SAMPLE * 2) / space.segments);
  for (const [segment, chunk] of dictionary.unions.everything.chunks.entries()) {
    if (!chunk) continue;
    const base = segment * space.segmentRows;
    const n = space.kernel.collect(chunk, space.segmentBytes, base, list, space.segmentRows);
    const step = Math.max(1, n / perSegment);
    for (let i = 0; i < n; i += step) {
      const row = space.memory.u32[(list >>> 2) + Math.floor(i)]! as RowNumber;
      sample.push(dictionary.ordinals.get(row));
    }
  }
  const step = Math.max(1, sample.length / SAMPLE);
  return Array.from(
    { length: Math.min(SAMPLE, sample.length) },
    (_, i) => sample[Math.floor(i * step)]!,
  );
}

/**
 * The groups of texts that a search reads together: the values with all their labels, and each
 * label alone.
 */
function* readGroups(dictionary: Dictionary): Generator<void, Group[]> {
  const decoder = new TextDecoder();
  const together: Entry[] = [];
  const alone: Group[] = [];
  for (const texts of [dictionary.texts, ...dictionary.labels.values()]) {
    if (!texts) continue;
    const entries: Entry[] = [];
    for (const [ordinal, text] of texts.all()) {
      entries.push({ ordinal, text: decoder.decode(text.subarray(0, READ_BYTES)) });
      if (entries.length % STRIDE === 0) yield;
    }
    for (const entry of entries) together.push(entry);
    if (texts !== dictionary.texts) alone.push({ texts, entries, frequent: undefined });
  }
  const { texts } = dictionary;
  return texts ? [{ texts, entries: together, frequent: undefined }, ...alone] : alone;
}

/**
 * The frequent pieces of one length and the ordinals of their values. One that begins or ends with half a
 * letter is a useless suggestion, not a wrong one.
 */
function* frequentPieces(
  dictionary: Dictionary,
  entries: readonly Entry[],
  length: number,
  shorter: ReadonlySet<string> | undefined,
): Generator<void, Map<string, Ordinal[]>> {
  const least = rowsOf(dictionary) / FREQUENT_SHARE;
  const weights = new Map<string, number>();
  for (const [i, entry] of entries.entries()) {
    const rows = dictionary.postings.countOf(entry.ordinal);
    for (const piece of candidatesIn(entry.text, length, shorter)) {
      weights.set(piece, (weights.get(piece) ?? 0) + rows);
    }
    if (i % STRIDE === 0) yield;
  }
  const found = new Map<string, Ordinal[]>();
  let seen = 0;
  for (const [piece, rows] of weights) {
    if (rows >= least) found.set(piece, []);
    if (++seen % 1024 === 0) yield;
  }
  for (const [i, entry] of entries.entries()) {
    for (const piece of candidatesIn(entry.text, length, shorter)) {
      found.get(piece)?.push(entry.ordinal);
    }
    if (i % STRIDE === 0) yield;
  }
  return found;
}

function rowsOf(dictionary: Dictionary): number {
  return dictionary.unions.everything.count();
}

/** The sets that are far from every union kept, the farthest first. */
function* farthestFirst(
  space: Space,
  dictionary: Dictionary,
  sets: readonly (readonly Ordinal[])[],
): Generator<void, (readonly Ordinal[])[]> {
  const far: { ordinals: readonly Ordinal[]; distance: number }[] = [];
  for (const ordinals of sets) {
    const distance = distanceOf(space, dictionary, ordinals);
    if (distance * FREQUENT_SHARE > 1) far.push({ ordinals, distance });
    yield;
  }
  far.sort((a, b) => b.distance - a.distance);
  return far.map(({ ordinals }) => ordinals);
}

function distanceOf(space: Space, dictionary: Dictionary, ordinals: readonly Ordinal[]): number {
  const signature = space.scratch.take(SAMPLE / 8);
  dictionary.unions.sign(membersOf(space, dictionary, ordinals), signature);
  return dictionary.unions.nearest(signature).distance;
}

/** Places a union, unless a union placed since the choice is near to it. */
function place(
  space: Space,
  dictionary: Dictionary,
  ordinals: readonly Ordinal[],
  unite: (ordinals: readonly Ordinal[]) => BitmapHandle,
): void {
  if (distanceOf(space, dictionary, ordinals) * FREQUENT_SHARE <= 1) return;
  const members = membersOf(space, dictionary, ordinals);
  dictionary.unions.place(ordinals, members, dictionary.ordinalBytes, unite(ordinals));
}

/** A bitmap over all ordinals in which these are set, in scratch memory. */
function membersOf(space: Space, dictionary: Dictionary, ordinals: readonly Ordinal[]): Pointer {
  const members = space.scratch.takeZero(dictionary.ordinalBytes);
  for (const ordinal of ordinals) setBit(space.memory.u8, members, ordinal);
  return members;
}
