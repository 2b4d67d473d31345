/**
 * The right answers, by brute force: every query is tested on every row, in a few plain loops that
 * share nothing with the index but the fold.
 */
import type { PageRequest, PageResult, Query } from '../../src/textindex/api.ts';
import type { Fold } from '../../src/textindex/caseFold.ts';
import { TASKS, type Task, type World } from '../../test/worlds/tasks.ts';

type Test = (cells: readonly unknown[]) => boolean;

/** Answers requests one after the other; keeps the tasks in memory. */
export function oracle(rows: readonly Task[], world: World, fold: Fold) {
  const column = (name: string) => TASKS.columns.findIndex((c) => c.name === name);
  const folded = new Map<string, string>();
  for (const { cells } of rows) {
    for (const cell of cells.slice(1)) {
      if (typeof cell === 'string' && !folded.has(cell)) folded.set(cell, fold.fold(cell));
    }
  }
  const names = new Map(world.projects.map(({ id, name }) => [id, fold.fold(name)]));
  const orders = new Map<string, Task[]>();

  function test(query: Query): Test {
    switch (query.op) {
      case 'all':
        return () => true;
      case 'none':
        return () => false;
      case 'and': {
        const parts = query.of.map(test);
        return (cells) => parts.every((part) => part(cells));
      }
      case 'or': {
        const parts = query.of.map(test);
        return (cells) => parts.some((part) => part(cells));
      }
      case 'equals': {
        const i = column(query.column);
        const values = new Set<unknown>(query.values);
        return (cells) => values.has(cells[i]);
      }
      case 'contains': {
        const i = column(query.column);
        const text = fold.fold(query.text);
        if (query.column === 'task_id') return (cells) => (cells[i] as string).includes(text);
        const texts = query.label ? names : folded;
        const known = new Map<unknown, boolean>();
        return (cells) => {
          let holds = known.get(cells[i]);
          if (holds === undefined) {
            holds = texts.get(cells[i] as string)?.includes(text) ?? false;
            known.set(cells[i], holds);
          }
          return holds;
        };
      }
    }
  }

  function ordered(sortBy: string): Task[] {
    const known = orders.get(sortBy);
    if (known) return known;
    const i = column(sortBy);
    const key = (task: Task) =>
      sortBy === 'id' ? task.id : ((task.cells[i] as Date | null)?.getTime() ?? -Infinity);
    const keyed = rows.map((task) => ({ task, key: key(task) }));
    keyed.sort((a, b) => (a.key === b.key ? a.task.id - b.task.id : a.key < b.key ? -1 : 1));
    const sorted = keyed.map(({ task }) => task);
    orders.set(sortBy, sorted);
    return sorted;
  }

  return ({ where, sortBy, descending, page, perPage }: PageRequest): PageResult => {
    const holds = test(where);
    const found: number[] = [];
    for (const task of ordered(sortBy)) if (holds(task.cells)) found.push(task.id);
    if (descending) found.reverse();
    const last = Math.max(1, Math.ceil(found.length / perPage));
    const at = Math.min(Math.max(1, page), last);
    return {
      total: found.length,
      page: at,
      ids: found.slice((at - 1) * perPage, at * perPage),
    };
  };
}
