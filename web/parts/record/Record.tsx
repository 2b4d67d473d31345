/** The members of a record: related things are one click away, long ones can be read and copied. */

import type { JSX } from 'preact';
import { useEffect, useState } from 'preact/hooks';
import type { Changes, Metadata, Row } from '../../present/answer.ts';
import { failureText } from '../../present/failureText.ts';
import { now } from '../../state/surroundings.ts';
import { ageOf, bytesOf, countOf, isMoment, momentOf } from '../../state/times.ts';
import type { View } from '../../state/view.ts';
import { userView } from '../../tables/links.ts';
import { columnOf, columnsOf, columnTitle, type Table } from '../../tables/tables.ts';
import { say } from '../../words/words.ts';
import { Button } from '../controls/Button.tsx';
import { Icon } from '../controls/Icon.tsx';
import { IconButton } from '../controls/IconButton.tsx';
import { Link } from '../controls/Link.tsx';
import { useAnswer } from '../controls/useAnswer.ts';
import { WrapButton, type Wraps } from '../controls/WrapButton.tsx';
import { cellValue } from '../table/Cell.tsx';
import { Beside } from './Beside.tsx';
import { Folded, isLong, LongText } from './Folded.tsx';
import { History } from './History.tsx';

interface Given extends RecordDeeds, Pick<Wraps, 'wraps'> {
  readonly table: Table;
  readonly row: Row;
  readonly admin: boolean;
}

/** The actions of the record's buttons, and its questions to the service. */
export interface RecordDeeds extends Pick<Wraps, 'setWraps'> {
  readonly go: (to: View) => void;
  readonly copy: (text: string) => void;
  /** Shows a notice. */
  readonly tell: (text: string) => void;
  readonly showLog: () => void;
  readonly saveSnapshot: (task: string, name: string) => void;
  /** The first row of a view. */
  readonly askFirst: (of: View, signal: AbortSignal) => Promise<Row | undefined>;
  readonly askChanges: (key: string, signal: AbortSignal) => Promise<Changes>;
  readonly askMetadata: (row: Row, signal: AbortSignal) => Promise<Metadata | undefined>;
}

export function Record(given: Given) {
  const { table, row, admin } = given;
  const { name, key, hidden, failure: told, parts } = table;
  const precedent = table.precedent?.(row, admin);
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
      {precedent && <Beside key={String(row[key])} {...given} found={precedent} />}
      {told && typeof text === 'string' && (
        <Long {...given} title={columnTitle(name, told.text)} value={text} />
      )}
      <dl class="members">
        {members
          .filter((one) => !long.includes(one))
          .map((one) => (
            <div class="member" key={one} data-column={one}>
              <dt>{columnTitle(name, one)}</dt>
              <dd>
                <Member key={String(row[key])} {...given} member={one} />
              </dd>
            </div>
          ))}
      </dl>
      {parts.includes('output') && <Made {...given} />}
      {parts.includes('members') && <Members {...given} value={row.users} />}
      {long
        .filter((one) => row[one] !== null)
        .map((one) => (
          <Long {...given} key={one} title={columnTitle(name, one)} value={row[one]} />
        ))}
      {parts.includes('history') && admin && <History {...given} />}
      <Related {...given} />
    </>
  );
}

/** The message that a traceback ends with, without the kind of exception before it. */
function messageOf(text: string, kind: string): string {
  const last = text.trimEnd().split('\n').at(-1)!.trim();
  return last.startsWith(`${kind}:`) ? last.slice(kind.length + 1).trim() : last;
}

interface MemberGiven extends Given {
  readonly member: string;
}

/** Elements of a list that show while it is folded. */
const BRIEF = 100;

function Member({ member, ...given }: MemberGiven) {
  const value = given.row[member];
  const show = (part: unknown) => <Linked {...given} member={member} value={part} />;
  if (typeof value === 'string') return <LongText text={value} show={show} />;
  const brief = Array.isArray(value) ? show(value.slice(0, BRIEF)) : undefined;
  return (
    <Folded isLong={isLong(value)} brief={brief}>
      {show(value)}
    </Folded>
  );
}

