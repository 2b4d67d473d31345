/** The states of a task, and the changes that each of them allows. */
import type { TaskDocument, TaskStatus } from '../documents.ts';

const TERMINAL: readonly TaskStatus[] = ['SUCCESS', 'FAILURE', 'REVOKED'];
export const RUNNING: readonly TaskStatus[] = ['PENDING', 'RECEIVED', 'STARTED', 'RETRY'];

/**
 * Tasks that have not ended. A status that is missing or unknown is none of the terminal ones, so
 * that such a task can be cancelled.
 */
export const NOT_ENDED = { status: { $nin: [...TERMINAL] } } as const;

/** As `NOT_ENDED` has it, for which a list with a terminal status, which is dirty data, has ended. */
export function hasEnded(status: unknown): boolean {
  return [status].flat().some((one) => TERMINAL.includes(one as TaskStatus));
}

/** The members of a task in an audit record: the driver would write 1970 for a date that JavaScript has not. */
export const stateOf = ({ status, date_done }: Pick<TaskDocument, 'status' | 'date_done'>) => ({
  status: kept(status),
  date_done: kept(date_done),
});

const kept = <T>(value: T) =>
  value instanceof Date && Number.isNaN(value.getTime()) ? null : (value ?? null);
