/** The parts of a text, with those marked that match the search. */

import { escaped, inQuotes, wordsIn } from '../state/searchText.ts';

export interface Part {
  readonly text: string;
  readonly hit: boolean;
}

/** Finds each word that is searched for, in any case; undefined where nothing is. */
export function finderOf(q: string): RegExp | undefined {
  const wanted = wordsIn(q).flatMap((group) => group.filter(({ not }) => !not));
  if (wanted.length === 0) return undefined;
  // The pattern marks the longer of two words that begin at one place.
  const texts = wanted.map(({ text }) => text).sort((a, b) => b.length - a.length);
  return new RegExp(texts.map(escaped).join('|'), 'giu');
}

/** Finds the text as it stands, with its blanks and signs; undefined for none, or blanks alone. */
export const finderOfText = (text: string): RegExp | undefined => finderOf(inQuotes(text.trim()));

export function partsOf(text: string, finder: RegExp | undefined): readonly Part[] {
  if (!finder) return [{ text, hit: false }];
  const parts: Part[] = [];
  let after = 0;
  for (const { 0: hit, index } of text.matchAll(finder)) {
    if (index > after) parts.push({ text: text.slice(after, index), hit: false });
    parts.push({ text: hit, hit: true });
    after = index + hit.length;
  }
  if (after < text.length || parts.length === 0)
    parts.push({ text: text.slice(after), hit: false });
  return parts;
}
