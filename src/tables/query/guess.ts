/**
 * Guesses the name that a caller meant by an unknown one.
 *
 *     "emial"  among q, id, email, …  ──▶  email         "shopName"  ──▶  shop_name
 *
 * Names are compared without case, `_` and `-`, by the number of letters to change, leave out, add
 * or swap with the next. Long texts are no names: they are not compared at all.
 */

/** Longest name that is compared, and that a sentence quotes, in UTF-16 units. */
const MAX_NAME = 64;

/** `"emial" is not known here; did you mean "email"? Known are q, id, email.` */
export function unknownName(given: string, known: readonly string[]): string {
  const shown = given.length > MAX_NAME ? `${given.slice(0, MAX_NAME)}…` : given;
  const guess = closest(given, known);
  const question = guess === undefined ? '.' : `; did you mean "${guess}"?`;
  const list = known.length === 0 ? 'Leave it out.' : `Known are ${known.join(', ')}.`;
  return `${JSON.stringify(shown.toWellFormed())} is not known here${question} ${list}`;
}

/** The known name nearest to this one; undefined if none is near. */
export function closest(given: string, known: readonly string[]): string | undefined {
  if (given.length > MAX_NAME) return undefined;
  const plain = plainName(given);
  // One slip for every three letters: most pairs of short names are that close by chance.
  let least = Math.min(2, Math.floor(plain.length / 3)) + 1;
  let guess: string | undefined;
  for (const name of known) {
    const distance = slips(plain, plainName(name), least);
    if (distance >= least) continue;
    least = distance;
    guess = name;
  }
  return guess;
}

const plainName = (name: string) => name.toLowerCase().replace(/[_-]/g, '');

/** The number of slips between two texts (optimal string alignment); `most` if there are many. */
function slips(a: string, b: string, most: number): number {
  if (Math.abs(a.length - b.length) >= most) return most;
  let before: number[] = [];
  let last = Array.from({ length: b.length + 1 }, (_, j) => j);
  for (let i = 1; i <= a.length; i++) {
    const row = [i];
    for (let j = 1; j <= b.length; j++) {
      const same = a[i - 1] === b[j - 1] ? 0 : 1;
      let least = Math.min(last[j]! + 1, row[j - 1]! + 1, last[j - 1]! + same);
      const swapped = i > 1 && j > 1 && a[i - 1] === b[j - 2] && a[i - 2] === b[j - 1];
      if (swapped) least = Math.min(least, before[j - 2]! + 1);
      row.push(least);
    }
    before = last;
    last = row;
  }
  return Math.min(last[b.length]!, most);
}
