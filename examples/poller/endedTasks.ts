/**
 * Every task that ends, once, in the order of their ends: for programs that act on them.
 *
 *     ask for all that ended since ──► one moment, whole ──► those not seen before
 *      ▲                  the latest end − overlap │
 *      └────────────────────── wait ◄──────────────┘
 *
 * Nothing is missed for three reasons. What is asked is an export, which shows all rows of one moment: pages
 * would shift while rows come. The next one begins before where the last one ended: a worker writes down when a
 * task ended a little before others can see it. And what was seen is known by its id and its end, so that the
 * overlap repeats nothing, and a task that ran again counts again.
 */
import { setTimeout as sleep } from 'node:timers/promises';
import type { Table } from '../../clients/typescript/index.ts';

export interface EndedTask {
  readonly task_id: string;
  readonly status: string;
  readonly date_done: string;
}

export interface PollerOptions {
  /** From when on, and what ended up to `overlapMs` before; after a restart the latest end that was dealt with. */
  readonly from: Date;
  /** How long it may take from a task's end until it is seen: clocks, slow writes. Ten minutes. */
  readonly overlapMs?: number;
  readonly everyMs?: number;
  readonly signal?: AbortSignal;
}

const COLUMNS = ['task_id', 'status', 'date_done'] as const;

/** Goes on until the signal; throws when the service refuses. After a restart, some come again. */
export async function* endedTasks(
  tasks: Table<'adminTasks'> | Table<'projectTasks'>,
  { from, overlapMs = 600_000, everyMs = 5_000, signal }: PollerOptions,
): AsyncGenerator<EndedTask, void, void> {
  const seen = new Map<string, number>();
  let latest = from.getTime();
  for (;;) {
    const since = latest - overlapMs;
    const select = [{ field: 'date_done', from: new Date(since).toISOString() }] as const;
    const sorting = { sort_by: 'date_done', sort_order: 'asc' } as const;
    const rows = await tasks.export(
      { select, sorting, columns: COLUMNS },
      { ...(signal && { signal }) },
    );
    for await (const row of rows as AsyncIterable<EndedTask>) {
      const key = `${row.task_id} ${row.date_done}`;
      const ended = Date.parse(row.date_done);
      latest = Math.max(latest, ended);
      if (seen.has(key)) continue;
      seen.set(key, ended);
      yield row;
    }
    for (const [key, ended] of seen) if (ended < since) seen.delete(key);
    await sleep(everyMs, undefined, { ...(signal && { signal }) });
  }
}
