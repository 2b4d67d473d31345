/** The menu of columns and of how rows look. */
import { columnsShown, resetColumns, setColumns } from '../data/columns.ts';
import { prefer, preferences } from '../data/preferences.ts';
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
