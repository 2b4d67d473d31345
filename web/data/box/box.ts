/** The search box at work: it searches for its text, turns terms into conditions, and offers completions. */
import { computed } from '@preact/signals';
import {
  fieldSuggestions,
  type Suggestion,
  valueSuggestions,
  wishOf,
} from '../../query/completion.ts';
import { finishedPart, offersValues, type Parsed, parseQuery } from '../../query/language.ts';
import { termText } from '../../query/termText.ts';
import type { Added, Doubt } from '../../query/understood.ts';
import { namesLike, namesOf, vocabularyOf } from '../../query/vocabulary.ts';
import { MOST } from '../../state/searchText.ts';
import {
  anyOf,
  type Condition,
  joined,
  withCondition,
  withoutCondition,
} from '../../state/view.ts';
import { fieldTitle, tableTitle } from '../../tables/tables.ts';
import { say } from '../../words/words.ts';
import { prefer, preferences } from '../preferences.ts';
import { rowsPainted } from '../rows/asking.ts';
import { session } from '../service/session.ts';
import { ask, table, time, view } from '../store.ts';
import { labelOf, understood, valuesOf } from './understanding.ts';

/** Made when the table or its date changes, not with each key stroke. */
const words = computed(() => vocabularyOf(table.value.name, time.value));
export const vocabulary = () => words.peek();

const parsed = (text: string) => parseQuery(text, vocabulary(), view.peek().conditions.length > 0);

/**
 * Searches for the text without its terms, at once.
 *
 * @returns what is searched for
 */
function typed(text: string): string {
  const { q } = parsed(text);
  if (q !== view.peek().q) ask({ q }, 'typed');
  return q;
}

/**
 * Adds the conditions to those of the view, or puts them in their place, and sets the text.
 *
 * @returns what is searched for
 */
function commit(added: readonly Added[], text: string, how: 'add' | 'replace'): string {
  const { q } = parsed(text);
  const now = view.peek();
  const begin = how === 'add' ? now.conditions : [];
  const conditions = added.reduce<readonly Condition[]>((all, { condition, joins }) => {
    const last = all.at(-1);
    if (joins && last) return [...all.slice(0, -1), anyOf([last, condition])];
    return withCondition(all, joined(all, condition));
  }, begin);
  if (added.length > 0 || how === 'replace' || q !== now.q) ask({ conditions, q });
  return q;
}

/** The beginning of the text that nobody is typing any more. */
const finished = (text: string): string => finishedPart(text, vocabulary());

/** The condition as text, for the box; it is asked for no more. */
function takenBack(one: Condition): string {
  ask({ conditions: withoutCondition(view.peek().conditions, one) });
  return termText(one, vocabulary(), labelOf);
}

/** Whether a filter is being typed that is not applied yet, and the note on a term that is searched for as text. */
function read(text: string) {
  const found = parsed(text);
  return {
    isPending: found.unfinished !== undefined && found.unfinished.values.length > 0,
    note:
      strangerIn(found) ??
      wildcardIn(text) ??
      operatorIn(text, found) ??
      timeIn(text) ??
      crowdIn(found),
  };
}

/** A word with a colon that names no filter. */
function strangerIn({ stranger }: Parsed): Doubt | undefined {
  if (!stranger) return undefined;
  const { name, sign } = stranger;
  const { fields } = vocabulary();
  const takes = (one: string) => !sign.endsWith('~') || fields[one]!.hasText;
  const meant = namesLike(vocabulary(), name).filter(takes);
  // Much besides a filter has the other sign.
  if (meant.length === 0 && sign !== ':') return undefined;
  const said = { what: tableTitle(table.peek().name), name };
  const about = say('{what} cannot be filtered by “{name}”, so it is searched as text.', said);
  const ending =
    meant.length > 0
      ? say('Did you mean:')
      : say('Filters: {names}', { names: namesOf(vocabulary()).join(', ') });
  const begins = sign === '=' ? ':' : sign;
  return noteOn(
    `${name}${sign}`,
    `${about} ${ending}`,
    meant.map((one) => one + begins),
  );
}

/** A word with a star: somebody expects it to stand for any text. */
function wildcardIn(text: string): Doubt | undefined {
  const [term] = /(?<!\S)[^\s"*]*\*[^\s"]*(?!\S)/.exec(text) ?? [];
  if (term === undefined) return undefined;
  const without = term.replaceAll('*', '');
  const about = say(
    'There are no wildcards: “*” is searched as it is. A part of a word is enough.',
  );
  return noteOn(term, about, /[\p{L}\d]/u.test(without) ? [without] : []);
}

/** An `AND` or `NOT` before a word, and an `and` behind a filter: words here, as nobody means them. */
function operatorIn(text: string, { q }: Parsed): Doubt | undefined {
  const anywhere = /(?<!\S)(AND|NOT)\s+("[^"]+"|[^\s"]+)/;
  const behind = /^\s*(and)\s+("[^"]+"|[^\s"]+)/i;
  const { conditions } = view.peek();
  const found = anywhere.exec(text) ?? (conditions.length > 0 ? behind.exec(text) : null);
  if (!found) return undefined;
  const [operator, word] = found.slice(-2) as [string, string];
  // Before a filter it says nothing.
  if (!` ${q} `.includes(` ${operator} `)) return undefined;
  const about = say(
    '“{word}” is searched as a word: all words must match, and a hyphen excludes one.',
    { word: operator },
  );
  return offer(found[0], about, `${operator === 'NOT' ? '-' : ''}${word}`);
}

