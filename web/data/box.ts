/** The search box at work: its text is searched for, its terms become conditions, and what could follow is offered. */

import {
  fieldSuggestions,
  type Suggestion,
  valueSuggestions,
  wishOf,
} from '../query/completion.ts';
import type { Doubt } from '../query/doubt.ts';
import { finishedPart, parseQuery } from '../query/language.ts';
import { nearest } from '../query/spelling.ts';
import { termText } from '../query/termText.ts';
import { namesOf, vocabularyOf } from '../query/vocabulary.ts';
import { asking, type Condition, joined, withCondition, withoutCondition } from '../state/view.ts';
import { fieldTitle } from '../tables/tables.ts';
import { say } from '../words/words.ts';
import { rowsPainted } from './asking.ts';
import { go, table, time, view } from './store.ts';
import { labelOf, valuesOf } from './understanding.ts';

const vocabulary = () => vocabularyOf(view.peek().table, time.peek());

/**
 * The text without its terms becomes what is searched for, at once.
 *
 * @returns what is searched for
 */
export function typed(text: string): string {
  const q = parseQuery(text, vocabulary()).rest.trim();
  if (q !== view.peek().q) go(asking(view.peek(), { q }), 'typed');
  return q;
}

/**
 * Adds the conditions to those of the view, and sets the text.
 *
 * @returns what is searched for
 */
export function commit(added: readonly Condition[], text: string): string {
  const q = parseQuery(text, vocabulary()).rest.trim();
  const now = view.peek();
  const conditions = added.reduce(
    (all, one) => withCondition(all, joined(all, one)),
    now.conditions,
  );
  if (added.length > 0) go(asking(now, { conditions, q }));
  return q;
}

/** The beginning of the text that nobody is typing any more. */
export const finished = (text: string): string => finishedPart(text, vocabulary());

/** The condition as text, for the box; it is asked for no more. */
export function takenBack(one: Condition): string {
  const now = view.peek();
  go(asking(now, { conditions: withoutCondition(now.conditions, one) }));
  return termText(one, vocabulary(), labelOf);
}

/** A word with a colon that names no filter: said, since it is searched for as text. */
export function strangerIn(text: string): Doubt | undefined {
  const words = vocabulary();
  const { stranger } = parseQuery(text, words);
  if (!stranger) return undefined;
  const { name } = stranger;
  const meant = nearest(name, Object.keys(words.fields));
  const said = { what: say(table.peek().title), name };
  const about = say('{what} cannot be filtered by “{name}”, so it is searched as text.', said);
  const ending =
    meant.length > 0
      ? say('Did you mean:')
      : say('Filters: {names}', { names: namesOf(words).join(', ') });
  return {
    text: `${about} ${ending}`,
    term: `${name}:`,
    choices: meant.map((one) => ({ text: `${one}:`, term: `${one}:` })),
    isRefused: false,
    canStand: false,
  };
}

let wishing = new AbortController();

/** Nobody waits for what could follow any more. */
export const endCompletions = (): void => wishing.abort();

/** Finds what could follow; the latest text wins. */
export function completions(text: string, then: (found: readonly Suggestion[]) => void): void {
  wishing.abort();
  wishing = new AbortController();
  const { signal } = wishing;
  const words = vocabulary();
  const wish = wishOf(text, words);
  if (!wish) {
    const found = fieldSuggestions(text, words, (field) => fieldTitle(table.peek().name, field));
    // Most who type a word search for it: its rows come before what it could begin.
    if (found.length === 0) then(found);
    else void rowsPainted().then(() => !signal.aborted && then(found));
    return;
  }
  if (wish.kind.takes !== 'values') {
    then(valueSuggestions(wish, []));
    return;
  }
  valuesOf(wish.kind.field, wish.contains, signal)
    .then((found) => then(valueSuggestions(wish, found)))
    .catch(() => {});
}
