/** Figures as people read them. */

/** Small shares are not nothing, large ones not all. */
export function percent(share: number): string {
  if (share >= 1) return '100 %';
  if (share > 0.99) return 'over 99 %';
  return share < 0.01 ? 'under 1 %' : `${Math.round(share * 100)} %`;
}

export const plural = (n: number, what: string): string =>
  `${n.toLocaleString('en')} ${what}${n === 1 ? '' : 's'}`;

/** The first of some texts, and how many more there are. */
export function firstOf(texts: readonly string[], most: number): string {
  const first = texts.slice(0, most).join(', ');
  const more = texts.length - most;
  return more > 0 ? `${first} and ${more.toLocaleString('en')} more` : first;
}

/** The names of all that is left out, by the reason for it. */
export function byReason(
  all: readonly { readonly name: string; readonly why: string }[],
): ReadonlyMap<string, readonly string[]> {
  const names = new Map<string, string[]>();
  for (const { name, why } of all) names.set(why, [...(names.get(why) ?? []), name]);
  return names;
}

export function megabytes(bytes: number): string {
  if (bytes < 2 ** 20) return `${Math.max(1, Math.round(bytes / 2 ** 10))} kB`;
  if (bytes < 2 ** 30) return `${Math.round(bytes / 2 ** 20)} MB`;
  return `${(bytes / 2 ** 30).toFixed(1)} GB`;
}
