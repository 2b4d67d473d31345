/**
 * From the terms of the search box to conditions. A value becomes a condition once it is known: by its
 * field's closed list, or by the service. An unknown one stays in the box with a doubt that says so.
 */
import { ApiError } from '../../../clients/typescript/index.ts';
import type { TextCondition, ViewValue } from '../../../clients/typescript/viewAddress.ts';
import { valueText as named } from '../../present/chip.ts';
import { OVERDUE_MS } from '../../present/failureText.ts';
import type { Known } from '../../query/completion.ts';
import {
  closedText,
  cutOut,
  exactly,
  type Group,
  isTerm,
  meaningOf,
  parseQuery,
  quoted,
  readingsOf,
  resolved,
  type Term,
  type Vocabulary,
} from '../../query/language.ts';
import { nearest } from '../../query/spelling.ts';
import { valueText } from '../../query/termText.ts';
import type { Added, Doubt, Understood } from '../../query/understood.ts';
import { inQuotes } from '../../state/searchText.ts';
import { anyOf, type Condition, initialView } from '../../state/view.ts';
import { columnOf } from '../../tables/tables.ts';
import { heard, inSentence, say } from '../../words/words.ts';
import { countRows } from '../rows/asking.ts';
import { labelOf as knownLabel } from '../service/projects.ts';
import { firstOf } from '../service/service.ts';
import { question, table, view } from '../store.ts';

/**
 * Reads the terms of the text as conditions; the service is asked for values that it alone knows.
 *
 * @param canStand whether values that nobody knows are taken as they are
 */
export async function understood(
  text: string,
  words: Vocabulary,
  canStand = false,
): Promise<Understood> {
  const closed = closedText(text, words);
  const { groups } = parseQuery(closed, words, view.peek().conditions.length > 0);
  const added: Added[] = [];
  const taken: Group[] = [];
  let doubt: Doubt | undefined;
  for (const group of groups) {
    const found = await groupOf(group, closed, canStand);
    if ('doubt' in found) doubt ??= found.doubt;
    else {
      added.push({ condition: found.condition, joins: group.joins });
      taken.push(group);
    }
  }
  const left = cutOut(closed, taken);
  // A blank at the end: more text follows.
  return { added, rest: closed === text ? left : left.trimEnd(), doubt };
}

async function groupOf(
  { members }: Group,
  text: string,
  canStand: boolean,
): Promise<{ readonly condition: Condition } | { readonly doubt: Doubt }> {
  const all: (Condition | TextCondition)[] = [];
  for (const member of members) {
    if (!isTerm(member)) {
      all.push(member);
      continue;
    }
    const found = await conditionOf(member, text.slice(member.start, member.end), canStand);
    if ('doubt' in found) return found;
    all.push(found.condition);
  }
  return { condition: anyOf(all) };
}

type Found = { readonly condition: Condition } | { readonly doubt: Doubt };

async function conditionOf(term: Term, typed: string, canStand: boolean): Promise<Found> {
  const meaning = meaningOf(term);
  if ('problem' in meaning) return { doubt: doubtOf(`${meaning.problem}.`, typed) };
  if ('condition' in meaning) {
    const { condition } = meaning;
    // Values that no facet lists, and texts among numbers or truths.
    const isAsked =
      condition.kind === 'values' &&
      (!term.kind.isCounted || condition.values.some((value) => typeof value === 'string'));
    const has = canStand || !isAsked || (await hasRows(condition).catch(refusalIn));
    if (typeof has === 'string') return { doubt: doubtOf(`${term.kind.title}: ${has}`, typed) };
    return has
      ? meaning
      : { doubt: nobodyHas(term, valueText(term.values[0]!), typed, partOf(term)) };
  }
  const values: ViewValue[] = [];
  for (const [at, text] of meaning.ask.entries()) {
    // The service looks up neither `none` nor the empty text.
    const found = text
      ? await valuesMeant(term, text, term.areQuoted[at] === true, typed)
      : { values: [text] };
    if ('values' in found) values.push(...found.values);
    else if (canStand && found.doubt.canStand) values.push(text);
    else return found;
  }
  const { field } = term.kind;
  return { condition: { kind: 'values', field, not: term.not, values } };
}

/** One value, or several that read alike: the text `10002` and the number. */
async function valuesMeant(
  term: Term,
  text: string,
  isQuoted: boolean,
  typed: string,
): Promise<{ readonly values: readonly ViewValue[] } | { readonly doubt: Doubt }> {
  const { field, title } = term.kind;
  const choices = choicesOf(field);
  const exact = exactly(text, choices ?? []);
  if (exact.length > 0) return { values: [exact[0]!.value] };
  const found = await valuesOf(field, text, { isQuoted });
  const readings = isQuoted ? [text] : readingsOf(text);
  const same = found.filter(({ value }) => readings.includes(value));
  if (same.length > 0) return { values: same.map(({ value }) => value) };
  const one = found.length > 0 ? resolved(text, found) : undefined;
  if (one && 'value' in one) return { values: [one.value] };
  if (one) {
    const about = say('Several values match {field} “{text}”:', { field: title, text });
    const choices = choicesFor(term, text, one.candidates.slice(0, 4));
    return { doubt: doubtOf(about, typed, [...choices, ...partOf(term)]) };
  }
  const known = choices ?? (await valuesOf(field, ''));
  const names = new Map(known.flatMap((one) => namesOf(one).map((name) => [name, one])));
  const meant = [...new Set(nearest(text, [...names.keys()]).map((name) => names.get(name)!))];
  if (!choices) return { doubt: nobodyHas(term, text, typed, choicesFor(term, text, meant)) };
  const about = `${say('There is no {field} “{text}”.', { field: inSentence(title), text })} ${
    meant.length > 0 ? say('Did you mean:') : say('One of these:')
  }`;
  return {
    doubt: doubtOf(about, typed, choicesFor(term, text, meant.length > 0 ? meant : choices)),
  };
}

