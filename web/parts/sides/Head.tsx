/** One line: the table's name, its number of rows, the box, and the tools for all rows. */
import type { ReadonlySignal } from '@preact/signals';
import type { ComponentChildren, ComponentProps } from 'preact';
import { useRef } from 'preact/hooks';
import { countOf } from '../../state/times.ts';
import { rowsText, type Table, tableTitle } from '../../tables/tables.ts';
import { say } from '../../words/words.ts';
import { Button } from '../controls/Button.tsx';
import { Icon, type IconName } from '../controls/Icon.tsx';
import { along, useRoving } from '../controls/roving.ts';

interface Given {
  readonly table: Table;
  /** How many rows match: it alone is painted with each key stroke. */
  readonly total: ReadonlySignal<number | undefined>;
  /** How many new rows wait to be shown: 0 where other changes do. */
  readonly waiting: number | undefined;
  /** As many new rows are a whole page: more may wait behind it. */
  readonly perPage: number;
  /** The one project that shows. */
  readonly project: string | null;
  /** The projects to choose from; undefined for an admin, who can leave the one that shows. */
  readonly projects: readonly { readonly id: string; readonly name: string }[] | undefined;
  /** Whether the filters show beside the table. */
  readonly hasSides: boolean;
  /** The badge of updates and the menu of columns, among the tools; and the search box. */
  readonly badge: ComponentChildren;
  readonly columns: ComponentChildren;
  readonly box: ComponentChildren;
  readonly showWaiting: () => void;
  readonly setProject: (id: string | null) => void;
  readonly setSides: (on: boolean) => void;
  /** On a phone they show over the table. */
  readonly openFilters: () => void;
  readonly openViews: () => void;
  readonly openExport: () => void;
  /** Undefined where there is nothing to sweep. */
  readonly openSweep: (() => void) | undefined;
}

const TOOLS = along('ArrowLeft', 'ArrowRight');

export function Head(given: Given) {
  const { table, total, waiting, project, hasSides, openSweep } = given;
  const title = tableTitle(table.name);
  const tools = useRef<HTMLDivElement>(null);
  useRoving(tools, '.head-tools > button, .head-tools > .menu > button', TOOLS);
  return (
    <header class="head">
      <div class="head-title">
        <h1 class="title" title={title}>
          {title}
        </h1>
        {project !== null && <ProjectChoice {...given} />}
        <p class="total" role="status" aria-live="polite">
          <Total table={table} total={total} />
        </p>
        {waiting !== undefined && (
          <Waiting count={waiting} isPage={waiting === given.perPage} show={given.showWaiting} />
        )}
      </div>
      <div ref={tools} class="head-tools" role="toolbar" aria-label={say('View tools')}>
        {given.badge}
        {table.description.facets.length > 0 && (
          <>
            <Tool
              {...{ icon: 'filter', text: say('Filters'), title: `${say('Filters')} (f)` }}
              look="only-wide"
              aria-pressed={hasSides}
              onClick={() => given.setSides(!hasSides)}
            />
            <Button look="only-narrow" aria-label={say('Filters')} onClick={given.openFilters}>
              <Icon name="filter" />
            </Button>
          </>
        )}
        {given.columns}
        <Tool
          {...{ icon: 'views', text: say('Views'), title: `${say('Saved views')} (v)` }}
          onClick={given.openViews}
        />
        <Tool
          {...{ icon: 'export', text: say('Export'), title: `${say('Export')} (e)` }}
          onClick={given.openExport}
        />
        {table.sweep && openSweep && (
          <Tool icon="broom" text={say(table.sweep.title)} look="only-wide" onClick={openSweep} />
        )}
      </div>
      <div class="ask">{given.box}</div>
    </header>
  );
}

interface ToolGiven extends ComponentProps<typeof Button> {
  readonly icon: IconName;
  /** Shows where there is room. */
  readonly text: string;
}

function Tool({ icon, text, ...button }: ToolGiven) {
  return (
    <Button title={text} {...button}>
      <Icon name={icon} /> <span class="tool-text">{text}</span>
    </Button>
  );
}

interface WaitingGiven {
  readonly count: number;
  readonly isPage: boolean;
  readonly show: () => void;
}

/** Rows that wait to be shown: beside the total, where it covers and moves nothing of the table. */
function Waiting({ count, isPage, show }: WaitingGiven) {
  const n = `${countOf(count)}${isPage ? '+' : ''}`;
  return (
    <button type="button" class="waiting" title={`${say('Show new rows')} (n)`} onClick={show}>
      <Icon name="up" size={13} /> {count > 0 ? say('{n} new', { n }) : say('Show changes')}
    </button>
  );
}

function Total({ table, total: { value } }: Pick<Given, 'table' | 'total'>) {
  return <>{value !== undefined && rowsText(table, value)}</>;
}

/** Members look at one project at a time; admins leave it to see all. */
function ProjectChoice({ project, projects, setProject }: Given) {
  if (!projects) {
    return (
      <button
        type="button"
        class="chip"
        onClick={() => setProject(null)}
        aria-label={say('Show all projects')}
      >
        {say('One project')} <Icon name="close" size={12} />
      </button>
    );
  }
  return (
    <select
      class="select"
      aria-label={say('Project')}
      value={project ?? ''}
      onChange={({ currentTarget }) => setProject(currentTarget.value)}
    >
      {!projects.some(({ id }) => id === project) && <option value={project ?? ''}>–</option>}
      {projects.map(({ id, name }) => (
        <option value={id} key={id}>
          {name}
        </option>
      ))}
    </select>
  );
}
