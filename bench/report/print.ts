/** A report on the terminal. */
import { barTable, classTable, exploreTable, summaryOf } from './markdown.ts';
import type { Report } from './report.ts';

export function printReport(report: Report): void {
  console.log(`\n${summaryOf(report)}\n`);
  const classes = classTable(report);
  if (classes !== '') console.log(`${aligned(classes)}\n`);
  const explores = exploreTable(report);
  if (explores !== '') console.log(`${aligned(explores)}\n`);
  console.log(`${aligned(barTable(report.rows))}\n`);
}

/** Pads the cells of a Markdown table, so that it can be read as it is. */
function aligned(table: string): string {
  const lines = table.split('\n');
  const cellsOf = (line: string) => line.split('|').map((cell) => cell.trim());
  const widths: number[] = [];
  for (const line of lines.filter((one) => one.startsWith('| '))) {
    for (const [column, cell] of cellsOf(line).entries()) {
      widths[column] = Math.max(widths[column] ?? 0, cell.length);
    }
  }
  return lines
    .filter((line) => !line.startsWith('|--'))
    .map((line) =>
      line.startsWith('| ')
        ? cellsOf(line)
            .slice(1, -1)
            .map((cell, column) =>
              column === 0 ? cell.padEnd(widths[column + 1]!) : cell.padStart(widths[column + 1]!),
            )
            .join('  ')
        : line,
    )
    .join('\n');
}
