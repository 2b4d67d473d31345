/** Names of members: odd ones beyond the reach of a dotted path, free ones for fields, quoted ones for comments. */

import { LONGEST_PATH } from '../file/schema.ts';

/**
 * Whether no path can name it: empty, with a dot, with a `$` in front, or digits, which would mean a
 * place in an array. Bytes that are no UTF-8 cannot be written down either.
 *
 * @param path with the name at its end
 */
export const isOddName = (name: string, path: string): boolean =>
  name === '' ||
  /[.\uFFFD]|^\$|^\d+$/.test(name) ||
  name === '__proto__' ||
  path.length > LONGEST_PATH;

/** As many characters of a text, none of them in halves. */
export const startOf = (text: string, most: number): string =>
  text.length <= most ? text : [...text.slice(0, 2 * most)].slice(0, most).join('');

/** A text of the store on one line: it must not end the comment that quotes it. */
export function quoted(text: string, longest = 60): string {
  const start = startOf(text, longest);
  const cut = start === text ? text : `${start}…`;
  return JSON.stringify(cut.toWellFormed()).replace(
    /[\x7f-\x9f\u2028\u2029\ufeff\ufffe\uffff]/g,
    (character) => `\\u${character.charCodeAt(0).toString(16).padStart(4, '0')}`,
  );
}

/** The name, or with a number behind it where it is taken; it is taken from then on. */
export function freeName(
  start: string,
  taken: Set<string>,
  isReserved: (name: string) => boolean = () => false,
): string {
  let name = start;
  for (let n = 2; taken.has(name) || isReserved(name); n++) name = `${start}_${n}`;
  taken.add(name);
  return name;
}
