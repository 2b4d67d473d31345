/** The members of a record: related things are one click away, long ones can be read and copied. */

import { useSignal } from '@preact/signals';
import type { JSX } from 'preact';
import { useEffect } from 'preact/hooks';
import { copy } from '../data/copy.ts';
import { failureText } from '../data/failureText.ts';
import { follow } from '../data/moves.ts';
import { notify } from '../data/notices.ts';
import { isFoundUnasked, type Metadata, metadataOf } from '../data/record.ts';
import { saveStream } from '../data/saving.ts';
import { noticed, type Row, service } from '../data/service.ts';
import { isAdmin } from '../data/session.ts';
import { go, table, view } from '../data/store.ts';
import { now } from '../data/ticking.ts';
import { addressOf } from '../state/address.ts';
import { ageOf, bytesOf, countOf, momentOf } from '../state/times.ts';
import { type Condition, initialView, isOwn, type View } from '../state/view.ts';
import { columnOf, columnsOf, columnTitle, describedBy } from '../tables/tables.ts';
import { say } from '../words/words.ts';
import { cellValue } from './Cell.tsx';
import { Icon } from './Icon.tsx';

const LONG: readonly string[] = ['args', 'traceback', 'task_args', 'config', 'preferences'];
const LONG_AUDIT: readonly string[] = ['before', 'after'];

export function Record({ row }: { readonly row: Row }) {
  const { name, key } = table.value;
  const own = isOwn(name);
  const failure = !own && typeof row.exception_type === 'string' ? row.exception_type : undefined;
  const traceback = own ? undefined : row.traceback;
  // Members shown above are left out below.
  const above = own
    ? [key]
    : ['artifacts', 'users', key, ...(name === 'tasks' ? ['status', 'traceback'] : [])];
  if (failure !== undefined) above.push('exception_type');
  const members = membersOf(name).filter((one) => row[one] !== undefined && !above.includes(one));
  const isLong = (one: string) =>
    own ? columnOf(name, one).look === 'json' : [...LONG, ...LONG_AUDIT].includes(one);
  const long = members.filter(isLong);
  return (
    <>
      {failure !== undefined && (
        <p class="failure-line">
          <Icon name="warning" /> {failure}
        </p>
      )}
      {typeof traceback === 'string' && (
        <Long title={columnTitle(name, 'traceback')} value={traceback} />
      )}
      <dl class="members">
        {members
          .filter((one) => !long.includes(one))
          .map((one) => (
            <div class="member" key={one}>
              <dt>{columnTitle(name, one)}</dt>
              <dd>
                <Linked row={row} member={one} />
              </dd>
            </div>
          ))}
      </dl>
      {name === 'tasks' && <Made row={row} />}
      {name === 'projects' && <Members value={row.users} />}
      {long
        .filter((one) => row[one] !== null)
        .map((one) => (
          <Long key={one} title={columnTitle(name, one)} value={row[one]} />
        ))}
      <Related row={row} />
    </>
  );
}

/** All members of a record, in the order in which columns are described: what matters most comes first. */
function membersOf(name: View['table']): readonly string[] {
  const known = Object.keys(describedBy(table.value).columns);
  const first = columnsOf(name).filter((one) => known.includes(one));
  return [...first, ...known.filter((one) => !first.includes(one))];
}

function Linked({ row, member }: { readonly row: Row; readonly member: string }) {
  const { look, detail } = columnOf(table.value.name, member);
  const shown =
    look === 'date' ? bothTimes(row[member]) : cellValue(look, row[member], undefined, detail);
  const to = targetOf(row, member);
  return to ? <Link to={to}>{shown}</Link> : shown;
}

/** The moment and its age: of a record both are wanted. */
function bothTimes(date: unknown): JSX.Element {
  if (typeof date !== 'string') return cellValue('date', date);
  return (
    <time class="figure" dateTime={date}>
      {momentOf(date)} <span class="dim">{ageOf(date, now.value)}</span>
    </time>
  );
}

