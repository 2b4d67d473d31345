/** The tables, the saved views, and who is here. */
import { useComputed } from '@preact/signals';
import { dialog } from '../../data/dialogs.ts';
import { openAddress, openTable, viewFor } from '../../data/moves.ts';
import { prefer, preferences } from '../../data/preferences.ts';
import { isAdmin, session, signOut } from '../../data/session.ts';
import { forget, isLost, table, view } from '../../data/store.ts';
import { viewCounts } from '../../data/viewCounts.ts';
import { views } from '../../data/views.ts';
import { who } from '../../data/who.ts';
import { addressOf } from '../../state/address.ts';
import type { SavedView } from '../../state/savedView.ts';
import { countOf } from '../../state/times.ts';
import { addressFields, tableOf, tablesFor } from '../../tables/tables.ts';
import { BRAND, say } from '../../words/words.ts';
import { follow } from '../controls/follow.ts';
import { Icon } from '../controls/Icon.tsx';

export function Sidebar() {
  const { theme, rail } = preferences.value;
  const { name: shown } = table.value;
  const themeText = say('Theme: {name}', { name: say(THEME_TITLES[theme]) });
  return (
    <nav class="sidebar" aria-label={say('Tables')}>
      <div class="brand">
        <svg class="brand-mark" viewBox="0 0 32 32" aria-hidden="true">
          <rect width="32" height="32" rx="8" />
          <path d="M7 10h11M7 16h7M7 22h9" />
          <circle cx="21" cy="18" r="4.6" />
          <path d="m24.5 21.5 3 3" />
        </svg>
        <span class="brand-name">{BRAND}</span>
      </div>
      <ul class="nav">
        {tablesFor(isAdmin.value).map((name) => (
          <li key={name}>
            <a
              class="nav-item"
              href={addressOf(viewFor(name), addressFields)}
              aria-current={shown === name && !isLost.value ? 'page' : undefined}
              title={say(tableOf(name).title)}
              onClick={(event) => follow(event, () => openTable(name))}
            >
              <Icon name={tableOf(name).icon} />
              <span class="nav-text">{say(tableOf(name).title)}</span>
            </a>
          </li>
        ))}
      </ul>
      {views.value.length > 0 && (
        <>
          <h2 class="nav-title">{say('Views')}</h2>
          <ul class="nav nav-views">
            {views.value.map((one) => (
              <ViewLink key={one.id ?? one.name} {...one} />
            ))}
          </ul>
        </>
      )}
      <div class="sidebar-foot">
        <Who />
        <button
          type="button"
          class="nav-item"
          title={say('Commands (Ctrl K)')}
          onClick={() => {
            dialog.value = { kind: 'palette' };
          }}
        >
          <Icon name="bolt" />
          <span class="nav-text">{say('Commands')}</span>
          <kbd class="nav-key">Ctrl K</kbd>
        </button>
        <button
          type="button"
          class="nav-item is-rare"
          title={themeText}
          onClick={() => prefer({ theme: nextTheme(theme) })}
        >
          <Icon name={theme === 'dark' ? 'moon' : 'sun'} />
          <span class="nav-text">{themeText}</span>
        </button>
        <button
          type="button"
          class="nav-item is-rare"
          title={say('Sign out')}
          onClick={() => {
            forget();
            signOut();
          }}
        >
          <Icon name="out" />
          <span class="nav-text">{say('Sign out')}</span>
        </button>
        <button
          type="button"
          class="nav-item nav-fold"
          title={say(rail ? 'Expand sidebar' : 'Collapse sidebar')}
          onClick={() => prefer({ rail: !rail })}
        >
          <Icon name={rail ? 'right' : 'left'} />
          <span class="nav-text">{say('Collapse')}</span>
        </button>
      </div>
    </nav>
  );
}

function Who() {
  const role = say(isAdmin.value ? 'Admin' : 'Member');
  const name = who.value ?? `${role} ${session.value?.userId}`;
  return (
    <p class="who" title={`${name}, ${role}`}>
      <span class="person-mark is-small" aria-hidden="true">
        {name.charAt(0).toUpperCase()}
      </span>
      <span class="nav-text who-text">
        <span>{name}</span>
        {who.value !== undefined && <span class="dim">{role}</span>}
      </span>
    </p>
  );
}

function ViewLink({ name, description, address }: SavedView) {
  const isShown = useComputed(() =>
    addressOf(view.value, addressFields) === address ? 'true' : undefined,
  );
  return (
    <li>
      <a
        class="nav-item"
        href={address}
        aria-current={isShown}
        title={description === '' ? name : `${name}: ${description}`}
        onClick={(event) => follow(event, () => openAddress(address))}
      >
        <Icon name="views" />
        <span class="nav-text">{name}</span>
        <ViewCount address={address} />
      </a>
    </li>
  );
}

/** A component of its own: a new count renders nothing else. */
function ViewCount({ address }: Pick<SavedView, 'address'>) {
  const count = useComputed(() => viewCounts.value.get(address));
  if (count.value === undefined) return null;
  return <span class="nav-key nav-count">{countOf(count.value)}</span>;
}

const THEMES = ['system', 'light', 'dark'] as const;
export const THEME_TITLES = { system: 'System', light: 'Light', dark: 'Dark' } as const;
export const nextTheme = (theme: (typeof THEMES)[number]) =>
  THEMES[(THEMES.indexOf(theme) + 1) % THEMES.length]!;
