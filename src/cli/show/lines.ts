/** Rows for programs: CSV as the service exports it, or lines of cells between tabs. */
import { csvCell, csvHeader } from '../../serve/export/csv.ts';
import type { Json } from '../../tables/definition/record.ts';
import type { Form } from '../output.ts';
import { oneLine } from './terminal.ts';

export interface Lines {
  readonly head: readonly string[];
  readonly rows: readonly (readonly unknown[])[];
}

/** A header line, then a line for each row. Tabs and line ends inside of cells are escaped, except in CSV. */
export function linesText({ head, rows }: Lines, form: Form): string {
  if (form === 'csv') return csvHeader(head) + rows.map(csvLine).join('');
  return [head, ...rows].map((row) => `${row.map(plainCell).join('\t')}\n`).join('');
}

function csvLine(row: readonly unknown[]): string {
  const line = row.map((cell) => csvCell(cell as Json, false)).join();
  // A line of nothing at all would be no line to many readers.
  return `${line === '' ? '""' : line}\r\n`;
}

function plainCell(value: unknown): string {
  if (value === null || value === undefined) return '';
  return oneLine(typeof value === 'object' ? JSON.stringify(value) : String(value));
}
