/** Views by name, kept in this browser: each is an address. */
import { useEffect, useRef, useState } from 'preact/hooks';
import { closeDialog } from '../data/dialogs.ts';
import { openAddress } from '../data/moves.ts';
import { prefer, preferences } from '../data/preferences.ts';
import { table, view } from '../data/store.ts';
import { addressOf } from '../state/address.ts';
import { say } from '../words/words.ts';
import { Dialog } from './Dialog.tsx';
import { Icon } from './Icon.tsx';

export function ViewsDialog() {
  const { views } = preferences.value;
  const input = useRef<HTMLInputElement>(null);
  const [name, setName] = useState('');
  useEffect(() => input.current?.focus(), []);
  const address = addressOf({ ...view.value, open: null, tab: 'record', page: 1 });
  const save = () => {
    const called = name.trim();
    if (called === '') return;
    const others = views.filter((one) => one.name !== called);
    prefer({ views: [...others, { name: called, address }] });
    closeDialog();
  };
  return (
    <Dialog title={say('Saved views')}>
      <form
        class="keep"
        onSubmit={(event) => {
          event.preventDefault();
          save();
        }}
      >
        <label class="label" for="view-name">
          {say('Save this view as')}
        </label>
        <div class="keep-line">
          <input
            ref={input}
            id="view-name"
            class="input"
            maxLength={60}
            placeholder={say('Name of the view', { what: say(table.value.title) })}
            value={name}
            onInput={({ currentTarget }) => setName(currentTarget.value)}
          />
          <button type="submit" class="button is-primary" disabled={name.trim() === ''}>
            {say('Save')}
          </button>
        </div>
        <p class="dim mono address">{address}</p>
      </form>
      {views.length > 0 && (
        <ul class="menu-list">
          {views.map((one) => (
            <li class="menu-row" key={one.name}>
              <button
                type="button"
                class="button is-plain menu-grow"
                onClick={() => {
                  closeDialog();
                  openAddress(one.address);
                }}
              >
                {one.name}
              </button>
              <button
                type="button"
                class="button is-icon is-small"
                aria-label={say('Delete {what}', { what: one.name })}
                onClick={() => prefer({ views: views.filter(({ name }) => name !== one.name) })}
              >
                <Icon name="trash" size={13} />
              </button>
            </li>
          ))}
        </ul>
      )}
    </Dialog>
  );
}
