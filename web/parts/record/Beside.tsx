/** Beside a failure, the latest success of the same kind: the members in which the two differ. */
import type { Row } from '../../present/answer.ts';
import type { View } from '../../state/view.ts';
import { columnOf, columnTitle, type Precedent, type Table } from '../../tables/tables.ts';
import { say } from '../../words/words.ts';
import { Link } from '../controls/Link.tsx';
import { useAnswer } from '../controls/useAnswer.ts';
import { cellValue } from '../table/Cell.tsx';

interface Given {
  readonly table: Table;
  readonly row: Row;
  readonly found: Precedent;
  /** The first row of a view. */
  readonly askFirst: (of: View, signal: AbortSignal) => Promise<Row | undefined>;
  readonly go: (to: View) => void;
}

export function Beside({ table, row, found, askFirst, go }: Given) {
  const [success] = useAnswer((signal) => askFirst(found.to, signal), []);
  const { name, key } = table;
  if (!success) return null;
  const differ = found.members.filter((one) => row[one] !== success[one]);
  return (
    <section>
      <h3 class="part-title">
        <Link to={{ ...found.to, open: String(success[key]) }} go={go}>
          <span>{say(found.title)}</span>
        </Link>
      </h3>
      <table class="beside">
        <thead>
          <tr>
            <td />
            <th scope="col">{say('This one')}</th>
            <th scope="col">{say('The success')}</th>
          </tr>
        </thead>
        <tbody>
          {differ.map((member) => (
            <tr key={member}>
              <th scope="row">{columnTitle(name, member)}</th>
              <td>{cellValue(columnOf(name, member), row[member])}</td>
              <td>{cellValue(columnOf(name, member), success[member])}</td>
            </tr>
          ))}
        </tbody>
      </table>
    </section>
  );
}