/** The time of a day that has just become a filter: its blank ended the term. */
function timeIn(text: string): Doubt | undefined {
  const [time] = /^([01]\d|2[0-3]):[0-5]\d(:[0-5]\d)?(?!\S)/.exec(text) ?? [];
  const last = view.peek().conditions.at(-1);
  if (time === undefined || last?.kind !== 'range') return undefined;
  const filter = termText(last, vocabulary(), labelOf);
  const [, name, day] = /^(.+?:[<>]?=?)((?:\d{4}|[+-]\d{6})-\d\d-\d\d)$/.exec(filter) ?? [];
  if (day === undefined) return undefined;
  const about = say('“{word}” is searched as text: quotes keep a date and its time together.', {
    word: time,
  });
  return offer(time, about, `${name}"${day} ${time}"`);
}

/** A note on a term that is searched for as text, with terms that may be meant. */
const noteOn = (term: string, text: string, meant: readonly string[]): Doubt => ({
  ...{ text, term, isRefused: false, canStand: false },
  choices: meant.map((one) => ({ text: one, term: one })),
});

const offer = (term: string, about: string, meant: string): Doubt =>
  noteOn(term, `${about} ${say('Did you mean:')}`, [meant]);

/** More words than are searched one by one. */
function crowdIn({ isOneText }: Parsed): Doubt | undefined {
  if (!isOneText) return undefined;
  const about = say('More than {n} words are searched as one text, in this order.', { n: MOST });
  return noteOn('', about, []);
}

/** The search that is shown, as text. */
function searchText(): string {
  const { conditions, q } = view.peek();
  return [...conditions.map((one) => termText(one, vocabulary(), labelOf)), q]
    .filter(Boolean)
    .join(' ');
}

/** The latest searches of a table, kept in this browser for the signed-in user. */
const LATEST = 5;
const placeOfSearches = () => `${session.peek()?.userId} ${table.peek().name}`;
const latestSearches = (): readonly string[] =>
  preferences.peek().searches[placeOfSearches()] ?? [];

/** Keeps the search that shows, as the latest one. */
function keep(): void {
  const text = searchText();
  const known = latestSearches();
  if (text === '' || text === known[0]) return;
  const next = [text, ...known.filter((one) => one !== text)].slice(0, LATEST);
  prefer({ searches: { ...preferences.peek().searches, [placeOfSearches()]: next } });
}

/** Suggestions for an empty box: the latest searches, filters, and an example. */
function beginnings(): readonly Suggestion[] {
  const { name, open, example } = table.peek();
  const search = (group: string) => (text: string) =>
    ({ text, hint: '', box: text, whole: true, group, isSearch: true }) as const;
  const names = namesOf(vocabulary());
  const nameOf = (field: string) =>
    names.filter((one) => vocabulary().fields[one]!.field === field).slice(0, 1);
  const named = [...open.flatMap(nameOf), ...names.filter((one) => one === 'date')];
  // A value that is left open is none to search for.
  const terms = example.split(' ').filter((term) => !term.endsWith('…'));
  return [
    ...latestSearches().map(search(say('Latest searches'))),
    ...named.map((one) => ({
      ...{ text: `${one}:`, hint: fieldTitle(name, vocabulary().fields[one]!.field) },
      ...{ box: `${one}:`, whole: false, group: say('Filters') },
    })),
    ...(terms.length > 0 ? [search(say('Example'))(terms.join(' '))] : []),
  ];
}

let wishing = new AbortController();

/** Nobody waits for completions any more. */
const endCompletions = (): void => wishing.abort();

/** Finds completions; the latest text wins. */
function completions(text: string, then: (found: readonly Suggestion[]) => void): void {
  wishing.abort();
  wishing = new AbortController();
  const { signal } = wishing;
  const wish = wishOf(text, vocabulary());
  if (!wish) {
    const found = fieldSuggestions(text, vocabulary(), (field) =>
      fieldTitle(table.peek().name, field),
    );
    // Most people who type a word search for it: its rows come before its completions.
    if (found.length === 0) then(found);
    else void rowsPainted().then(() => !signal.aborted && then(found));
    return;
  }
  if (!offersValues(wish.kind)) {
    then(valueSuggestions(wish, []));
    return;
  }
  valuesOf(wish.kind.field, wish.contains, { signal })
    .then((found) => then(valueSuggestions(wish, found)))
    .catch(() => {});
}

/** The operations of the search box. */
export const BOX = {
  ...{ typed, finished, read, commit, takenBack },
  ...{ beginnings, completions, endCompletions, keep },
  understood: (text: string, canStand?: boolean) => understood(text, vocabulary(), canStand),
  setConditions: (conditions: readonly Condition[]) => ask({ conditions }),
};
