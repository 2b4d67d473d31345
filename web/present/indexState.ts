/** How far an index that is being loaded has come. */

/** Percent of all rows, as the service says it: `The index is loading (42 % is there).` */
export function partThere(reason: string): number | undefined {
  const [, part] = /\((\d+) % is there\)/.exec(reason) ?? [];
  return part === undefined ? undefined : Number(part);
}
