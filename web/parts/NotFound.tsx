/** An address that the web UI does not have. */
import { follow, viewFor } from '../data/moves.ts';
import { go } from '../data/store.ts';
import { firstTable, tableOf } from '../tables/tables.ts';
import { say } from '../words/words.ts';

export function NotFound() {
  const first = firstTable();
  return (
    <main class="main" id="rows" tabIndex={-1}>
      <div class="choose">
        <h1 class="choose-title">{say('This page does not exist')}</h1>
        <p class="choose-about dim">{say('Check the address, or start from a table.')}</p>
        <a class="button" href="/" onClick={(event) => follow(event, () => go(viewFor(first)))}>
          {say('Go to {what}', { what: say(tableOf(first).title) })}
        </a>
      </div>
    </main>
  );
}
