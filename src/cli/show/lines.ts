/** Rows for programs: CSV as the service exports it, or lines of cells between tabs. */
import { csvLine } from '../../serve/export/csv.ts';
import type { Json } from '../../tables/definition/record.ts';
import type { Form } from '../output.ts';
import { oneLine } from './terminal.ts';

export interface Lines {
  readonly head: readonly string[];
  readonly rows: readonly (readonly unknown[])[];
}

/** A header line, then a line for each row. Tabs and line ends inside of cells are escaped, except in CSV. */
export function linesText({ head, rows }: Lines, form: Form): string {
  if (form === 'csv') {
    const lines = rows.map((row) => csvLine(row as readonly Json[], false));
    return csvLine(head, true) + lines.join('');
  }
  return [head, ...rows].map((row) => `${row.map(plainCell).join('\t')}\n`).join('');
}

function plainCell(value: unknown): string {
  if (value === null || value === undefined) return '';
  return oneLine(typeof value === 'object' ? JSON.stringify(value) : String(value));
}
