/** The shown table, with all that belongs to it. */
import type { ComponentChildren } from 'preact';
import { useEffect } from 'preact/hooks';
import { sheet } from '../data/dialogs.ts';
import { linkTo, openTable } from '../data/moves.ts';
import { preferences } from '../data/preferences.ts';
import { pointing } from '../data/rows/arrivals.ts';
import { isStale } from '../data/rows/asking.ts';
import { cellMenu, cellTitle, deedsOf } from '../data/rows/cellMenu.ts';
import { cellBeside, openCellMenu } from '../data/rows/cells.ts';
import { tables } from '../data/service/learnTables.ts';
import { learnProjects, needsProject, ownProjects } from '../data/service/projects.ts';
import { isAdmin, person, session } from '../data/service/session.ts';
import { go, group, isLost, opened, table, view } from '../data/store.ts';
import { ChooseProject, NoTable } from '../parts/dialogs/Instead.tsx';
import { CellButton, CellMenu } from '../parts/table/CellMenu.tsx';
import { addressOf } from '../state/address.ts';
import type { TableName } from '../state/view.ts';
import { addressFields, firstTable, isHere, tablesFor } from '../tables/tables.ts';
import { say } from '../words/words.ts';
import { FacetsRegion } from './FacetsRegion.tsx';
import { GroupsRegion } from './GroupsRegion.tsx';
import { HeadRegion } from './HeadRegion.tsx';
import { RecordRegion } from './RecordRegion.tsx';
import { StateLineRegion } from './StateLineRegion.tsx';
import { PagerRegion, TableRegion } from './TableRegion.tsx';
import { TimelineRegion } from './TimelineRegion.tsx';

export function Main() {
  if (isLost.value) return <NoTableRegion />;
  if (needsProject()) return <ProjectRegion />;
  if (!tablesFor(isAdmin.value).includes(table.value.name)) {
    return tables.value === 'known' ? (
      <NoTableRegion />
    ) : (
      <main class="main" id="rows" tabIndex={-1} />
    );
  }
  const open = opened.value;
  const by = group.value;
  const hasFacets = table.value.description.facets.length > 0;
  const showsFacets = hasFacets && (preferences.value.sides || sheet.value === 'facets');
  return (
    <main
      class={`main ${open === null ? '' : 'has-panel'} ${isStale.value ? 'is-stale' : ''}`}
      aria-busy={isStale.value}
    >
      <HeadRegion />
      <TimelineRegion />
      <div class={`body ${showsFacets ? 'has-facets' : ''}`}>
        {showsFacets && <FacetsRegion />}
        <Rows>
          <StateLineRegion />
          {by === undefined ? (
            <>
              <TableRegion />
              <PagerRegion />
            </>
          ) : (
            <GroupsRegion key={by} field={by} />
          )}
          <CellMenuRegion />
        </Rows>
        {open !== null && (
          <RecordRegion key={`${person.value} ${table.value.name} ${open}`} open={open} />
        )}
      </div>
    </main>
  );
}

function Rows({ children }: { readonly children: ComponentChildren }) {
  const point = (isAt: boolean) => () => {
    pointing.value = isAt;
  };
  // The pointer leaves what goes away without a word.
  useEffect(() => point(false), []);
  return (
    <section
      class="rows"
      id="rows"
      tabIndex={-1}
      aria-label={say('Rows')}
      onPointerEnter={point(true)}
      onPointerLeave={point(false)}
    >
      {children}
    </section>
  );
}

function ProjectRegion() {
  const of = (id: string) => ({ ...view.value, project: id });
  return (
    <ChooseProject
      projects={ownProjects.value}
      hrefOf={(id) => addressOf(of(id), addressFields)}
      choose={(id) => go(of(id))}
      retry={() => void learnProjects()}
    />
  );
}

/** The menu of a value, and the button that opens it. */
function CellMenuRegion() {
  const open = cellMenu.value;
  return (
    <>
      <CellButton view={view.value} isOpen={open !== undefined} open={openCellMenu} />
      {open && (
        <CellMenu
          {...{ title: cellTitle(open.cell), at: open.at, deeds: deedsOf(open.cell) }}
          close={(isBack) => {
            cellMenu.value = undefined;
            if (isBack) open.from.focus({ preventScroll: true });
          }}
          goBeside={(step) => cellBeside(open.cell, open.from, step)}
        />
      )}
    </>
  );
}

/** The page in place of a table that is not there, or not for the caller. */
export function NoTableRegion() {
  const isIn = session.value !== undefined;
  const tables = isIn ? tablesFor(isAdmin.value) : [firstTable()];
  return (
    <NoTable
      why={isLost.value ? 'lost' : whyNot(view.value.table, tables)}
      isIn={isIn}
      tables={tables.map(linkTo)}
      open={openTable}
    />
  );
}

function whyNot(asked: TableName, tables: readonly TableName[]) {
  if (tables.length === 0) return 'none';
  return isHere(asked) ? 'denied' : 'unknown';
}
