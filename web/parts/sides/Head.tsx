/** One line: the table's name, its number of rows, the box, and the tools for all rows. */

import { useRef } from 'preact/hooks';
import { showWaiting } from '../../data/arrivals.ts';
import { dialog, sheet } from '../../data/dialogs.ts';
import { prefer, preferences } from '../../data/preferences.ts';
import { ownProjects } from '../../data/projects.ts';
import { isAdmin } from '../../data/session.ts';
import { go, project, table, total, view, waiting } from '../../data/store.ts';
import { ColumnsMenuRegion } from '../../regions/ColumnsMenuRegion.tsx';
import { LiveBadgeRegion } from '../../regions/LiveBadgeRegion.tsx';
import { countOf } from '../../state/times.ts';
import { asking } from '../../state/view.ts';
import { say } from '../../words/words.ts';
import { SearchBox } from '../box/SearchBox.tsx';
import { Icon } from '../controls/Icon.tsx';
import { along, useRoving } from '../controls/roving.ts';

const TOOLS = along('ArrowLeft', 'ArrowRight');

export function Head() {
  const { title, sweep } = table.value;
  const sides = preferences.value.sides;
  const tools = useRef<HTMLDivElement>(null);
  useRoving(tools, '.head-tools > button, .head-tools > .menu > button', TOOLS);
  return (
    <header class="head">
      <div class="head-title">
        <h1 class="title">{say(title)}</h1>
        {project.value !== null && <ProjectChoice />}
        <p class="total" role="status" aria-live="polite">
          <Total />
        </p>
        {waiting.value && <Waiting count={waiting.value.count} />}
      </div>
      <div ref={tools} class="head-tools" role="toolbar" aria-label={say('View tools')}>
        <LiveBadgeRegion />
        <button
          type="button"
          class="button only-wide"
          aria-pressed={sides}
          title={say('Filters (f)')}
          onClick={() => prefer({ sides: !sides })}
        >
          <Icon name="filter" /> <span class="tool-text">{say('Filters')}</span>
        </button>
        <button
          type="button"
          class="button only-narrow"
          aria-label={say('Filters')}
          onClick={() => {
            sheet.value = 'facets';
          }}
        >
          <Icon name="filter" />
        </button>
        <ColumnsMenuRegion />
        <button
          type="button"
          class="button"
          title={say('Saved views (v)')}
          onClick={() => {
            dialog.value = { kind: 'views' };
          }}
        >
          <Icon name="views" /> <span class="tool-text">{say('Views')}</span>
        </button>
        <button
          type="button"
          class="button"
          title={say('Export (e)')}
          onClick={() => {
            dialog.value = { kind: 'export' };
          }}
        >
          <Icon name="export" /> <span class="tool-text">{say('Export')}</span>
        </button>
        {sweep && isAdmin.value && project.value === null && (
          <button
            type="button"
            class="button only-wide"
            title={say(sweep.title)}
            onClick={() => {
              dialog.value = { kind: 'sweep' };
            }}
          >
            <Icon name="broom" /> <span class="tool-text">{say(sweep.title)}</span>
          </button>
        )}
      </div>
      <div class="ask">
        <SearchBox key={table.value.name} />
      </div>
    </header>
  );
}

/** Rows that wait to be shown: beside the total, where it covers and moves nothing of the table. */
function Waiting({ count }: { readonly count: number }) {
  return (
    <button
      type="button"
      class="waiting"
      title={`${say('Show new rows')} (n)`}
      onClick={showWaiting}
    >
      <Icon name="up" size={13} />{' '}
      {count > 0 ? say('{n} new', { n: countOf(count) }) : say('Show changes')}
    </button>
  );
}

function Total() {
  const { one, many } = table.value;
  const { value } = total;
  return <>{value === undefined ? '' : `${countOf(value)} ${say(value === 1 ? one : many)}`}</>;
}

/** Members look at one project at a time; admins leave it to see all. */
function ProjectChoice() {
  const of = project.value;
  const own = ownProjects.value ?? [];
  if (isAdmin.value) {
    return (
      <button
        type="button"
        class="chip"
        onClick={() => go(asking(view.value, { project: null }))}
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
      value={of ?? ''}
      onChange={({ currentTarget }) =>
        go(asking(view.value, { project: currentTarget.value, open: null }))
      }
    >
      {!own.some(({ id }) => id === of) && <option value={of ?? ''}>–</option>}
      {own.map(({ id, name }) => (
        <option value={id} key={id}>
          {name}
        </option>
      ))}
    </select>
  );
}