const doubtOf = (text: string, term: string, choices: Doubt['choices'] = []): Doubt => ({
  ...{ text, term, choices },
  isRefused: true,
  canStand: false,
});

/** The value as a part of the field's text, where that is one. */
const partOf = ({ kind, name, values: [text, ...others] }: Term): Doubt['choices'] =>
  kind.hasText && others.length === 0 && text?.trim()
    ? [{ text: say('Contains “{text}”', { text }), term: `${name}~${quoted(text)}` }]
    : [];

function nobodyHas(term: Term, text: string, typed: string, choices: Doubt['choices'] = []): Doubt {
  const about = say('No {what} with {field} “{text}”.', {
    what: say(table.peek().many),
    field: inSentence(term.kind.title),
    text,
  });
  const ending = choices.length > 0 ? ` ${say('Did you mean:')}` : '';
  return { ...doubtOf(about + ending, typed, choices), canStand: true };
}

/** The term with each of the known values in the place of the text. */
function choicesFor(term: Term, text: string, known: readonly Known[]): Doubt['choices'] {
  const labels = known.map(({ label }) => label);
  return known.map(({ value, label }) => {
    // A name that several have says nothing.
    const isShared = labels.indexOf(label) !== labels.lastIndexOf(label);
    const own = valueText(value, isShared ? undefined : label, term.kind);
    const values = term.values.map((one, at) =>
      one === text ? own : one !== null && term.areQuoted[at] ? inQuotes(one) : valueText(one),
    );
    const name = named(table.peek().name, term.kind.field, value, labelOf);
    return {
      text: isShared && label !== undefined ? `${label} (${value})` : (label ?? name),
      term: `${term.name}:${values.join(',')}`,
    };
  });
}

const namesOf = ({ value, label }: Known): readonly string[] =>
  label === undefined ? [String(value)] : [String(value), label];

/** The name for people that a value of a closed list has, or that is known of a project or type. */
export const labelOf = (field: string, value: ViewValue): string | undefined =>
  wordsOf(field)?.[String(value)] === undefined
    ? knownLabel(field, value)
    : named(table.peek().name, field, value, knownLabel);

/** The values of a closed list with their names. */
const wordsOf = (field: string) => columnOf(table.peek().name, field).words;

/** All values of a field that has no others; undefined where others may come. */
function choicesOf(field: string): readonly Known[] | undefined {
  const { choices } = table.peek().description.filters[field] ?? {};
  const words = wordsOf(field);
  const values = words ? Object.keys(words) : choices;
  return values?.map((value) => ({ value, label: labelOf(field, value) ?? value, count: 0 }));
}

/** The reason why the service refuses the value. */
function refusalIn(error: unknown): string {
  const [problem] = error instanceof ApiError ? error.problems : [];
  if (!problem) throw error;
  return heard(problem.detail);
}

/** Whether a row has the condition's value. */
async function hasRows(one: Condition): Promise<boolean> {
  if (one.kind !== 'values' || one.values.includes(null)) return true;
  const { table, project } = view.peek();
  const of = { ...initialView(table), project, conditions: [{ ...one, not: false }] };
  return (await countRows(of, AbortSignal.timeout(OVERDUE_MS))) !== 0;
}

interface Wanted {
  /** Whether the text stands in quotes: it is no number then. */
  readonly isQuoted?: boolean;
  readonly signal?: AbortSignal;
}

/**
 * Values that hold the text, or whose names do: first those that are the text, then the most frequent ones. Without the
 * view's other conditions.
 */
export async function valuesOf(
  field: string,
  contains: string,
  { isQuoted = false, signal = AbortSignal.timeout(OVERDUE_MS) }: Wanted = {},
): Promise<readonly Known[]> {
  const asked = question.peek();
  if (!asked) return [];
  // The service does not know how the UI names the values of a closed list.
  const isClosed = choicesOf(field) !== undefined;
  const isSearched = contains !== '' && !isClosed;
  const readings = isSearched ? (isQuoted ? [contains] : readingsOf(contains)) : [];
  const [text, ...others] = readings.map((value) => ({ select: [{ field, in: [value] }] }));
  const ask = (body: object) => firstOf(asked, body, signal);
  const [first, ...more] = await Promise.all([
    // A facet leaves out a condition on its own field: one answer has values that hold the text, and the rows that have it.
    ask({ facets: [{ field, limit: 20, ...(isSearched && { contains }) }], ...text }),
    ...others.map(ask),
  ]);
  const listed = first!.facets?.[0]?.values ?? [];
  const same = readings.flatMap((value, at): Known[] => {
    const { count } = at === 0 ? first! : more[at - 1]!;
    const known = listed.find((one) => one.value === value);
    return known || count > 0 ? [known ?? { value, count }] : [];
  });
  const values = [...same, ...listed.filter(({ value }) => !readings.includes(value))];
  const found = values.map((one) => ({ ...one, label: one.label ?? labelOf(field, one.value) }));
  if (!isClosed) return found;
  const folded = contains.toLowerCase();
  return found.filter((one) => namesOf(one).some((name) => name.toLowerCase().includes(folded)));
}
