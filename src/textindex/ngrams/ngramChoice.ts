/**
 * Which letters, and which pairs of letters, have their rows kept: those that cost a search most
 * without.
 *
 *     texts of all values ──► letters, pairs ──► rows to set one by one + bitmaps to join ──► most
 *
 * It is a generator that yields every few microseconds of work, so that it can be done in slices
 * while searches and changes go on.
 */
import type { Dictionary } from '../dictionary/dictionary.ts';
import type { Texts } from '../dictionary/texts.ts';
import { eachPieceIn, MOST_PIECES } from './ngramMasks.ts';

/** Letters come before pairs: they are asked while somebody begins to type. */
const MOST_LETTERS = 48;
const STRIDE = 32;
/** What is read of a text to choose by it; a step of 32 texts takes a millisecond at most. */
const READ_BYTES = 1024;
/** So many rows are set one by one in the time in which a bitmap is joined. */
const BITMAP = 6000;
/** What a column costs at most, in rows set one by one: past that landmarks help (precomputedUnions.ts). */
const MOST_COST = 64_000;

/** Texts that are looked through together, and the dictionary of their values. */
export interface Part {
  readonly dictionary: Dictionary;
  readonly texts: Texts;
}

/** Gives the pieces to keep, the dearest first; one that costs less than `least` rows is not. */
export function* choosePieces(parts: readonly Part[], least: number): Generator<void, string[]> {
  const costs = new Map<string, number>();
  for (const part of parts) {
    for (const [piece, cost] of yield* costsIn(part)) {
      costs.set(piece, (costs.get(piece) ?? 0) + Math.min(cost, MOST_COST));
    }
  }
  const dear = [...costs].filter(([, cost]) => cost >= least).sort((a, b) => b[1] - a[1]);
  const pieces = dear.map(([piece]) => piece);
  yield;
  const letters = pieces.filter(isLetter).slice(0, MOST_LETTERS);
  const pairs = pieces.filter((piece) => !isLetter(piece));
  return [...letters, ...pairs].slice(0, MOST_PIECES);
}

function* costsIn({ dictionary, texts }: Part): Generator<void, Map<string, number>> {
  const decoder = new TextDecoder();
  const { postings } = dictionary;
  const costs = new Map<string, number>();
  let seen = 0;
  for (const [code, bytes] of texts.all()) {
    const cost = postings.heavy.has(code) ? BITMAP : postings.countOf(code);
    for (const piece of piecesOf(decoder.decode(bytes.subarray(0, READ_BYTES)))) {
      costs.set(piece, (costs.get(piece) ?? 0) + cost);
    }
    if (++seen % STRIDE === 0) yield;
  }
  return costs;
}

/** The distinct letters and pairs of neighbours in a text. */
function piecesOf(text: string): Set<string> {
  const pieces = new Set<string>();
  eachPieceIn(text, (piece) => pieces.add(piece));
  return pieces;
}

const isLetter = (piece: string) => piece.length === (piece.codePointAt(0)! > 0xffff ? 2 : 1);
