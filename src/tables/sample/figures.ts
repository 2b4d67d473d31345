/** Figures as people read them. */

/** Small shares are not nothing, large ones not all. */
export function percent(share: number): string {
  if (share >= 1) return '100 %';
  if (share > 0.99) return 'over 99 %';
  return share < 0.01 ? 'under 1 %' : `${Math.round(share * 100)} %`;
}

export const plural = (n: number, what: string): string =>
  `${n.toLocaleString('en')} ${what}${n === 1 ? '' : 's'}`;

export function megabytes(bytes: number): string {
  if (bytes < 2 ** 20) return `${Math.max(1, Math.round(bytes / 2 ** 10))} kB`;
  if (bytes < 2 ** 30) return `${Math.round(bytes / 2 ** 20)} MB`;
  return `${(bytes / 2 ** 30).toFixed(1)} GB`;
}
