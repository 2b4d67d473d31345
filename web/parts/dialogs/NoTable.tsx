/** No table is at the address, or none that the caller may see: leads to those they may see. */

import { openTable, viewFor } from '../../data/moves.ts';
import { isAdmin, session } from '../../data/session.ts';
import { isLost, view } from '../../data/store.ts';
import { addressOf } from '../../state/address.ts';
import { addressFields, firstTable, isHere, tableOf, tablesFor } from '../../tables/tables.ts';
import { say } from '../../words/words.ts';
import { follow } from '../controls/follow.ts';

export function NoTable() {
  const { title, about } = wordsOf();
  const isIn = session.value !== undefined;
  const links = isIn ? tablesFor(isAdmin.value) : [firstTable()];
  return (
    <main class="main" id="rows" tabIndex={-1}>
      <div class="choose">
        <h1 class="choose-title">{say(title)}</h1>
        <p class="choose-about dim">
          {say(about)}
          {isIn && ` ${say(links.length > 0 ? 'You have access to:' : 'Ask an admin for access.')}`}
        </p>
        <p class="choose-buttons">
          {links.map((name) => (
            <a
              class="button"
              key={name}
              href={addressOf(viewFor(name), addressFields)}
              onClick={(event) => follow(event, () => openTable(name))}
            >
              {say(isIn ? tableOf(name).title : 'Sign in')}
            </a>
          ))}
        </p>
      </div>
    </main>
  );
}

function wordsOf() {
  if (isLost.value) {
    return {
      title: 'This page does not exist',
      about: 'Check the address, or start from a table.',
    };
  }
  if (isHere(view.value.table)) {
    return { title: 'You do not have access', about: 'Only admins can see this page.' };
  }
  return {
    title: 'There is no such table',
    about: 'It does not exist, or you do not have access to it.',
  };
}
