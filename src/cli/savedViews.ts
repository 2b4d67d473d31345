/** Saved views by their names: of the caller, of projects, and for everyone. */
import { ApiError, type Client, type SavedView } from 'table-search/client';
import { unknownName } from './asked/names.ts';
import { CliError, EXIT, usage } from './failure.ts';

/** @throws CliError where the service keeps none */
export async function savedViews(client: Client): Promise<readonly SavedView[]> {
  try {
    return (await client.call('listViews', { path: {} })).records;
  } catch (error) {
    if (!(error instanceof ApiError) || error.code !== 'NotFound') throw error;
    throw new CliError('The service keeps no saved views.', EXIT.missing);
  }
}

/**
 * The view of this name, of one table or of any. The caller's own comes before others.
 *
 * @param option where the name stands on the command line
 * @throws CliError for an unknown name
 */
export function viewNamed(
  all: readonly SavedView[],
  name: string,
  option: string,
  table?: string,
): SavedView {
  const called = all.filter((one) => one.name === name);
  const known = called.filter((one) => table === undefined || one.table === table);
  const found = known.find(({ mine }) => mine) ?? known[0];
  if (found) return found;
  const [other] = called;
  const names = all.filter((one) => table === undefined || one.table === table);
  const why = other
    ? `this view is one of ${other.table}, not of ${table}.`
    : unknownName(name, [...new Set(names.map((one) => one.name))], 'Views');
  throw usage(`${option}: ${why}`);
}
