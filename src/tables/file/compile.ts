/**
 * From described tables to tables that are ready to serve.
 *
 *     described ──▶ stored fields ──▶ resource: all that the index keeps ──▶ a view for each grant
 */
import type { DescribedTable } from './described.ts';
import { compileGrant, shownOf } from './grants.ts';
import type { OwnTable } from './own.ts';
import { compileResource } from './resource.ts';
import { compileFields } from './storedFields.ts';

export function compileTables(tables: readonly DescribedTable[]): readonly OwnTable[] {
  const stored = compileFields(tables);
  return tables.map((table) => {
    const resource = compileResource(table, stored);
    const grants = table.access.map((grant) => compileGrant(table, resource, grant));
    const { name, title } = table;
    return { name, title, ...shownOf(table, new Set()), resource, grants };
  });
}
