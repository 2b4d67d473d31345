/** Candidates for the last word of a command line: commands, options, and values of the contract. */
import type { Command, Option } from 'commander';
import type { OwnTables, ViewDescription } from 'table-search/client';
import { tableNames, tableOf } from '../tables.ts';
import { SCRIPTS } from './scripts.ts';

export interface Candidate {
  readonly word: string;
  readonly meaning: string;
}

/**
 * @param words after the program's name; the last is the one being typed
 * @param listed the tables of the service's file
 */
export function candidatesOf(
  root: Command,
  words: readonly string[],
  listed?: OwnTables,
): readonly Candidate[] {
  const line = parsed(root, words);
  const all = line.command ? inside(line.command, line, listed) : commands(root, line.current);
  return all.filter(({ word }) => word.startsWith(line.current));
}

/** The words as far as they are typed. */
export interface Line {
  readonly command: Command | undefined;
  /** Words between the command and the current one. */
  readonly typed: readonly string[];
  readonly current: string;
  /** The option whose value the current word is. */
  readonly option: Option | undefined;
  /** The name of the argument that the current word is, if it is none of an option. */
  readonly argument: string | undefined;
  readonly table: string | undefined;
}

export function parsed(root: Command, words: readonly string[]): Line {
  const current = words.at(-1) ?? '';
  const before = words.slice(0, -1);
  const at = before.findIndex((word) => !word.startsWith('-'));
  const command = root.commands.find((one) => one.name() === before[at]);
  const typed = before.slice(at + 1);
  const takingValue = (word = '') =>
    command?.options.find(
      (one) => (one.required || one.optional) && (one.short === word || one.long === word),
    );
  const option = takingValue(typed.at(-1));
  const plain = typed.filter((word, i) => !word.startsWith('-') && !takingValue(typed[i - 1]));
  const named = command?.registeredArguments.map((one) => one.name()) ?? [];
  const argument = option ? undefined : named[plain.length];
  const table = plain[named.indexOf('table')];
  return { command, typed, current, option, argument, table };
}

function commands(root: Command, current: string): readonly Candidate[] {
  if (current.startsWith('-')) return optionsOf(root);
  const shown = root.createHelp().visibleCommands(root);
  return shown.map((one) => ({ word: one.name(), meaning: one.description() }));
}

function inside(
  command: Command,
  { option, argument, table, typed, current }: Line,
  listed: OwnTables | undefined,
): readonly Candidate[] {
  if (option) {
    const view = viewOf(table, typed, listed);
    return view ? valuesOf(option, view, current) : [];
  }
  if (current.startsWith('-')) return optionsOf(command);
  if (argument === 'table') {
    const title = (word: string) => listed?.data.find(({ name }) => name === word)?.title ?? '';
    return tableNames(listed).map((word) => ({ word, meaning: title(word) }));
  }
  const words = argument === 'shell' ? Object.keys(SCRIPTS) : [];
  return words.map((word) => ({ word, meaning: '' }));
}

const optionsOf = (command: Command): readonly Candidate[] => {
  const visible = command.createHelp().visibleOptions(command);
  return visible.flatMap(({ long, description }) =>
    long === undefined || long === null ? [] : [{ word: long, meaning: description }],
  );
};

/** Undefined for a table that there is not. */
function viewOf(
  table = 'tasks',
  typed: readonly string[],
  listed: OwnTables | undefined,
): ViewDescription | undefined {
  const isInProject = typed.includes('--project') || typed.includes('-p');
  try {
    return tableOf(table, isInProject ? '' : undefined, listed).description;
  } catch {
    return undefined;
  }
}

/** Values of an option, by its name. */
function valuesOf(option: Option, view: ViewDescription, current: string): readonly Candidate[] {
  const plain = (words: readonly string[], meaning = '') =>
    words.map((word) => ({ word, meaning }));
  switch (option.attributeName()) {
    case 'filter':
      return filterWords(view, current);
    case 'select':
    case 'baseline':
      if (/[=~]/.test(current)) return [];
      return [
        ...view.conditions.flatMap((field) => plain([`${field}=`, `${field}!=`])),
        ...view.contains.flatMap((field) => plain([`${field}~`, `${field}!~`])),
      ];
    case 'sort':
      return plain(
        listWords(
          current,
          view.orders.flatMap((field) => [field, `-${field}`]),
        ),
      );
    case 'columns':
      return plain(listWords(current, Object.keys(view.columns)));
    case 'stats':
      return plain(view.stats);
    case 'facet':
    case 'by':
      return plain(view.facets);
    case 'histogram':
      return view.times.flatMap((field) =>
        plain([field, ...['PT1H', 'P1D', 'P1W', 'P1M'].map((interval) => `${field}:${interval}`)]),
      );
    case 'timeZone':
      return plain(['UTC', ...Intl.supportedValuesOf('timeZone')]);
    case 'formulas':
      return plain(['guard', 'keep']);
    default:
      return [];
  }
}

const nameOf = (word: string) => word.replace(/^-/, '');

/** The list that is typed with one more word, of those that it has not. */
function listWords(current: string, words: readonly string[]): readonly string[] {
  const done = current.slice(0, current.lastIndexOf(',') + 1);
  // A field is sorted by once, in either direction.
  const named = done.split(',').map(nameOf);
  return words.filter((word) => !named.includes(nameOf(word))).map((word) => done + word);
}

function filterWords({ filters }: ViewDescription, current: string): readonly Candidate[] {
  const [name, value] = current.split('=');
  const filter = filters[name!];
  if (value === undefined || filter === undefined) {
    return Object.entries(filters).map(([one, { meaning }]) => ({ word: `${one}=`, meaning }));
  }
  const values = filter.takes === 'boolean' ? ['true', 'false'] : (filter.choices ?? []);
  return values.map((one) => ({ word: `${name}=${one}`, meaning: '' }));
}