/** The view that a member of the record leads to. */
function targetOf(row: Row, member: string): View | undefined {
  const value = row[member];
  if (value === null || value === undefined) return undefined;
  const { leads = {}, name } = table.value;
  if (isOwn(name)) {
    const { to, through } = leads[member] ?? {};
    const key = through === undefined ? undefined : row[through];
    if (to === undefined || key === null || key === undefined || Array.isArray(key))
      return undefined;
    return { ...initialView(to), open: String(key) };
  }
  if (member === 'project_name' || member === 'project_id') {
    if (row.project_id === null) return undefined;
    return { ...initialView('projects'), open: String(row.project_id) };
  }
  if (member === 'user_email') return { ...initialView('users'), q: String(value) };
  if (member === 'target_id' && (row.target_type === 'task' || row.target_type === 'schedule')) {
    return { ...initialView(`${row.target_type}s`), open: String(value) };
  }
  return undefined;
}

function Link({ to, children }: { readonly to: View; readonly children: JSX.Element }) {
  return (
    <a class="link" href={addressOf(to)} onClick={(event) => follow(event, () => go(to))}>
      {children}
    </a>
  );
}

/** Where else one may want to look from here. */
function Related({ row }: { readonly row: Row }) {
  const links = relatedTo(table.value.name, row);
  if (links.length === 0) return null;
  return (
    <section class="related">
      <h3 class="part-title">{say('Related')}</h3>
      {links.map(({ title, to }) => (
        <Link key={title} to={to}>
          <span class="related-text">
            {say(title)} <Icon name="right" size={13} />
          </span>
        </Link>
      ))}
    </section>
  );
}

interface RelatedLink {
  readonly title: string;
  readonly to: View;
}

function relatedTo(name: View['table'], row: Row): readonly RelatedLink[] {
  if (isOwn(name)) return [];
  const admin = isAdmin.value;
  const project = name === 'projects' ? row.identifier : row.project_id;
  const links: RelatedLink[] = [];
  const add = (title: string, to: View['table'], ...conditions: Condition[]) => {
    const within = admin || typeof project !== 'string' ? null : project;
    links.push({ title, to: { ...initialView(to), project: within, conditions } });
  };
  const is = (field: string, value: unknown): Condition => ({
    ...{ kind: 'values', field, not: false },
    values: [value as string],
  });
  const inProject = admin && typeof project === 'string' ? [is('project_id', project)] : [];
  if (name === 'tasks') {
    if (typeof row.exception_type === 'string') {
      add(
        'Tasks with this exception',
        'tasks',
        ...inProject,
        is('exception_type', row.exception_type),
      );
    }
    if (typeof row.task_type === 'string') {
      add('Schedules of this type', 'schedules', ...inProject, is('task_type', row.task_type));
    }
    if (typeof row.worker === 'string')
      add('Tasks on this worker', 'tasks', is('worker', row.worker));
  } else if (name === 'schedules') {
    add('Tasks of this type', 'tasks', ...inProject, is('task_type', row.task_type));
  } else if (name === 'projects') {
    add('Tasks in this project', 'tasks', ...inProject);
    add('Schedules in this project', 'schedules', ...inProject);
  } else if (name === 'users' && admin) {
    add('Tasks of this user', 'tasks', is('user_email', row.email));
    add('Changes by this user', 'audit', is('actor', String(row.id)));
  }
  if (admin && (name === 'tasks' || name === 'schedules')) {
    links.push({
      title: `Changes to this ${table.value.one}`,
      to: { ...initialView('audit'), q: String(row[table.value.key]) },
    });
  }
  return links;
}

