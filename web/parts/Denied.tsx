/** A table that is for others. */
import { viewFor } from '../data/moves.ts';
import { go } from '../data/store.ts';
import { tableOf, tablesFor } from '../tables/tables.ts';
import { say } from '../words/words.ts';

export function Denied() {
  return (
    <main class="main" id="rows" tabIndex={-1}>
      <div class="choose">
        <h1 class="choose-title">{say('You do not have access')}</h1>
        <p class="choose-about dim">{say('Only admins can see this page. You have access to:')}</p>
        <p class="choose-buttons">
          {tablesFor(false).map((name) => (
            <button type="button" class="button" key={name} onClick={() => go(viewFor(name))}>
              {say(tableOf(name).title)}
            </button>
          ))}
        </p>
      </div>
    </main>
  );
}
