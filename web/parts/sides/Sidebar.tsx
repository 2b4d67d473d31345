/** The tables, the saved views, and who is here. */
import { type ReadonlySignal, useComputed } from '@preact/signals';
import type { SavedView } from '../../state/savedView.ts';
import { countOf } from '../../state/times.ts';
import type { TableName } from '../../state/view.ts';
import { tableOf } from '../../tables/tables.ts';
import { BRAND, say } from '../../words/words.ts';
import { follow } from '../controls/follow.ts';
import { Icon } from '../controls/Icon.tsx';

interface Given {
  /** The tables, each with the address that it opens with. */
  readonly tables: readonly { readonly name: TableName; readonly href: string }[];
  /** The one that shows. */
  readonly shown: TableName | undefined;
  readonly views: readonly SavedView[];
  /** The address of the view that shows. */
  readonly address: ReadonlySignal<string>;
  /** How many rows views have, by their addresses. */
  readonly counts: ReadonlySignal<ReadonlyMap<string, number>>;
  /** The name of whoever is signed in, if it is known, and their number. */
  readonly who: string | undefined;
  readonly userId: string | undefined;
  readonly isAdmin: boolean;
  readonly theme: Theme;
  readonly isRail: boolean;
  readonly openTable: (name: TableName) => void;
  readonly openView: (address: string) => void;
  readonly openCommands: () => void;
  readonly setTheme: (next: Theme) => void;
  readonly setRail: (on: boolean) => void;
  readonly signOut: () => void;
}

export function Sidebar(given: Given) {
  const { tables, shown, views, theme, isRail } = given;
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
        {tables.map(({ name, href }) => (
          <li key={name}>
            <a
              class="nav-item"
              href={href}
              aria-current={shown === name ? 'page' : undefined}
              title={say(tableOf(name).title)}
              onClick={(event) => follow(event, () => given.openTable(name))}
            >
              <Icon name={tableOf(name).icon} />
              <span class="nav-text">{say(tableOf(name).title)}</span>
            </a>
          </li>
        ))}
      </ul>
      {views.length > 0 && (
        <>
          <h2 class="nav-title">{say('Views')}</h2>
          <ul class="nav nav-views">
            {views.map((one) => (
              <ViewLink key={one.id ?? one.name} one={one} {...given} />
            ))}
          </ul>
        </>
      )}
      <div class="sidebar-foot">
        <Who {...given} />
        <button
          type="button"
          class="nav-item"
          title={say('Commands (Ctrl K)')}
          onClick={given.openCommands}
        >
          <Icon name="bolt" />
          <span class="nav-text">{say('Commands')}</span>
          <kbd class="nav-key">Ctrl K</kbd>
        </button>
        <button
          type="button"
          class="nav-item is-rare"
          title={themeText}
          onClick={() => given.setTheme(nextTheme(theme))}
        >
          <Icon name={theme === 'dark' ? 'moon' : 'sun'} />
          <span class="nav-text">{themeText}</span>
        </button>
        <button
          type="button"
          class="nav-item is-rare"
          title={say('Sign out')}
          onClick={given.signOut}
        >
          <Icon name="out" />
          <span class="nav-text">{say('Sign out')}</span>
        </button>
        <button
          type="button"
          class="nav-item nav-fold"
          title={say(isRail ? 'Expand sidebar' : 'Collapse sidebar')}
          onClick={() => given.setRail(!isRail)}
        >
          <Icon name={isRail ? 'right' : 'left'} />
          <span class="nav-text">{say('Collapse')}</span>
        </button>
      </div>
    </nav>
  );
}

function Who({ who, userId, isAdmin }: Pick<Given, 'who' | 'userId' | 'isAdmin'>) {
  const role = say(isAdmin ? 'Admin' : 'Member');
  const name = who ?? `${role} ${userId}`;
  return (
    <p class="who" title={`${name}, ${role}`}>
      <span class="person-mark is-small" aria-hidden="true">
        {name.charAt(0).toUpperCase()}
      </span>
      <span class="nav-text who-text">
        <span>{name}</span>
        {who !== undefined && <span class="dim">{role}</span>}
      </span>
    </p>
  );
}

interface ViewGiven extends Pick<Given, 'address' | 'counts' | 'openView'> {
  readonly one: SavedView;
}

function ViewLink({
  one: { name, description, address },
  address: now,
  counts,
  openView,
}: ViewGiven) {
  const isShown = useComputed(() => (now.value === address ? 'true' : undefined));
  return (
    <li>
      <a
        class="nav-item"
        href={address}
        aria-current={isShown}
        title={description === '' ? name : `${name}: ${description}`}
        onClick={(event) => follow(event, () => openView(address))}
      >
        <Icon name="views" />
        <span class="nav-text">{name}</span>
        <ViewCount address={address} counts={counts} />
      </a>
    </li>
  );
}

interface CountGiven extends Pick<Given, 'counts'> {
  readonly address: string;
}

/** A component of its own: a new count renders nothing else. */
function ViewCount({ address, counts }: CountGiven) {
  const count = useComputed(() => counts.value.get(address));
  if (count.value === undefined) return null;
  return <span class="nav-key nav-count">{countOf(count.value)}</span>;
}

const THEMES = ['system', 'light', 'dark'] as const;
type Theme = (typeof THEMES)[number];
export const THEME_TITLES = { system: 'System', light: 'Light', dark: 'Dark' } as const;
export const nextTheme = (theme: Theme): Theme =>
  THEMES[(THEMES.indexOf(theme) + 1) % THEMES.length]!;
