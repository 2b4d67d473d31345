/** The table that is looked at, with all that belongs to it. */
import { pointing } from '../data/arrivals.ts';
import { sheet } from '../data/dialogs.ts';
import { tables } from '../data/learnTables.ts';
import { preferences } from '../data/preferences.ts';
import { needsProject } from '../data/projects.ts';
import { isAdmin } from '../data/session.ts';
import { isStale } from '../data/stale.ts';
import { group, isLost, opened, table } from '../data/store.ts';
import { tablesFor } from '../tables/tables.ts';
import { say } from '../words/words.ts';
import { CellMenu } from './CellMenu.tsx';
import { ChooseProject } from './ChooseProject.tsx';
import { DataTable } from './DataTable.tsx';
import { Facets } from './Facets.tsx';
import { Groups } from './Groups.tsx';
import { Head } from './Head.tsx';
import { NoTable } from './NoTable.tsx';
import { Pager } from './Pager.tsx';
import { Panel } from './Panel.tsx';
import { StateLine } from './StateLine.tsx';
import { Timeline } from './Timeline.tsx';

export function Main() {
  if (isLost.value) return <NoTable />;
  if (needsProject()) return <ChooseProject />;
  if (!tablesFor(isAdmin.value).includes(table.value.name)) {
    return tables.value === 'known' ? <NoTable /> : <main class="main" id="rows" tabIndex={-1} />;
  }
  const open = opened.value;
  const by = group.value;
  const showsFacets = preferences.value.sides || sheet.value === 'facets';
  return (
    <main
      class={`main ${open === null ? '' : 'has-panel'} ${isStale.value ? 'is-stale' : ''}`}
      aria-busy={isStale.value}
    >
      <Head />
      <Timeline />
      <div class={`body ${showsFacets ? 'has-facets' : ''}`}>
        {showsFacets && <Facets />}
        <section
          class="rows"
          id="rows"
          tabIndex={-1}
          aria-label={say('Rows')}
          onPointerEnter={() => {
            pointing.value = true;
          }}
          onPointerLeave={() => {
            pointing.value = false;
          }}
        >
          <StateLine />
          {by === undefined ? (
            <>
              <DataTable />
              <Pager />
            </>
          ) : (
            <Groups key={by} field={by} />
          )}
          <CellMenu />
        </section>
        {open !== null && <Panel key={`${table.value.name} ${open}`} open={open} />}
      </div>
    </main>
  );
}
