/** The page in place of a table that is not there, or not for the caller. */
import { linkTo, openTable } from '../data/moves.ts';
import { isAdmin, session } from '../data/service/session.ts';
import { isLost, view } from '../data/store.ts';
import { NoTable } from '../parts/dialogs/NoTable.tsx';
import type { TableName } from '../state/view.ts';
import { firstTable, isHere, tablesFor } from '../tables/tables.ts';

export function NoTableRegion() {
  const isIn = session.value !== undefined;
  const tables = isIn ? tablesFor(isAdmin.value) : [firstTable()];
  return (
    <NoTable
      why={isLost.value ? 'lost' : whyNot(view.value.table, tables)}
      isIn={isIn}
      tables={tables.map(linkTo)}
      open={openTable}
    />
  );
}

function whyNot(asked: TableName, tables: readonly TableName[]) {
  if (tables.length === 0) return 'none';
  return isHere(asked) ? 'denied' : 'unknown';
}
