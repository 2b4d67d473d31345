/**
 * Candidates that only the service knows: values of a field, projects and tasks.
 *
 *     -s status=fail        ──►  a facet of status   ──►  status=FAILURE
 *     -f user_email=ana     ──►  a facet of emails   ──►  user_email=ana@mail.test
 *     -p 0993               ──►  a page of projects  ──►  0993998b-…  Harbour Atlas
 *     tail                  ──►  a page of tasks     ──►  7d444840-…  STARTED
 *
 *     search ord            ──►  the tables          ──►  orders
 *
 * A key stroke waits for them: the service has two seconds, and every failure means no candidates.
 */
import type { Command } from 'commander';
import type { OwnTables } from 'table-search/client';
import { clientOf, listed, type ServiceOptions, tableAt, tokenOf } from '../service.ts';
import { oneLine } from '../show/terminal.ts';
import { tableOf } from '../tables.ts';
import { type Candidate, parsed } from './candidates.ts';

/** Longest wait, milliseconds. */
const PATIENCE_MS = 2_000;
/** Most candidates of a lookup. */
const MOST = 100;
/** Stored text must mean nothing to a shell: values go into a command line without quotes. */
const PLAIN = /^[\p{L}\p{N}_.@+/:-]+$/u;

/** The tables of the service's file, where the words need them. Never throws. */
export async function tablesFor(
  root: Command,
  words: readonly string[],
): Promise<OwnTables | undefined> {
  const { argument, table, typed, current } = parsed(root, words);
  const isNext = argument === 'table' && !current.startsWith('-');
  const service = serviceOf(typed);
  if (!(table !== undefined || isNext) || tokenOf(service) === undefined) return undefined;
  try {
    return await listed(clientOf(service), { signal: AbortSignal.timeout(PATIENCE_MS) });
  } catch {
    return undefined;
  }
}

/** The word after one of these options. */
function given(typed: readonly string[], ...names: string[]): string | undefined {
  const at = typed.findIndex((word) => names.includes(word));
  return at < 0 ? undefined : typed[at + 1];
}

function serviceOf(typed: readonly string[]): ServiceOptions {
  const [url, token] = [given(typed, '--url'), given(typed, '--token')];
  return { ...(url !== undefined && { url }), ...(token !== undefined && { token }) };
}

/** Never throws. */
export async function lookedUp(
  root: Command,
  words: readonly string[],
  own: OwnTables | undefined,
): Promise<readonly Candidate[]> {
  const wanted = wantedBy(root, words, own);
  if (wanted === undefined) return [];
  const found = await wanted(AbortSignal.timeout(PATIENCE_MS)).catch(() => []);
  return found.filter(({ word }) => PLAIN.test(word.replace(/^\w+!?=/, '').replaceAll(',', '')));
}

type Lookup = (signal: AbortSignal) => Promise<readonly Candidate[]>;

/** The request for the last word; undefined if the service cannot help. */
function wantedBy(
  root: Command,
  words: readonly string[],
  own: OwnTables | undefined,
): Lookup | undefined {
  const { command, option, argument, table = 'tasks', typed, current } = parsed(root, words);
  if (command === undefined) return undefined;
  const project = given(typed, '-p', '--project');
  const service = serviceOf(typed);
  const name = option?.attributeName();
  if (name === 'project') return (signal) => rowsOf('projects', 'identifier', 'name', signal);
  if (argument === 'task' && !current.startsWith('-')) {
    return (signal) => rowsOf('tasks', 'task_id', 'status', signal);
  }
  if (name !== 'select' && name !== 'filter') return undefined;
  const [, field, operator, text] = /^(\w+)(!?=)(.*)$/s.exec(current) ?? [];
  return field === undefined ? undefined : (signal) => valuesOf([field, operator!, text!], signal);

  async function rowsOf(word: string, id: string, meaning: string, signal: AbortSignal) {
    const opened = tableAt(
      clientOf(service),
      tableOf(word, word === 'tasks' ? project : undefined),
    );
    const filters = /^[\w-]{3,}$/.test(current) ? { q: current } : {};
    const { data } = await opened.search({ filters, pagination: { per_page: MOST } }, { signal });
    return startingWith(
      current,
      data.map((row) => candidate(row[id], row[meaning])),
    );
  }

  /** Values after the last comma; a filter takes one value, in which commas are text. */
  async function valuesOf(
    [field, operator, text]: readonly [string, string, string],
    signal: AbortSignal,
  ) {
    const asked = tableOf(table, project, own);
    if (!asked.description.facets.includes(field)) return [];
    const done = name === 'select' ? text.slice(0, text.lastIndexOf(',') + 1) : '';
    const contains = text.slice(done.length);
    const facet = { field, limit: MOST, ...(contains !== '' && { contains }) };
    const body = { facets: [facet], pagination: { per_page: 1 } };
    const { facets } = await tableAt(clientOf(service), asked).explore(body, { signal });
    const start = `${field}${operator}${done}`;
    const values = (facets?.[0]?.values ?? []).flatMap(({ value, label, count }) =>
      value === null || done.split(',').includes(`${value}`)
        ? []
        : candidate(`${start}${value}`, label ?? `${count} rows`),
    );
    return startingWith(current, values);
  }
}

const candidate = (word: unknown, meaning: unknown): Candidate => ({
  word: String(word),
  meaning: oneLine(String(meaning ?? '')),
});

/** Candidates that begin as typed; if none does, those that do in another case. */
function startingWith(typed: string, all: readonly Candidate[]): readonly Candidate[] {
  const same = all.filter(({ word }) => word.startsWith(typed));
  if (same.length > 0) return same;
  const lower = typed.toLowerCase();
  return all.filter(({ word }) => word.toLowerCase().startsWith(lower));
}