function Linked({ table, row, go, member, value }: MemberGiven & { readonly value: unknown }) {
  const column = columnOf(table.name, member);
  const shown = column.look === 'date' ? bothTimes(value) : cellValue(column, value);
  const to = table.lead(row, member);
  return to ? (
    <Link to={to} go={go}>
      {shown}
    </Link>
  ) : (
    shown
  );
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
function Related({ table, row, admin, go }: Given) {
  const links = table.related(row, admin);
  if (links.length === 0) return null;
  return (
    <section class="related">
      <h3 class="part-title">{say('Related')}</h3>
      {links.map(({ title, to }) => (
        <Link key={title} to={to} go={go}>
          <span class="related-text">
            {say(title)} <Icon name="right" size={13} />
          </span>
        </Link>
      ))}
    </section>
  );
}

/**
 * Artifacts and the snapshot of a task. Members have only the task's path for that. It may mean another project's task
 * with the same id. The service then refuses, which a browser reports as an error. So members first ask for the output.
 */
function Made({ row, admin, ...given }: Given) {
  const [isWanted, want] = useState(admin);
  const { task_id, status } = row;
  const [made, failure] = useAnswer(
    async (signal) => (isWanted ? given.askMetadata(row, signal) : undefined),
    [task_id, status, isWanted],
  );
  const problem = failure === undefined || admin ? '' : failureText(failure);
  useEffect(() => {
    if (problem) given.tell(problem);
  }, [problem]);
  if (!isWanted) {
    return (
      <section>
        <h3 class="part-title">{say('Output')}</h3>
        <Button look="is-small" onClick={() => want(true)}>
          {say('Show output')}
        </Button>
      </section>
    );
  }
  if (!made) return null;
  const { artifacts, snapshot, log_lines } = made;
  // A snapshot without a name has this one in a download of the service, too.
  const fileName = snapshot?.file_name ?? `snapshot-${task_id}`;
  return (
    <section>
      <h3 class="part-title">{say('Output')}</h3>
      {artifacts.length === 0 && !snapshot && <p class="dim">{say('No output')}</p>}
      {artifacts.length > 0 && <Artifacts all={artifacts} copy={given.copy} />}
      {snapshot && (
        <Button onClick={() => given.saveSnapshot(String(task_id), fileName)}>
          <Icon name="export" />{' '}
          {say('Download snapshot ({what})', {
            what: `${fileName}, ${bytesOf(snapshot.size)}`,
          })}
        </Button>
      )}
      {log_lines !== undefined && (
        <p>
          <Button look="is-plain" onClick={given.showLog}>
            <Icon name="log" /> {say('{n} log lines', { n: countOf(log_lines) })}
          </Button>
        </p>
      )}
    </section>
  );
}

interface ArtifactsGiven extends Pick<Given, 'copy'> {
  readonly all: Metadata['artifacts'];
}

/** The service only knows names and sizes of artifacts: people copy the names to find the files elsewhere. */
function Artifacts({ all, copy }: ArtifactsGiven) {
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
          <Button look="is-plain is-small" onClick={() => copy(names.join('\n'))}>
            {say('Copy all names')}
          </Button>
        )}
      </p>
      <ul class="made">
        {all.map(({ size, content_type, created_at }, at) => (
          <li class="artifact" key={at}>
            <span class="mono artifact-name">{names[at]}</span>
            <IconButton
              icon="copy"
              small
              label={say('Copy {what}', { what: names[at]! })}
              onClick={() => copy(names[at]!)}
            />
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

function Members({ go, value }: Given & { readonly value: unknown }) {
  const people = (Array.isArray(value) ? value : []) as Row[];
  return (
    <section>
      <h3 class="part-title">{say('Members')}</h3>
      <ul class="made">
        {people.map(({ id, email, role }) => (
          <li key={String(id)}>
            <Link to={userView(id)} go={go}>
              <span>{String(email ?? id)}</span>
            </Link>{' '}
            <span class="dim">{String(role ?? '')}</span>
          </li>
        ))}
      </ul>
    </section>
  );
}

interface LongGiven extends Wraps, Pick<Given, 'copy'> {
  readonly title: string;
  readonly value: unknown;
}

function Long({ title, value, copy, wraps, setWraps }: LongGiven) {
  const text = typeof value === 'string' ? value : JSON.stringify(value, null, 2);
  return (
    <section>
      <h3 class="part-title">
        {title}
        <WrapButton {...{ wraps, setWraps }} />
        <IconButton
          icon="copy"
          small
          label={say('Copy {what}', { what: title })}
          onClick={() => copy(text)}
        />
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
