/** The commands that there are, for the table and the view that show. */
import { useMemo } from 'preact/hooks';
import { closeDialog } from '../data/dialogs.ts';
import { deeds } from '../data/keys.ts';
import { focusSearch, groupBy, openAddress, openTable, swapBaseline } from '../data/moves.ts';
import { prefer, preferences } from '../data/preferences.ts';
import { askAgain } from '../data/rows/asking.ts';
import { begin } from '../data/rows/selecting.ts';
import { isAdmin, signOut } from '../data/service/session.ts';
import { ask, isChoosing, table, view } from '../data/store.ts';
import { views } from '../data/views.ts';
import { type Command, Palette } from '../parts/dialogs/Palette.tsx';
import { nextTheme, THEME_TITLES } from '../parts/sides/Sidebar.tsx';
import { keysOf, PLACES } from '../present/keys.ts';
import { baselineIn, withCondition } from '../state/view.ts';
import { fieldTitle, tablesFor, tableTitle } from '../tables/tables.ts';
import { language, say } from '../words/words.ts';

export function PaletteRegion() {
  return <Palette commands={useMemo(commands, [])} close={closeDialog} />;
}

function commands(): readonly Command[] {
  const { theme, density, times } = preferences.peek();
  return [
    { title: say('Search'), hint: hinted('/'), act: focusSearch },
    ...tablesFor(isAdmin.peek()).map((name, at) => ({
      title: say('Go to {what}', { what: tableTitle(name) }),
      hint: hinted(at < PLACES ? String(at + 1) : ''),
      act: () => openTable(name),
    })),
    ...views.peek().map(({ name, address }) => ({
      title: say('View: {name}', { name }),
      act: () => openAddress(address),
    })),
    ...table.peek().shortcuts.map(({ title, condition }) => ({
      title: say(title),
      act: () => ask({ conditions: withCondition(view.peek().conditions, condition) }),
    })),
    ...(isChoosing.peek()
      ? table.peek().actions.map((action) => ({
          title: say(`${action.title} {what}`, {
            what: say('selected {what}', { what: say(table.peek().many) }),
          }),
          act: () => begin(action),
        }))
      : []),
    {
      title: say('Clear all filters'),
      act: () => ask({ q: '', conditions: [] }),
    },
    ...keysOf(table.peek().name)
      .filter(({ keys }) => /^[a-z]$|^\?$/.test(keys) && !'jkcs'.includes(keys))
      .map(({ keys, title }) => ({ title: say(title), hint: hinted(keys), act: deeds.get(keys)! })),
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
    { title: say('Sign out'), act: signOut },
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
