/** The line over the end of the rows that names a problem and its remedy. The rows stay. */
import type { Failure, Live } from '../../present/answer.ts';
import { isLasting } from '../../present/failureText.ts';
import { momentOf } from '../../state/times.ts';
import { isOwn } from '../../state/view.ts';
import { heard, isHeard, say } from '../../words/words.ts';
import { Button } from '../controls/Button.tsx';
import { Icon } from '../controls/Icon.tsx';
import { useTries } from '../controls/useAnswer.ts';
import { againText } from './LiveBadge.tsx';

interface Given {
  readonly failure: Failure;
  /** Seconds until it is tried again. */
  readonly retryIn: number;
  /** When the rows that show were true, milliseconds since 1970; undefined where none show. */
  readonly asOf: number | undefined;
  /** Whether they match an earlier search. */
  readonly isStale: boolean;
  readonly table: string;
  readonly admin: boolean;
  /** Shows the table as it begins; undefined where it shows that already. */
  readonly reset: (() => void) | undefined;
  readonly retry: () => void;
}

export function StateLine({ failure: wrong, asOf, isStale, reset, ...given }: Given) {
  return (
    <div class="state-line">
      <Icon name="warning" />
      {/* The countdown stands beside it, so that screen readers do not read it out each second. */}
      <div class="state-text" role="alert">
        <strong>{titleOf(wrong)}</strong>
        {wrong.detail !== `${wrong.title}.` && (
          <span lang={isHeard(wrong.detail) ? undefined : 'en'}>{adviceOf(wrong, given)}</span>
        )}
        {asOf !== undefined && (
          <span class="dim">
            {say(
              isStale
                ? 'The rows are from {when} and match an earlier search.'
                : 'Showing data from {when}.',
              { when: momentOf(new Date(asOf).toISOString()) },
            )}
          </span>
        )}
        {wrong.requestId && (
          <span class="dim mono">{say('Request ID: {id}', { id: wrong.requestId })}</span>
        )}
      </div>
      {wrong.retryAt !== undefined && <span class="dim figure">{againText(given.retryIn)}</span>}
      {/* A refused view will be refused again; one without filters may not. */}
      {wrong.status !== undefined && wrong.retryAt === undefined && reset ? (
        <Button onClick={reset}>{say('Reset view')}</Button>
      ) : (
        <Button onClick={given.retry}>{say('Retry')}</Button>
      )}
    </div>
  );
}

/** Nothing fails, and no answer comes: a connection may hang for ever. */
export function WaitLine({ retry }: Pick<Given, 'retry'>) {
  const [tries, isLate, again] = useTries(retry);
  // The line comes where the first try is overdue.
  const isOverdue = isLate || tries === 0;
  return (
    <div class="state-line is-calm">
      <Icon name="warning" />
      <div class="state-text" role="status">
        <strong>{say(isOverdue ? 'No answer yet' : 'Loading…')}</strong>
        <span>{say('The service or the connection to it is slow.')}</span>
      </div>
      <Button onClick={again}>{say('Retry')}</Button>
    </div>
  );
}

interface SlowGiven {
  readonly live: Live & { readonly state: 'slow' };
  /** Whether the store has answered already that no rows match. */
  readonly isEmpty: boolean;
}

/** Answers come from the store meanwhile: as exact, and later. */
export function SlowLine({ live, isEmpty }: SlowGiven) {
  const isLoading = live.loaded !== undefined;
  return (
    <div class="state-line is-calm" role="status">
      <Icon name="warning" />
      <div class="state-text">
        <strong>
          {say(isLoading ? 'This table is loading' : 'Searches are slower than usual')}
        </strong>
        <span>
          {heard(live.reason)}{' '}
          {isLoading && isEmpty
            ? say('Until then searches may take longer.')
            : say(
                isLoading
                  ? 'Until then rows and counts may take longer. They appear by themselves.'
                  : 'Results are exact and refresh every 5 s.',
              )}
        </span>
      </div>
      {isLoading && (
        <progress
          class="progress is-part"
          max={100}
          value={live.loaded}
          aria-label={say('Index loading')}
        />
      )}
    </div>
  );
}

function titleOf({ status, title, detail }: Failure): string {
  if (isLasting(detail)) return say('This table cannot be read');
  if (status === 403) return say('You do not have access');
  if (status === 404) return say('Not found');
  // Proxies answer with the others.
  if (status !== undefined && status > 501) return say('The service is unavailable');
  return heard(title);
}

function adviceOf(
  { status, detail }: Failure,
  { table, admin }: Pick<Given, 'table' | 'admin'>,
): string {
  if (status === 403) return `${heard(detail)} ${admin ? '' : say('Ask an admin for access.')}`;
  if (status === 404)
    return say(
      isOwn(table)
        ? 'This table does not exist, or you do not have access to it.'
        : 'This project does not exist, or you are not a member of it.',
    );
  return heard(detail);
}
