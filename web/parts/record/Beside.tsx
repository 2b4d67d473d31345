/** Beside a failure, the latest success of the same kind: the members in which the two differ. */

import { answerOf } from '../../data/asking.ts';
import { noting } from '../../data/service.ts';
import { isAdmin } from '../../data/session.ts';
import { table } from '../../data/store.ts';
import type { Row } from '../../present/answer.ts';
import { columnOf, columnTitle, type Precedent } from '../../tables/tables.ts';
import { say } from '../../words/words.ts';
import { Link } from '../controls/Link.tsx';
import { useAnswer } from '../controls/useAnswer.ts';
import { cellValue } from '../table/Cell.tsx';

export function Beside({ row }: { readonly row: Row }) {
  const found = table.value.precedent?.(row, isAdmin.value);
  if (!found) return null;
  return <Compared key={String(row[table.value.key])} row={row} found={found} />;
}

function Compared({ row, found }: { readonly row: Row; readonly found: Precedent }) {
  const success = useAnswer((signal) => noting(answerOf(found.to, signal)), [])?.data[0];
  const { name, key } = table.value;
  if (!success) return null;
  const differ = found.members.filter((one) => row[one] !== success[one]);
  return (
    <section>
      <h3 class="part-title">
        <Link to={{ ...found.to, open: String(success[key]) }}>
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
