/** Finds known words for a mistyped one: they contain it or differ by a few letters. */

/** The nearest words first, at most so many. */
export function nearest(typed: string, known: readonly string[], most = 3): readonly string[] {
  const folded = typed.toLowerCase();
  const limit = folded.length < 3 ? 0 : folded.length < 6 ? 1 : 2;
  return known
    .map((word) => ({ word, far: distance(folded, word.toLowerCase(), limit) }))
    .filter(({ far }) => far <= limit)
    .sort((a, b) => a.far - b.far)
    .slice(0, most)
    .map(({ word }) => word);
}

/** 0 where one begins the other, else how many letters differ; more than the limit counts as infinite. */
function distance(a: string, b: string, limit: number): number {
  if (a.length > 1 && b.startsWith(a)) return 0;
  if (Math.abs(a.length - b.length) > limit) return Number.POSITIVE_INFINITY;
  return editDistance(a, b);
}

/** Damerau and Levenshtein's: letters put in, left out, taken for another, or two of them swapped. */
function editDistance(a: string, b: string): number {
  let before: number[] = [];
  let above = Array.from({ length: b.length + 1 }, (_, at) => at);
  for (let i = 1; i <= a.length; i += 1) {
    const row = [i];
    for (let j = 1; j <= b.length; j += 1) {
      const isSame = a[i - 1] === b[j - 1];
      let least = Math.min(above[j]! + 1, row[j - 1]! + 1, above[j - 1]! + (isSame ? 0 : 1));
      if (i > 1 && j > 1 && a[i - 1] === b[j - 2] && a[i - 2] === b[j - 1]) {
        least = Math.min(least, before[j - 2]! + 1);
      }
      row.push(least);
    }
    [before, above] = [above, row];
  }
  return above[b.length]!;
}
