/** A table that is for others. */
import { tablesFor, viewFor } from '../data/moves.ts';
import { go } from '../data/store.ts';
import { TABLE } from '../tables/tables.ts';
import { say } from '../words/words.ts';

export function Denied() {
  return (
    <main class="main">
      <div class="choose">
        <h1 class="choose-title">{say('You may not see this')}</h1>
        <p class="dim">{say('It is for admins. These are for you:')}</p>
        <p class="empty-list">
          {tablesFor(false).map((name) => (
            <button type="button" class="button" key={name} onClick={() => go(viewFor(name))}>
              {say(TABLE[name].title)}
            </button>
          ))}
        </p>
      </div>
    </main>
  );
}
