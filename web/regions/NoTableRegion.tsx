/** The page in place of a table that is not there, or not for the caller. */
import { linkTo, openTable } from '../data/moves.ts';
import { isAdmin, session } from '../data/service/session.ts';
import { isLost, view } from '../data/store.ts';
import { NoTable } from '../parts/dialogs/NoTable.tsx';
import { firstTable, isHere, tablesFor } from '../tables/tables.ts';

export function NoTableRegion() {
  const isIn = session.value !== undefined;
  return (
    <NoTable
      why={isLost.value ? 'lost' : isHere(view.value.table) ? 'denied' : 'unknown'}
      isIn={isIn}
      tables={(isIn ? tablesFor(isAdmin.value) : [firstTable()]).map(linkTo)}
      open={openTable}
    />
  );
}
