/** The sidebar, as it stands with the session, the saved views and the preferences. */
import { openDialog } from '../data/dialogs.ts';
import { linkTo, openAddress, openTable } from '../data/moves.ts';
import { prefer, preferences } from '../data/preferences.ts';
import { isAdmin, session, signOut } from '../data/service/session.ts';
import { who } from '../data/service/who.ts';
import { isLost, table, viewAddress } from '../data/store.ts';
import { viewCounts } from '../data/viewCounts.ts';
import { views } from '../data/views.ts';
import { Sidebar } from '../parts/sides/Sidebar.tsx';
import { tablesFor } from '../tables/tables.ts';

export function SidebarRegion() {
  const { theme, rail } = preferences.value;
  return (
    <Sidebar
      tables={tablesFor(isAdmin.value).map(linkTo)}
      shown={isLost.value ? undefined : table.value.name}
      views={views.value}
      address={viewAddress}
      counts={viewCounts}
      who={who.value}
      userId={session.value?.userId}
      isAdmin={isAdmin.value}
      theme={theme}
      isRail={rail}
      openTable={openTable}
      openView={openAddress}
      openCommands={() => openDialog({ kind: 'palette' })}
      setTheme={(next) => prefer({ theme: next })}
      setRail={(on) => prefer({ rail: on })}
      signOut={signOut}
    />
  );
}
