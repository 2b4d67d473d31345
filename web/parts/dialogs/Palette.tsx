/** Commands by name: whatever can be done, found by typing. */
import { useSignal } from '@preact/signals';
import { useEffect, useRef } from 'preact/hooks';
import { askAgain } from '../../data/asking.ts';
import { closeDialog } from '../../data/dialogs.ts';
import { KEYS } from '../../data/keys.ts';
import { focusSearch, groupBy, openAddress, openTable, swapBaseline } from '../../data/moves.ts';
import { prefer, preferences } from '../../data/preferences.ts';
import { begin } from '../../data/selecting.ts';
import { isAdmin, signOut } from '../../data/session.ts';
import { forget, go, isChoosing, table, view } from '../../data/store.ts';
import { views } from '../../data/views.ts';
import { asking, baselineIn, withCondition } from '../../state/view.ts';
import { actionsFor, fieldTitle, tableOf, tablesFor } from '../../tables/tables.ts';
import { language, say } from '../../words/words.ts';
import { nextTheme, THEME_TITLES } from '../sides/Sidebar.tsx';
import { Dialog } from './Dialog.tsx';

interface Command {
  readonly title: string;
  readonly hint?: string;
  readonly act: () => void;
}

function commands(): readonly Command[] {
  const { theme, density, times } = preferences.peek();
  return [
    { title: say('Search'), hint: hinted('/'), act: focusSearch },
    ...tablesFor(isAdmin.peek()).map((name, at) => ({
      title: say('Go to {what}', { what: say(tableOf(name).title) }),
      hint: hinted(String(at + 1)),
      act: () => openTable(name),
    })),
    ...views.peek().map(({ name, address }) => ({
      title: say('View: {name}', { name }),
      act: () => openAddress(address),
    })),
    ...table.peek().shortcuts.map(({ title, condition }) => ({
      title: say(title),
      act: () =>
        go(asking(view.peek(), { conditions: withCondition(view.peek().conditions, condition) })),
    })),
    ...(isChoosing.peek()
      ? actionsFor(table.peek().name).map((action) => ({
          title: say(`${action.title} {what}`, {
            what: say('selected {what}', { what: say(table.peek().many) }),
          }),
          act: () => begin(action),
        }))
      : []),
    {
      title: say('Clear all filters'),
      act: () => go(asking(view.peek(), { q: '', conditions: [] })),
    },
    ...KEYS.filter(({ keys }) => /^[a-z]$|^\?$/.test(keys) && !'jkcs'.includes(keys)).map(
      ({ keys, title, act }) => ({ title: say(title), hint: hinted(keys), act }),
    ),
    ...table.peek().description.facets.map((field) => ({
      title: say('Group by {what}', { what: fieldTitle(table.peek().name, field) }),
      act: () => groupBy(field),
    })),
    ...(baselineIn(view.peek().compare) === 'with'
      ? [{ title: say('Swap with baseline'), act: swapBaseline }]
      : []),
    { title: say('Refresh'), act: askAgain },
    { title: NEXT_LANGUAGE[language.peek()].title, act: changeLanguage },
    {
      title: say('Theme: {name}', { name: say(THEME_TITLES[nextTheme(theme)]) }),
      act: () => prefer({ theme: nextTheme(theme) }),
    },
    {
      title: say(density === 'compact' ? 'Rows: relaxed' : 'Rows: compact'),
      act: () => prefer({ density: density === 'compact' ? 'relaxed' : 'compact' }),
    },
    {
      title: say(times === 'relative' ? 'Times: absolute' : 'Times: relative'),
      act: () => prefer({ times: times === 'relative' ? 'absolute' : 'relative' }),
    },
    {
      title: say('Sign out'),
      act: () => {
        forget();
        signOut();
      },
    },
  ];
}

/** The key that does the same, while single keys do something. */
const hinted = (keys: string) => (preferences.peek().shortcuts ? keys : '');

/** In the language that it changes to: who needs it can read that. */
const NEXT_LANGUAGE = {
  en: { title: 'Deutsch', language: 'de' },
  de: { title: 'English', language: 'en' },
} as const;

const changeLanguage = () => prefer({ language: NEXT_LANGUAGE[language.peek()].language });

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

export function Palette() {
  const text = useSignal('');
  const active = useSignal(0);
  const all = useRef(commands());
  const input = useRef<HTMLInputElement>(null);
  useEffect(() => input.current?.focus(), []);
  const found = all.current.filter(({ title }) => fits(title, text.value)).slice(0, 12);
  const run = (one: Command | undefined) => {
    if (!one) return;
    closeDialog();
    // The palette closes before the command opens anything.
    queueMicrotask(() => setTimeout(one.act));
  };
  return (
    <Dialog title={say('Commands')} class="is-palette">
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
      <div id="commands" class="commands" role="listbox" aria-label={say('Commands')}>
        {found.map((one, at) => (
          // biome-ignore lint/a11y/useFocusableInteractive: focus stays in the box, which names the active one
          // biome-ignore lint/a11y/useKeyWithClickEvents: keys are the box's
          <div
            id={`command-${at}`}
            key={one.title}
            class="command"
            role="option"
            aria-selected={at === active.value}
            onClick={() => run(one)}
          >
            {one.title}
            {one.hint && <kbd>{one.hint}</kbd>}
          </div>
        ))}
        {found.length === 0 && <p class="dim">{say('No matching commands')}</p>}
      </div>
    </Dialog>
  );
}
