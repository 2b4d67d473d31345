/** The states of a task. */

export const STATUS_WORDS = {
  SUCCESS: 'Success',
  FAILURE: 'Failure',
  REVOKED: 'Revoked',
  STARTED: 'Started',
  RETRY: 'Retrying',
  RECEIVED: 'Received',
  PENDING: 'Pending',
} as const;

export type Status = keyof typeof STATUS_WORDS;
export const STATUSES = Object.keys(STATUS_WORDS) as readonly Status[];

export const ENDED: readonly string[] = ['SUCCESS', 'FAILURE', 'REVOKED'];
export const RUNNING: readonly string[] = ['PENDING', 'RECEIVED', 'STARTED', 'RETRY'];
