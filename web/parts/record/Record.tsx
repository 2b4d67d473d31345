/** The members of a record: related things are one click away, long ones can be read and copied. */

import { useSignal } from '@preact/signals';
import type { JSX } from 'preact';
import { useEffect } from 'preact/hooks';
import { recordShown } from '../../data/cells.ts';
import { copy } from '../../data/copy.ts';
import { notify } from '../../data/notices.ts';
import { isFoundUnasked, type Metadata, metadataOf } from '../../data/record.ts';
import { saveStream } from '../../data/saving.ts';
import { noticed, service } from '../../data/service.ts';
import { isAdmin } from '../../data/session.ts';
import { go, table, view } from '../../data/store.ts';
import type { Row } from '../../present/answer.ts';
import { failureText } from '../../present/failureText.ts';
import { messageOf } from '../../present/traceback.ts';
import { now } from '../../state/surroundings.ts';
import { ageOf, bytesOf, countOf, isMoment, momentOf } from '../../state/times.ts';
import { userView } from '../../tables/links.ts';
import { columnOf, columnsOf, columnTitle } from '../../tables/tables.ts';
import { say } from '../../words/words.ts';
import { Icon } from '../controls/Icon.tsx';
import { Link } from '../controls/Link.tsx';
import { useAnswer } from '../controls/useAnswer.ts';
import { WrapButton } from '../controls/WrapButton.tsx';
import { cellValue } from '../table/Cell.tsx';
import { Beside } from './Beside.tsx';
import { History } from './History.tsx';

export function Record({ row }: { readonly row: Row }) {
  useEffect(() => {
    recordShown.value = row;
  }, [row]);
  const { name, key, hidden, failure: told, parts } = table.value;
  const kind = told && row[told.kind];
  const failure = typeof kind === 'string' ? kind : undefined;
  const text = told && row[told.text];
  // Members shown above are left out below.
  const above = [key, ...hidden];
  if (told) above.push(told.text);
  if (told && failure !== undefined) above.push(told.kind);
  const members = columnsOf(name).filter((one) => row[one] !== undefined && !above.includes(one));
  const long = members.filter((one) => columnOf(name, one).look === 'json');
  return (
    <>
      {failure !== undefined && (
        <p class="failure-line" data-column={told?.kind}>
          <Icon name="warning" />
          <span>
            {failure}
            {typeof text === 'string' && (
              <span class="failure-message">{messageOf(text, failure)}</span>
            )}
          </span>
        </p>
      )}
      <Beside row={row} />
      {told && typeof text === 'string' && (
        <Long title={columnTitle(name, told.text)} value={text} />
      )}
      <dl class="members">
        {members
          .filter((one) => !long.includes(one))
          .map((one) => (
            <div class="member" key={one} data-column={one}>
              <dt>{columnTitle(name, one)}</dt>
              <dd>
                <Linked row={row} member={one} />
              </dd>
            </div>
          ))}
      </dl>
      {parts.includes('output') && <Made row={row} />}
      {parts.includes('members') && <Members value={row.users} />}
      {long
        .filter((one) => row[one] !== null)
        .map((one) => (
          <Long key={one} title={columnTitle(name, one)} value={row[one]} />
        ))}
      {parts.includes('history') && isAdmin.value && <History row={row} />}
      <Related row={row} />
    </>
  );
}

function Linked({ row, member }: { readonly row: Row; readonly member: string }) {
  const column = columnOf(table.value.name, member);
  const shown = column.look === 'date' ? bothTimes(row[member]) : cellValue(column, row[member]);
  const to = table.value.lead(row, member);
  return to ? <Link to={to}>{shown}</Link> : shown;
}

const DATE = { look: 'date' } as const;

/** The moment and its age: of a record both are wanted. */
function bothTimes(date: unknown): JSX.Element {
  if (!isMoment(date)) return cellValue(DATE, date);
  return (
    <time class="figure" dateTime={date}>
      {momentOf(date)} <span class="dim">{ageOf(date, now.value)}</span>
    </time>
  );
}

/** Where else one may want to look from here. */
function Related({ row }: { readonly row: Row }) {
  const links = table.value.related(row, isAdmin.value);
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

/** Artifacts and the snapshot of a task. */
function Made({ row }: { readonly row: Row }) {
  const isWanted = useSignal(isFoundUnasked());
  const { task_id, status } = row;
  const wanted = isWanted.value;
  const made = useAnswer(
    async (signal) => (wanted ? metadataOf(row, signal) : undefined),
    [task_id, status, wanted],
    (error) => {
      if (!isFoundUnasked()) notify(failureText(noticed(error)));
    },
  );
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
  if (!made) return null;
  const { artifacts, snapshot, log_lines } = made;
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
              {created_at !== undefined && cellValue(DATE, created_at)}
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
            <Link to={userView(id)}>
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
        <WrapButton />
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
