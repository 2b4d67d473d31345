/** What the search box does: text to the question, terms to conditions, and what could follow. */

import { RUNNING, STATUSES } from '../present/status.ts';
import {
  fieldSuggestions,
  type Known,
  type Suggestion,
  valueSuggestions,
  wishOf,
} from '../query/completion.ts';
import { meaningOf, parseQuery, resolved, type Term } from '../query/language.ts';
import { vocabularyOf } from '../query/vocabulary.ts';
import { asking, type Condition, type Value, withCondition } from '../state/view.ts';
import { fieldTitle } from '../tables/tables.ts';
import { say } from '../words/words.ts';
import { rowsPainted } from './asking.ts';
import { rowsAt } from './service.ts';
import { go, question, table, time, view } from './store.ts';

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

/** What a text of the box comes to. */
export interface Understood {
  readonly conditions: readonly Condition[];
  /** What stays in the box: what is searched for, and what could not be understood. */
  readonly rest: string;
  readonly problem: string | undefined;
}

/** Reads the terms of the text as conditions; the service is asked for what it alone knows. */
export async function understood(text: string): Promise<Understood> {
  const closed = /\s$/.test(text) ? text : `${text} `;
  const { terms, rest } = parseQuery(closed, vocabulary());
  const conditions: Condition[] = [];
  let problem: string | undefined;
  let kept = '';
  for (const term of terms) {
    const found = await conditionOf(term);
    if ('problem' in found) {
      problem = found.problem;
      kept += `${closed.slice(term.start, term.end)} `;
    } else conditions.push(found.condition);
  }
  const left = `${rest.trim()} ${kept.trim()}`.trim();
  // Who ended with a blank goes on typing.
  return { conditions, rest: left !== '' && closed === text ? `${left} ` : left, problem };
}

/**
 * Asks for the conditions, beside those that are there, and for the text.
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

/** Values that are asked for together with those that were asked for before. */
function joined(conditions: readonly Condition[], added: Condition): Condition {
  if (added.kind !== 'values') return added;
  const before = conditions.find(
    (one) => one.kind === 'values' && one.field === added.field && one.not === added.not,
  );
  if (before?.kind !== 'values') return added;
  return { ...added, values: [...new Set([...before.values, ...added.values])] };
}

async function conditionOf(
  term: Term,
): Promise<{ readonly condition: Condition } | { readonly problem: string }> {
  const meaning = meaningOf(term);
  if (!('ask' in meaning)) return meaning;
  const { field } = term.kind;
  const values: Value[] = [];
  for (const text of meaning.ask) {
    const found = wordsFor(field, text) ?? (await valuesOf(field, text));
    if (found.length === 0) values.push(text);
    else {
      const one = resolved(text, found);
      if ('value' in one) values.push(one.value);
      else {
        const names = one.candidates.slice(0, 4).join(', ');
        const problem = say('Several values match {field} “{text}”: {names}', {
          field: fieldTitle(view.peek().table, field),
          text,
          names,
        });
        return { problem };
      }
    }
  }
  return { condition: { kind: 'values', field, not: term.not, values } };
}

/** States are known without asking, whether or not a task has one. */
function wordsFor(field: string, text: string): readonly Known[] | undefined {
  if (field === 'scope') return SCOPES.filter(({ value }) => value === text.toLowerCase());
  if (field !== 'status') return undefined;
  const found = STATUSES.filter((one) => one === text.toUpperCase());
  return found.length > 0 ? found.map((value) => ({ value, count: 0 })) : undefined;
}
const SCOPES = ['project', 'system', 'backup_infrastructure'].map((value) => ({ value, count: 0 }));

/** Values that hold the text, the most frequent first; whatever else is asked for. */
async function valuesOf(field: string, contains: string, signal?: AbortSignal) {
  const asked = question.peek();
  if (!asked) return [];
  const { facets } = await rowsAt(asked).explore(
    {
      facets: [{ field, limit: 20, ...(contains !== '' && { contains }) }],
      pagination: { per_page: 1 },
    },
    signal && { signal },
  );
  return facets?.[0]?.values ?? [];
}

let wishing = new AbortController();

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

/** Conditions that commands offer by a name. */
export const SHORTCUTS: readonly { readonly title: string; readonly condition: Condition }[] = [
  { title: 'Failures only', condition: valuesIn(['FAILURE']) },
  { title: 'Active only', condition: valuesIn(RUNNING) },
];

function valuesIn(values: readonly string[]): Condition {
  return { kind: 'values', field: 'status', not: false, values };
}
