/** Where a text holds what was searched for: the parts of it, those that match marked. */

export interface Part {
  readonly text: string;
  readonly hit: boolean;
}

/** Finds what is searched for, in any case; undefined where nothing is. */
export function finderOf(q: string): RegExp | undefined {
  const wanted = q.trim();
  if (wanted === '') return undefined;
  return new RegExp(wanted.replace(/[.*+?^${}()|[\]\\/]/g, '\\$&'), 'giu');
}

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
