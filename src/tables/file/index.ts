/** Definition files: the text of a file → its tables, or every problem of it with line and column. */
import type { DescribedTable } from './described.ts';
import { compileGrant } from './grants.ts';
import type { OwnTable } from './own.ts';
import type { Place, Problem } from './problems.ts';
import { compileResource } from './resource.ts';
import { readSource } from './source.ts';
import { compileFields } from './storedFields.ts';
import { describeTables } from './tables.ts';

export { FIELD_TYPES } from '../definition/definition.ts';
export type { DescribedField, DescribedTable } from './described.ts';
export { headingOf, isReservedName, KEY_TYPES } from './fields.ts';
export type { Grant, OwnTable, TableShown } from './own.ts';
export { type Problem, printProblems } from './problems.ts';
export { TABLES_SCHEMA } from './schema.ts';
export { FILE_USES, LOOKS } from './types.ts';

/** Line and column of a member, by its JSON pointer. */
type PlaceOf = (pointer: string) => Place;

export type ReadFile =
  | { readonly tables: readonly OwnTable[]; readonly place: PlaceOf }
  | { readonly problems: readonly Problem[] };

/** Reads a YAML 1.2 or JSON file, or its text. Pure; names no file. */
export function readTablesFile(text: string | Uint8Array): ReadFile {
  const source = readSource(text);
  if ('syntax' in source) return { problems: source.syntax };
  const { value, file } = source;
  const tables = describeTables(value, file);
  if (file.hasWrong) return { problems: file.problems };
  const place: PlaceOf = (pointer) => file.in(...pointer.split('/').slice(1)).place();
  return { tables: compileTables(tables, place), place };
}

/**
 * From described tables to tables that are ready to serve.
 *
 *     described ──▶ stored fields ──▶ resource: all that the index keeps ──▶ a view for each grant
 */
function compileTables(tables: readonly DescribedTable[], placeOf: PlaceOf): readonly OwnTable[] {
  const stored = compileFields(tables);
  return tables.map((table) => {
    const resource = compileResource(table, stored);
    const grants = table.access.map((grant) => compileGrant(table, stored, grant));
    return { ...table, place: placeOf(`/tables/${table.name}`), resource, grants };
  });
}
