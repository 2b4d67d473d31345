/** The changes that people made to a record, from the audit log, with members before and after. */
import type { Changes, Row } from '../../present/answer.ts';
import { now } from '../../state/surroundings.ts';
import { ageOf, momentOf } from '../../state/times.ts';
import type { View } from '../../state/view.ts';
import { userView } from '../../tables/links.ts';
import { columnOf, columnTitle, type Table } from '../../tables/tables.ts';
import { say } from '../../words/words.ts';
import { Link } from '../controls/Link.tsx';
import { useAnswer } from '../controls/useAnswer.ts';
import { cellValue } from '../table/Cell.tsx';

interface Given {
  readonly table: Table;
  readonly row: Row;
  readonly askChanges: (key: string, signal: AbortSignal) => Promise<Changes>;
  readonly go: (to: View) => void;
}

/** For admins: the audit log is theirs. */
export function History({ table, row, askChanges, go }: Given) {
  const key = String(row[table.key]);
  // A change shows in the row as well.
  const state = JSON.stringify(row);
  const [found] = useAnswer((signal) => askChanges(key, signal), [key, state]);
  if (!found || found.changes.length === 0) return null;
  return (
    <section>
      <h3 class="part-title">{say('History')}</h3>
      <ol class="history-list">
        {found.changes.map((one) => (
          <Change
            key={String(one.id)}
            {...{ one, go, name: table.name, who: found.names.get(String(one.actor)) }}
          />
        ))}
      </ol>
    </section>
  );
}

interface ChangeGiven extends Pick<Given, 'go'> {
  readonly one: Row;
  /** The table. */
  readonly name: string;
  /** The name of the user who made it. */
  readonly who: string | undefined;
}

function Change({ one, name, who, go }: ChangeGiven) {
  const at = String(one.at);
  return (
    <li class="history-item">
      <p>
        <span class="mono">{String(one.action)}</span>{' '}
        <Link to={userView(one.actor)} go={go}>
          <span>{who ?? say('User {id}', { id: String(one.actor) })}</span>
        </Link>{' '}
        <time class="dim figure" dateTime={at} title={momentOf(at)}>
          {ageOf(at, now.value)}
        </time>
      </p>
      {one.after !== null &&
        differencesOf(one.before, one.after).map(({ member, before, after }) => (
          <p class="history-change" key={member}>
            <span class="dim">{columnTitle(name, member)}</span>{' '}
            <del>{cellValue(columnOf(name, member), before)}</del> →{' '}
            <ins>{cellValue(columnOf(name, member), after)}</ins>
          </p>
        ))}
    </li>
  );
}

/** The members of an audit record that are not the same before and after. */
function differencesOf(before: unknown, after: unknown) {
  const [was, is] = [membersOf(before), membersOf(after)];
  return [...new Set([...Object.keys(was), ...Object.keys(is)])].flatMap((member) => {
    const same = JSON.stringify(was[member]) === JSON.stringify(is[member]);
    return same ? [] : [{ member, before: was[member], after: is[member] }];
  });
}

const membersOf = (value: unknown): Row =>
  typeof value === 'object' && value !== null ? (value as Row) : {};
