/**
 * Substrings that may be frequent, because their two shorter substrings both are.
 *
 *     frequent  @g gm ma ai il ──► candidates  @gm gma mai ail      no others are counted
 *
 * A substring is in no more texts than its own substrings (the Apriori principle; Agrawal and
 * Srikant, 1994).
 */

/**
 * The distinct candidates in a text of one length, in UTF-16 units: some begin or end with half a
 * letter. `shorter`: the frequent ones of the length before; undefined if all are.
 */
export function candidatesIn(
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
