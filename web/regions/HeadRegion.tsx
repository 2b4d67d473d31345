/** The head of the shown table. */

import { BOX } from '../data/box/box.ts';
import { openDialog, sheet } from '../data/dialogs.ts';
import { prefer, preferences } from '../data/preferences.ts';
import { showWaiting } from '../data/rows/arrivals.ts';
import { labelOf, ownProjects } from '../data/service/projects.ts';
import { isAdmin } from '../data/service/session.ts';
import {
  ask,
  conditions,
  perPage,
  project,
  searched,
  table,
  total,
  waiting,
} from '../data/store.ts';
import { SearchBox } from '../parts/box/SearchBox.tsx';
import { Head } from '../parts/sides/Head.tsx';
import { ColumnsMenuRegion } from './ColumnsMenuRegion.tsx';
import { LiveBadgeRegion } from './LiveBadgeRegion.tsx';

export function HeadRegion() {
  const sweeps = table.value.sweep !== undefined && isAdmin.value && project.value === null;
  return (
    <Head
      table={table.value}
      total={total}
      waiting={waiting.value}
      perPage={perPage.value}
      project={project.value}
      projects={isAdmin.value ? undefined : (ownProjects.value ?? [])}
      hasSides={preferences.value.sides}
      badge={<LiveBadgeRegion />}
      columns={<ColumnsMenuRegion />}
      box={<BoxRegion key={table.value.name} />}
      showWaiting={showWaiting}
      setProject={(id) => ask({ project: id, ...(id !== null && { open: null }) })}
      setSides={(sides) => prefer({ sides })}
      openFilters={() => {
        sheet.value = 'facets';
      }}
      openViews={() => openDialog('views')}
      openExport={() => openDialog('export')}
      openSweep={sweeps ? () => openDialog('sweep') : undefined}
    />
  );
}

/** Each table has a box of its own. */
function BoxRegion() {
  const { shortcuts } = preferences.value;
  return (
    <SearchBox {...{ table, conditions, labelOf }} q={searched} hasKey={shortcuts} deeds={BOX} />
  );
}
