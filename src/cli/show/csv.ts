/** CSV as the service exports it: a header line, cells that no spreadsheet takes for a formula. */
import { csvCell, csvHeader } from '../../serve/export/csv.ts';
import type { Json } from '../../tables/definition/record.ts';

export function csvText(names: readonly string[], rows: readonly (readonly unknown[])[]): string {
  const lines = rows.map((row) => {
    const line = row.map((cell) => csvCell(cell as Json, false)).join();
    // A line of nothing at all would be no line to many readers.
    return `${line === '' ? '""' : line}\r\n`;
  });
  return csvHeader(names) + lines.join('');
}
