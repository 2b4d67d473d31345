/** Figures for people: a Markdown table whose columns are as wide as their widest cell. */

/** @param rows the titles first */
export function markdownTable(rows: readonly (readonly string[])[]): string {
  const titles = rows[0]!;
  const widths = titles.map((_, i) => Math.max(...rows.map((row) => row[i]!.length)));
  const cell = (text: string, i: number) =>
    i === 0 ? text.padEnd(widths[i]!) : text.padStart(widths[i]!);
  const line = (row: readonly string[]) => `| ${row.map(cell).join(' | ')} |`;
  const ends = widths.map((width, i) => '-'.repeat(width + 1) + (i === 0 ? '-' : ':'));
  return [line(titles), `|${ends.join('|')}|`, ...rows.slice(1).map(line)].join('\n');
}
