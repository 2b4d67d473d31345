/** Definition files: the text of a file → its tables, or every problem of it with line and column. */
import type { DescribedTable } from './described.ts';
import type { Problem } from './problems.ts';
import { readSource } from './source.ts';
import { describeTables } from './tables.ts';

export type { DescribedTable } from './described.ts';
export { printProblems } from './problems.ts';
export { TABLES_SCHEMA } from './schema.ts';

export type ReadFile =
  | { readonly tables: readonly DescribedTable[] }
  | { readonly problems: readonly Problem[] };

/**
 * Reads a YAML 1.2 or JSON text. Pure; names no file.
 *
 * @param taken names that no table may have, those of built-in tables
 */
export function readTablesFile(text: string, taken: readonly string[] = []): ReadFile {
  const source = readSource(text);
  if ('syntax' in source) return { problems: source.syntax };
  const tables = describeTables(source.value, taken, source.problems);
  const problems = source.problems.list();
  return problems.length > 0 ? { problems } : { tables };
}