/** Artifacts and the snapshot of a task. */
function Made({ row }: { readonly row: Row }) {
  const made = useSignal<Metadata | undefined>(undefined);
  const isWanted = useSignal(isFoundUnasked());
  const { task_id, status } = row;
  const wanted = isWanted.value;
  useEffect(() => {
    if (!wanted) return;
    const abort = new AbortController();
    metadataOf(row, abort.signal)
      .then((found) => {
        made.value = found;
      })
      .catch((error: unknown) => {
        if (!abort.signal.aborted && !isFoundUnasked()) notify(failureText(noticed(error)));
      });
    return () => abort.abort();
  }, [task_id, status, wanted]);
  if (!wanted) {
    return (
      <section>
        <h3 class="part-title">{say('Output')}</h3>
        <button
          type="button"
          class="button is-small"
          onClick={() => {
            isWanted.value = true;
          }}
        >
          {say('Show output')}
        </button>
      </section>
    );
  }
  if (!made.value) return null;
  const { artifacts, snapshot, log_lines } = made.value;
  return (
    <section>
      <h3 class="part-title">{say('Output')}</h3>
      {artifacts.length === 0 && !snapshot && <p class="dim">{say('No output')}</p>}
      {artifacts.length > 0 && <Artifacts all={artifacts} />}
      {snapshot && (
        <button
          type="button"
          class="button"
          onClick={() => void saveSnapshot(String(task_id), snapshot.file_name)}
        >
          <Icon name="export" />{' '}
          {say('Download snapshot ({what})', {
            what: `${snapshot.file_name}, ${bytesOf(snapshot.size)}`,
          })}
        </button>
      )}
      {log_lines !== undefined && (
        <p>
          <button
            type="button"
            class="button is-plain"
            onClick={() => go({ ...view.value, tab: 'log' }, 'replace')}
          >
            <Icon name="log" /> {say('{n} log lines', { n: countOf(log_lines) })}
          </button>
        </p>
      )}
    </section>
  );
}

/** The service knows what they are, and hands out none of them: names can be taken to where they lie. */
function Artifacts({ all }: { readonly all: Metadata['artifacts'] }) {
  const names = all.map(({ name }) => String(name ?? ''));
  const bytes = all.reduce((sum, { size = 0 }) => sum + size, 0);
  return (
    <>
      <p class="dim">
        {say(all.length === 1 ? '1 artifact, {size}' : '{n} artifacts, {size}', {
          n: countOf(all.length),
          size: bytesOf(bytes),
        })}
        {all.length > 1 && (
          <button
            type="button"
            class="button is-plain is-small"
            onClick={() => void copy(names.join('\n'))}
          >
            {say('Copy all names')}
          </button>
        )}
      </p>
      <ul class="made">
        {all.map(({ size, content_type, created_at }, at) => (
          <li class="artifact" key={at}>
            <span class="mono artifact-name">{names[at]}</span>
            <button
              type="button"
              class="button is-icon is-small"
              aria-label={say('Copy {what}', { what: names[at]! })}
              onClick={() => void copy(names[at]!)}
            >
              <Icon name="copy" size={13} />
            </button>
            <span class="dim">
              {size === undefined ? '' : bytesOf(size)} {content_type}{' '}
              {created_at !== undefined && cellValue('date', created_at)}
            </span>
          </li>
        ))}
      </ul>
    </>
  );
}

async function saveSnapshot(task: string, name: string): Promise<void> {
  try {
    const { stream } = await service.tasks.snapshot(task);
    await saveStream(name, stream);
  } catch (error) {
    notify(failureText(noticed(error)));
  }
}

function Members({ value }: { readonly value: unknown }) {
  const people = (Array.isArray(value) ? value : []) as Row[];
  return (
    <section>
      <h3 class="part-title">{say('Members')}</h3>
      <ul class="made">
        {people.map(({ id, email, role }) => (
          <li key={String(id)}>
            <Link to={{ ...initialView('users'), open: String(id) }}>
              <span>{String(email ?? id)}</span>
            </Link>{' '}
            <span class="dim">{String(role ?? '')}</span>
          </li>
        ))}
      </ul>
    </section>
  );
}

function Long({ title, value }: { readonly title: string; readonly value: unknown }) {
  const text = typeof value === 'string' ? value : JSON.stringify(value, null, 2);
  return (
    <section>
      <h3 class="part-title">
        {title}
        <button
          type="button"
          class="button is-icon is-small"
          aria-label={say('Copy {what}', { what: title })}
          onClick={() => void copy(text)}
        >
          <Icon name="copy" size={13} />
        </button>
      </h3>
      <pre
        class="long"
        // biome-ignore lint/a11y/noNoninteractiveTabindex: what scrolls must be reached by keys
        tabIndex={0}
      >
        {text}
      </pre>
    </section>
  );
}
