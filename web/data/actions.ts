/** Actions on rows: a request for each row, and the outcome of each, kept and told. */
import { ApiError } from '../../clients/typescript/index.ts';
import { failureText } from '../present/failureText.ts';
import type { Outcome } from '../present/plan.ts';
import type { Action } from '../tables/action.ts';
import type { Row } from '../tables/tables.ts';
import { isOfToken, noticed, service } from './service/service.ts';
import { isAdmin } from './service/session.ts';

/** How many are under way at once: the service has quotas, and other callers. */
const AT_ONCE = 4;

export interface Running {
  readonly action: Action;
  readonly rows: readonly Row[];
  readonly keyOf: (row: Row) => string;
  readonly signal: AbortSignal;
  readonly onDone: (outcome: Outcome, record: Row | undefined) => void;
}

/**
 * Does it to each row once. The signal stops it, and so does a token that is refused, which the other rows
 * would be as well: the remaining rows stay as they are.
 */
export async function runAll({ action, rows, keyOf, signal, onDone }: Running): Promise<void> {
  const seen = new Set<string>();
  const left = rows.filter((row) => !seen.has(keyOf(row)) && seen.add(keyOf(row)));
  const worker = async () => {
    for (let row = left.shift(); row && !signal.aborted; row = left.shift()) {
      const key = keyOf(row);
      // A signal of its own: a stop waits for the requests that have begun, since their ends must be known.
      const by = { service, admin: isAdmin.peek(), signal: new AbortController().signal };
      let record: Row | undefined;
      let outcome: Outcome = { key, end: 'done' };
      try {
        record = (await action.run(row, by)) as Row | undefined;
      } catch (error) {
        outcome = failed(key, noticed(error));
        if (isOfToken(error)) left.length = 0;
      }
      onDone(outcome, record);
    }
  };
  await Promise.all(Array.from({ length: AT_ONCE }, worker));
}

function failed(key: string, error: unknown): Outcome {
  const why = failureText(error);
  const isKnown = error instanceof ApiError && error.status < 500;
  return { key, end: isKnown ? 'refused' : 'unknown', why };
}
