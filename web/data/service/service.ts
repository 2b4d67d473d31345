/** The service, through its client: with the token of the signed-in user. */

import { errorOf } from '../../../clients/typescript/errors.ts';
import {
  type AnyTable,
  ApiError,
  type Client,
  createClient,
} from '../../../clients/typescript/index.ts';
import { waitAfter } from '../../present/failureText.ts';
import type { Question } from '../../query/question.ts';
import { refuse, session } from './session.ts';

/** The UI shows a refusal at once and decides by itself when to retry; where a token is refused, it asks for another. */
export const service: Client = createClient({
  baseUrl: '',
  token: () => session.value?.token,
  retries: 0,
  async fetch(...request) {
    const token = session.peek()?.token;
    const response = await globalThis.fetch(...request);
    // Somebody may have signed in meanwhile: the refusal of an earlier token says nothing of theirs.
    const isRefused = response.status === 401 && token === session.peek()?.token;
    if (isRefused) refuse((await errorOf(response.clone())).message);
    return response;
  },
});

export function rowsAt({ view, path }: Pick<Question, 'view' | 'path'>): AnyTable {
  const table = service.table as (name: string, path: object) => unknown;
  return table(view, path) as AnyTable;
}

/** The first row that matches, and how many do; with all else that is asked for. */
export async function firstOf(
  at: Pick<Question, 'view' | 'path'>,
  body: object,
  signal?: AbortSignal,
) {
  const asked = { ...body, pagination: { per_page: 1 } };
  const answer = await rowsAt(at).explore(asked, { signal });
  return { ...answer, row: answer.data[0], count: answer.meta.pagination.total_items };
}

/** Whether the service refused the token: it would refuse any other request as well. */
export const isOfToken = (error: unknown): error is ApiError =>
  error instanceof ApiError && error.status === 401;

/** Whether the requested record or table is not there, or no longer. */
export const isMissing = (error: unknown): error is ApiError =>
  error instanceof ApiError && error.status === 404;

/**
 * The answer, asked for again where a failure passes; undefined once another token has taken the place of the asker's.
 *
 * @throws a failure that lasts
 */
export async function persistently<T>(ask: () => Promise<T>): Promise<T | undefined> {
  const token = session.peek()?.token;
  for (let tries = 0; token === session.peek()?.token; tries++) {
    try {
      const found = await ask();
      return token === session.peek()?.token ? found : undefined;
    } catch (error) {
      const wait = waitAfter(error, tries);
      if (wait === undefined) throw error;
      await new Promise((resolve) => setTimeout(resolve, wait));
    }
  }
  return undefined;
}
