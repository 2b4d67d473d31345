/** What could stand in the place of the last word: commands, options, and values of the contract. */
import type { Command, Option } from 'commander';
import { VIEWS, type ViewDescription } from 'table-search/client';
import { TABLES } from '../tables.ts';
import { SCRIPTS } from './scripts.ts';

export interface Candidate {
  readonly word: string;
  readonly meaning: string;
}

/** @param words those typed after the program's name; the last is what is being typed */
export function candidatesOf(root: Command, words: readonly string[]): readonly Candidate[] {
  const current = words.at(-1) ?? '';
  const before = words.slice(0, -1);
  const name = before.find((word) => !word.startsWith('-'));
  const command = root.commands.find((one) => one.name() === name);
  const all = command ? inside(command, before, current) : commands(root, current);
  return all.filter(({ word }) => word.startsWith(current));
}

function commands(root: Command, current: string): readonly Candidate[] {
  if (current.startsWith('-')) return optionsOf(root);
  const shown = root.createHelp().visibleCommands(root);
  return shown.map((one) => ({ word: one.name(), meaning: one.description() }));
}

function inside(
  command: Command,
  before: readonly string[],
  current: string,
): readonly Candidate[] {
  const previous = before.at(-1) ?? '';
  const option = command.options.find((one) => one.short === previous || one.long === previous);
  const typed = before.slice(before.indexOf(command.name()) + 1);
  const table = typed.find((word, i) => word in TABLES && !takesValue(command, typed[i - 1]));
  if (option && (option.required || option.optional)) {
    return valuesOf(option, viewOf(table, typed), current);
  }
  if (current.startsWith('-')) return optionsOf(command);
  const [argument] = command.registeredArguments;
  if (argument?.name() === 'table' && table === undefined) {
    return Object.keys(TABLES).map((word) => ({ word, meaning: '' }));
  }
  if (argument?.name() === 'shell') {
    return Object.keys(SCRIPTS).map((word) => ({ word, meaning: '' }));
  }
  return [];
}

function takesValue(command: Command, word: string | undefined): boolean {
  if (word === undefined) return false;
  return command.options.some((one) => one.required && (one.short === word || one.long === word));
}

const optionsOf = (command: Command): readonly Candidate[] => {
  const visible = command.createHelp().visibleOptions(command);
  return visible.flatMap(({ long, description }) =>
    long === undefined || long === null ? [] : [{ word: long, meaning: description }],
  );
};

function viewOf(table: string | undefined, typed: readonly string[]): ViewDescription {
  const named = TABLES[table ?? 'tasks']!;
  const isInProject = typed.includes('--project') || typed.includes('-p');
  return VIEWS[(isInProject && named.ofProject) || named.view];
}

/** What the value of an option can be, by its name. */
function valuesOf(option: Option, view: ViewDescription, current: string): readonly Candidate[] {
  const plain = (words: readonly string[], meaning = '') =>
    words.map((word) => ({ word, meaning }));
  switch (option.attributeName()) {
    case 'filter':
      return filterWords(view, current);
    case 'select':
      return view.conditions.flatMap((field) => plain([`${field}=`, `${field}!=`]));
    case 'sort':
      return view.sorts.flatMap((sort) => plain([sort, `${sort}:asc`]));
    case 'columns': {
      const done = current.slice(0, current.lastIndexOf(',') + 1);
      const named = done.split(',');
      const left = Object.keys(view.columns).filter((column) => !named.includes(column));
      return plain(left.map((column) => done + column));
    }
    case 'facet':
    case 'by':
      return plain(view.facets);
    case 'histogram':
      return view.times.flatMap((field) =>
        plain([field, ...['PT1H', 'P1D', 'P1W', 'P1M'].map((interval) => `${field}:${interval}`)]),
      );
    case 'formulas':
      return plain(['guard', 'keep']);
    default:
      return [];
  }
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
