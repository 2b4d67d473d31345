/** The tables, the saved views, and who is here. */
import { type ReadonlySignal, useComputed } from '@preact/signals';
import type { ComponentChildren } from 'preact';
import { useEffect, useRef } from 'preact/hooks';
import type { SavedView } from '../../state/savedView.ts';
import { countOf } from '../../state/times.ts';
import type { TableName } from '../../state/view.ts';
import { tableOf, tableTitle } from '../../tables/tables.ts';
import { BRAND, say } from '../../words/words.ts';
import { follow } from '../controls/follow.ts';
import { Icon, type IconName } from '../controls/Icon.tsx';

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
  /** The name of the signed-in user, if it is known, and their number. */
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
  const lists = useRef<HTMLDivElement>(null);
  // The table that shows may be the last of a hundred. The list may come after the page is painted.
  useEffect(() => {
    const current = lists.current?.querySelector('[aria-current]');
    current?.scrollIntoView({ block: 'nearest', inline: 'nearest' });
  }, [shown, tables.length]);
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
      <div class="sidebar-lists" ref={lists}>
        <ul class="nav">
          {tables.map(({ name, href }) => (
            <li key={name}>
              <a
                class="nav-item"
                href={href}
                aria-current={shown === name ? 'page' : undefined}
                title={tableTitle(name)}
                onClick={(event) => follow(event, () => given.openTable(name))}
              >
                <Icon name={tableOf(name).icon} />
                <span class="nav-text">{tableTitle(name)}</span>
              </a>
            </li>
          ))}
        </ul>
        {views.length > 0 && (
          <>
            <h2 class="nav-title">{say('Views')}</h2>
            <ul class="nav nav-views">
              {views.map((one) => (
                // A link reads its address once.
                <ViewLink key={`${one.id ?? one.name} ${one.address}`} one={one} {...given} />
              ))}
            </ul>
          </>
        )}
      </div>
      <div class="sidebar-foot">
        <Who {...given} />
        <FootButton icon="bolt" title={say('Commands (Ctrl K)')} onPress={given.openCommands}>
          <span class="nav-text">{say('Commands')}</span>
          <kbd class="nav-key">Ctrl K</kbd>
        </FootButton>
        <FootButton
          look="is-rare"
          icon={theme === 'dark' ? 'moon' : 'sun'}
          title={themeText}
          onPress={() => given.setTheme(nextTheme(theme))}
        />
        <FootButton look="is-rare" icon="out" title={say('Sign out')} onPress={given.signOut} />
        <FootButton
          look="nav-fold"
          icon={isRail ? 'right' : 'left'}
          title={say(isRail ? 'Expand sidebar' : 'Collapse sidebar')}
          onPress={() => given.setRail(!isRail)}
        >
          <span class="nav-text">{say('Collapse')}</span>
        </FootButton>
      </div>
    </nav>
  );
}

interface FootGiven {
  readonly look?: string;
  readonly icon: IconName;
  readonly title: string;
  readonly onPress: () => void;
  /** Stands beside the icon in place of the title. */
  readonly children?: ComponentChildren;
}

function FootButton({ look = '', icon, title, onPress, children }: FootGiven) {
  return (
    <button type="button" class={`nav-item ${look}`} title={title} onClick={onPress}>
      <Icon name={icon} />
      {children ?? <span class="nav-text">{title}</span>}
    </button>
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
