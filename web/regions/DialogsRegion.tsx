/** The open dialog: one at most. */
import { closeDialog, dialog } from '../data/dialogs.ts';
import { prefer, preferences } from '../data/preferences.ts';
import { isAdmin } from '../data/service/session.ts';
import { table, time } from '../data/store.ts';
import { FailuresDialog } from '../parts/dialogs/FailuresDialog.tsx';
import { HelpDialog } from '../parts/dialogs/HelpDialog.tsx';
import { tablesFor } from '../tables/tables.ts';
import { ActionRegion, SweepRegion } from './ActionRegion.tsx';
import { ExportRegion } from './ExportRegion.tsx';
import { PaletteRegion } from './PaletteRegion.tsx';
import { ViewsRegion } from './ViewsRegion.tsx';

export function DialogsRegion() {
  const open = dialog.value;
  switch (open.kind) {
    case 'help':
      return (
        <HelpDialog
          table={table.value.name}
          tables={tablesFor(isAdmin.value).length}
          time={time.value}
          hasShortcuts={preferences.value.shortcuts}
          setShortcuts={(shortcuts) => prefer({ shortcuts })}
          close={closeDialog}
        />
      );
    case 'palette':
      return <PaletteRegion />;
    case 'export':
      return <ExportRegion />;
    case 'views':
      return <ViewsRegion />;
    case 'action':
      return <ActionRegion key={open.action} of={open} />;
    case 'sweep':
      return table.value.sweep ? <SweepRegion of={table.value.sweep} /> : null;
    case 'failures':
      return <FailuresDialog outcomes={open.outcomes} close={closeDialog} />;
    default:
      return null;
  }
}
