/** The service, through its client: with the token of the signed-in user. */
import {
  type AnyTable,
  ApiError,
  type Client,
  createClient,
} from '../../../clients/typescript/index.ts';
import { waitAfter } from '../../present/failureText.ts';
import type { Question } from '../../query/question.ts';
import { refuse, session } from './session.ts';

/** The UI shows a refusal at once and decides by itself when to retry. */
export const service: Client = createClient({
  baseUrl: '',
  token: () => session.value?.token,
  retries: 0,
  fetch: (...request) => globalThis.fetch(...request),
});

export function rowsAt({ view, path }: Pick<Question, 'view' | 'path'>): AnyTable {
  const table = service.table as (name: string, path: object) => unknown;
  return table(view, path) as AnyTable;
}

/** Whether the service refused the token: it would refuse any other request as well. */
export const isOfToken = (error: unknown): error is ApiError =>
  error instanceof ApiError && error.status === 401;

/** Whether the requested record or table is not there, or no longer. */
export const isMissing = (error: unknown): error is ApiError =>
  error instanceof ApiError && error.status === 404;

/** Asks for a token where the one there is was refused; gives the error on. */
export function noticed(error: unknown): unknown {
  if (isOfToken(error)) refuse(error.message);
  return error;
}

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
      const wait = waitAfter(noticed(error), tries);
      if (wait === undefined) throw error;
      await new Promise((resolve) => setTimeout(resolve, wait));
    }
  }
  return undefined;
}

/** The answer, after `noticed` has seen its error. */
export const noting = <T>(answer: Promise<T>): Promise<T> =>
  answer.catch((error: unknown) => {
    throw noticed(error);
  });
