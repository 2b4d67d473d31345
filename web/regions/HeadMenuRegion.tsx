/** The menu of the column whose head was pressed. */

import { figuresOf } from '../data/rows/columnStats.ts';
import { columnsShown } from '../data/rows/columns.ts';
import { closeFor, closeHeadMenu, commandsOf, headMenu } from '../data/rows/headMenu.ts';
import { labelOf } from '../data/service/projects.ts';
import { noting } from '../data/service/service.ts';
import { ask, conditions, table } from '../data/store.ts';
import { RangeForm } from '../parts/box/RangeForm.tsx';
import { HeadMenu } from '../parts/table/HeadMenu.tsx';

export function HeadMenuRegion() {
  const open = headMenu.value;
  if (!open || !columnsShown().includes(open.column)) return null;
  const { column } = open;
  return (
    <HeadMenu
      key={`${table.value.name} ${column}`}
      {...open}
      table={table.value}
      commands={commandsOf(column)}
      ask={(signal) => noting(figuresOf(table.peek(), column, signal))}
      labelOf={labelOf}
      act={(act) => closeFor(act, column)}
      close={closeHeadMenu}
    >
      <RangeForm
        {...{ table: table.value, conditions: conditions.value, column }}
        set={(next) => closeFor(() => ask({ conditions: next }), column)}
      />
    </HeadMenu>
  );
}
