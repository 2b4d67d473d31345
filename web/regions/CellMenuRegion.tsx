/** The menu of a value, or the button that opens it. */
import { cellMenu, cellTitle, deedsOf } from '../data/rows/cellMenu.ts';
import { cellBeside, openCellMenu } from '../data/rows/cells.ts';
import { view } from '../data/store.ts';
import { CellButton, CellMenu } from '../parts/table/CellMenu.tsx';

export function CellMenuRegion() {
  const open = cellMenu.value;
  if (!open) return <CellButton view={view.value} open={openCellMenu} />;
  const { cell, at, from } = open;
  const title = cellTitle(cell);
  return (
    <CellMenu
      {...{ title, at, deeds: deedsOf(cell) }}
      key={title}
      close={(isBack) => {
        cellMenu.value = undefined;
        if (isBack) from.focus({ preventScroll: true });
      }}
      goBeside={(step) => cellBeside(cell, from, step)}
    />
  );
}
