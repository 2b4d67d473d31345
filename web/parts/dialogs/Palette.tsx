/** Commands by name: all actions, found by typing. */
import { useSignal } from '@preact/signals';
import { useEffect, useRef } from 'preact/hooks';
import { say } from '../../words/words.ts';
import { Option } from '../controls/Option.tsx';
import { Dialog } from './Dialog.tsx';

export interface Command {
  readonly title: string;
  readonly hint?: string;
  readonly act: () => void;
}

interface Given {
  readonly commands: readonly Command[];
  readonly close: () => void;
}

/** Letters in their order, not side by side: `gta` finds “Go to Tasks”. */
function fits(title: string, typed: string): boolean {
  let at = 0;
  const folded = title.toLowerCase();
  for (const letter of typed.toLowerCase().replace(/\s/g, '')) {
    at = folded.indexOf(letter, at) + 1;
    if (at === 0) return false;
  }
  return true;
}

export function Palette({ commands, close }: Given) {
  const text = useSignal('');
  const active = useSignal(0);
  const input = useRef<HTMLInputElement>(null);
  useEffect(() => input.current?.focus(), []);
  const found = commands.filter(({ title }) => fits(title, text.value)).slice(0, 12);
  const run = (one: Command | undefined) => {
    if (!one) return;
    close();
    // The palette closes before the command opens anything.
    setTimeout(one.act);
  };
  return (
    <Dialog title={say('Commands')} class="is-palette" close={close}>
      <input
        ref={input}
        class="input"
        type="text"
        role="combobox"
        aria-label={say('Command')}
        aria-expanded="true"
        aria-controls="commands"
        aria-activedescendant={found.length > 0 ? `command-${active.value}` : undefined}
        placeholder={say('Type a command…')}
        value={text.value}
        onInput={({ currentTarget }) => {
          text.value = currentTarget.value;
          active.value = 0;
        }}
        onKeyDown={(event) => {
          // Enter also ends a word that an input method composes.
          if (event.isComposing) return;
          const step = { ArrowDown: 1, ArrowUp: -1 }[event.key];
          if (step !== undefined && found.length > 0) {
            event.preventDefault();
            active.value = (active.value + step + found.length) % found.length;
          } else if (event.key === 'Enter') {
            event.preventDefault();
            run(found[active.value]);
          }
        }}
      />
      <div id="commands" role="listbox" aria-label={say('Commands')}>
        {found.map((one, at) => (
          <Option
            key={at}
            {...{ id: `command-${at}`, text: one.title, isActive: at === active.value }}
            take={() => run(one)}
          >
            {one.hint && <kbd>{one.hint}</kbd>}
          </Option>
        ))}
        {found.length === 0 && <p class="dim">{say('No matching commands')}</p>}
      </div>
    </Dialog>
  );
}
