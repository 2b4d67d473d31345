/**
 * The text of a search as words: `vineyard "time out" -gold red or white`.
 *
 *     vineyard "time out"     rows hold both; quotes keep a text together
 *     -gold                   and not this one
 *     red or white            and one of these
 *
 * A sign is itself: there are no wildcards. Only signs that nobody sees are left out at both ends of a word
 * without quotes: programs put them around texts that are copied. Within a word scripts have use for them.
 */
import { type TextCondition, unescaped } from '../../clients/typescript/viewAddress.ts';

/** Every list must match a row; a list matches by any one of its words. */
export type Words = readonly (readonly TextCondition[])[];

/** A word of the text, and where it ends in it. */
interface WordAt {
  readonly word: TextCondition;
  readonly end: number;
  /** Whether it is the bare word `or`. */
  readonly isOr: boolean;
}

/** Two hyphens begin an option of a command: that is a text. */
const WORD = /(-(?!-))?(?:"((?:[^"\\]|\\.)*)"?|(\S+))/suy;

/** The word that begins there; undefined where none does. */
export function wordAt(text: string, start: number): WordAt | undefined {
  WORD.lastIndex = start;
  const found = WORD.exec(text);
  if (!found) return undefined;
  const [all, minus, inner, bare = ''] = found;
  const isQuoted = inner !== undefined;
  const not = minus !== undefined;
  return {
    word: { kind: 'text', not, text: isQuoted ? unescaped(inner) : seen(bare) },
    end: start + all.length,
    isOr: !isQuoted && !not && OR.test(bare),
  };
}

const OR = /^or$/i;

/** Soft hyphens, spaces and joiners without width, marks of direction. */
const UNSEEN = '[\\u00ad\\u200b-\\u200f\\u202a-\\u202e\\u2060\\u2066-\\u2069\\ufeff]';
const UNSEEN_ENDS = new RegExp(`^${UNSEEN}+|${UNSEEN}+$`, 'g');

export const seen = (text: string) => text.replace(UNSEEN_ENDS, '');

/** More words than a search takes are one text. */
export const MOST = 30;

/** The words of a text. */
export function wordsIn(text: string): Words {
  const found = allIn(text);
  if (found.length > MOST) return [[{ kind: 'text', not: false, text: text.trim() }]];
  return joinedByOr(found)
    .map((group) => group.map(({ word }) => ({ ...word, text: word.text.trim() })))
    .map((group) => group.filter(({ text }) => text !== ''))
    .filter((group) => group.length > 0);
}

/** Whether it has more words than are looked for one by one. */
export const isOneText = (text: string): boolean => allIn(text).length > MOST;

function allIn(text: string): readonly WordAt[] {
  const found: WordAt[] = [];
  for (let at = skipBlanks(text, 0); at < text.length; at = skipBlanks(text, at)) {
    const one = wordAt(text, at)!;
    found.push(one);
    at = one.end;
  }
  return found;
}

export function skipBlanks(text: string, from: number): number {
  let at = from;
  while (at < text.length && /\s/.test(text[at]!)) at += 1;
  return at;
}

/**
 * Words in groups: those with an `or` between them are in one. An `or` that begins the text, or follows another
 * one, is a word; one that ends it waits for the next.
 */
export function joinedByOr<T extends { readonly isOr: boolean }>(all: readonly T[]): T[][] {
  const groups: T[][] = [];
  let joins = false;
  for (const [at, one] of all.entries()) {
    if (one.isOr && at > 0 && !joins) {
      joins = true;
      continue;
    }
    if (joins) groups.at(-1)!.push(one);
    else groups.push([one]);
    joins = false;
  }
  return groups;
}

/** The text that has these words, always written the same way. */
export const textOf = (words: Words): string =>
  words.map((group) => group.map(wordText).join(' or ')).join(' ');

/** A word as the box is told it. */
export const wordText = ({ text, not }: TextCondition) => `${not ? '-' : ''}${quotedWord(text)}`;

/** One text to search for, as the box is told it. */
export const quotedWord = (text: string): string =>
  /^[-"]|[\s:=<>~]|^or$/i.test(text) || seen(text) !== text ? inQuotes(text) : text;

/** As a part of a regular expression. */
export const escaped = (text: string): string => text.replace(/[.*+?^${}()|[\]\\/]/g, '\\$&');

export const inQuotes = (text: string): string => `"${text.replace(/["\\]/g, '\\$&')}"`;
