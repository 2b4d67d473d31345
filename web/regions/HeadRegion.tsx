/** The head of the shown table: its box, the badge of updates, and the tools for all rows. */

import { BOX } from '../data/box/box.ts';
import { openDialog, sheet } from '../data/dialogs.ts';
import { prefer, preferences } from '../data/preferences.ts';
import { showWaiting } from '../data/rows/arrivals.ts';
import { failure, live, paused, togglePause } from '../data/rows/asking.ts';
import { columnsShown, resetColumns, setColumns } from '../data/rows/columns.ts';
import { overdue, slowToConnect } from '../data/rows/slow.ts';
import { behind, secondsUntil } from '../data/service/clock.ts';
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
import { ColumnsMenu } from '../parts/table/ColumnsMenu.tsx';
import { LiveBadge } from '../parts/table/LiveBadge.tsx';
import type { Failure, Live } from '../present/answer.ts';
import { heard } from '../words/words.ts';

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
      badge={<BadgeRegion />}
      columns={<ColumnsRegion />}
      box={<BoxRegion key={table.value.name} />}
      showWaiting={showWaiting}
      setProject={(id) => ask({ project: id, ...(id !== null && { open: null }) })}
      setSides={(sides) => prefer({ sides })}
      openFilters={() => {
        sheet.value = 'facets';
      }}
      openViews={() => openDialog({ kind: 'views' })}
      openExport={() => openDialog({ kind: 'export' })}
      openSweep={sweeps ? () => openDialog({ kind: 'sweep' }) : undefined}
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

function ColumnsRegion() {
  return (
    <ColumnsMenu
      {...{ table: table.value, columns: columnsShown(), density: preferences.value.density }}
      {...{ set: setColumns, reset: resetColumns, prefer }}
    />
  );
}

function BadgeRegion() {
  const wrong = failure.value;
  const { value: seen } = live;
  // The rows answer an earlier question: they are not live.
  const now: Live = overdue.value && seen.state === 'live' ? { state: 'off' } : seen;
  return (
    <LiveBadge
      live={wrong && now.state === 'off' ? lostBy(wrong) : now}
      retryIn={now.state === 'lost' && now.until !== undefined ? secondsUntil(now.until) : 0}
      {...{ behind: behind.value, isPaused: paused.value, toggle: togglePause }}
      isSlowToConnect={slowToConnect.value}
    />
  );
}

/** The state of a question that failed. */
const lostBy = ({ title, status, retryAt }: Failure): Live => ({
  ...{ state: 'lost', reason: `${heard(title)}.` },
  ...{ until: retryAt, isRefused: status !== undefined },
});
