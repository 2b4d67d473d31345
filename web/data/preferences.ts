/** Preferences, kept in this browser: they are no part of the view, so the address has none of them. */
import { effect, signal } from '@preact/signals';
import { times } from '../state/surroundings.ts';
import type { TableName } from '../state/view.ts';
import { tableOf } from '../tables/tables.ts';
import { LANGUAGES, type Language, language, spoken } from '../words/words.ts';

export interface Preferences {
  readonly theme: 'system' | 'light' | 'dark';
  /** Null: the browser's. */
  readonly language: Language | null;
  readonly density: 'compact' | 'normal' | 'relaxed';
  /** Times as ages, or as moments. */
  readonly times: 'relative' | 'absolute';
  /** Whether the bars of the timeline show. */
  readonly timeline: boolean;
  /** Whether facets show beside the table. */
  readonly sides: boolean;
  /** Whether the list of tables is narrow. */
  readonly rail: boolean;
  /** Whether single letters, digits and signs are shortcuts. */
  readonly shortcuts: boolean;
  /** Whether long lines of texts and logs are wrapped. */
  readonly wraps: boolean;
  /** The width of the record, pixels; null: a share of the window. */
  readonly recordWidth: number | null;
  /** Widths of columns that were changed, `table column` → pixels. */
  readonly widths: Readonly<Record<string, number>>;
  /** The columns that are pinned, by table, where that was changed. Earlier versions kept how many at the left. */
  readonly pinned: Readonly<Partial<Record<TableName, readonly string[] | number>>>;
  /** Facets that are open, by table, where that was changed. */
  readonly open: Readonly<Partial<Record<TableName, readonly string[]>>>;
  /** The latest searches of each user and table, as texts of the search box. */
  readonly searches: Readonly<Record<string, readonly string[]>>;
  /** Named views: their names, and their addresses. */
  readonly views: readonly { readonly name: string; readonly address: string }[];
}

const KEPT = 'preferences';
const INITIAL: Preferences = {
  ...{
    theme: 'system',
    language: null,
    density: 'compact',
    times: 'relative',
    timeline: true,
    sides: true,
    rail: false,
    shortcuts: true,
    wraps: true,
    recordWidth: null,
  },
  ...{ widths: {}, pinned: {}, open: {}, searches: {}, views: [] },
};

export const preferences = signal<Preferences>(kept());

effect(() => {
  // A later version of the UI may have kept another one.
  language.value = LANGUAGES.find((one) => one === preferences.value.language) ?? spoken();
  times.value = preferences.value.times;
});

export function prefer(change: Partial<Preferences>): void {
  preferences.value = { ...preferences.peek(), ...change };
  try {
    localStorage.setItem(KEPT, JSON.stringify(preferences.peek()));
  } catch {
    // A browser that keeps nothing is no reason to show nothing.
  }
}

function kept(): Preferences {
  try {
    const read = JSON.parse(localStorage.getItem(KEPT) ?? '{}') as Partial<Preferences>;
    const narrow = matchMedia('(max-width: 1100px)').matches;
    const short = matchMedia('(max-height: 520px)').matches;
    return {
      ...INITIAL,
      ...(narrow && { sides: false }),
      ...(short && { timeline: false }),
      ...read,
    };
  } catch {
    return INITIAL;
  }
}

/** Another window of this browser changed them. */
addEventListener('storage', ({ key }) => {
  if (key === KEPT) preferences.value = kept();
});

export const facetsOpen = (table: TableName): readonly string[] =>
  preferences.value.open[table] ?? tableOf(table).open;

export function toggleFacet(table: TableName, field: string): void {
  const open = facetsOpen(table);
  const next = open.includes(field) ? open.filter((one) => one !== field) : [...open, field];
  prefer({ open: { ...preferences.peek().open, [table]: next } });
}
