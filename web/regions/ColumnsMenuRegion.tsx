/** The menu of columns and of how rows look. */

import { prefer, preferences } from '../data/preferences.ts';
import { columnsShown, resetColumns, setColumns } from '../data/rows/columns.ts';
import { table } from '../data/store.ts';
import { ColumnsMenu } from '../parts/table/ColumnsMenu.tsx';

export function ColumnsMenuRegion() {
  return (
    <ColumnsMenu
      table={table.value}
      columns={columnsShown()}
      density={preferences.value.density}
      set={setColumns}
      reset={resetColumns}
      prefer={prefer}
    />
  );
}
