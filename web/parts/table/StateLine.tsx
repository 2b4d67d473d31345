/** The line above the rows that names a problem and its remedy. The rows stay. */
import { askAgain, asOf, failure, live } from '../../data/asking.ts';
import { isAdmin } from '../../data/session.ts';
import { withoutIndex } from '../../data/slow.ts';
import { isStale } from '../../data/stale.ts';
import { go, shown, view } from '../../data/store.ts';
import { secondsUntil } from '../../data/ticking.ts';
import { addressOf } from '../../state/address.ts';
import { momentOf } from '../../state/times.ts';
import { initialView, isOwn } from '../../state/view.ts';
import { addressFields } from '../../tables/tables.ts';
import { heard, isHeard, say } from '../../words/words.ts';
import { Icon } from '../controls/Icon.tsx';
import { againText } from './LiveBadge.tsx';

export function StateLine() {
  const wrong = failure.value;
  if (!wrong) return <SlowLine />;
  if (wrong.status === 401) return null;
  const { table, project } = view.value;
  // A project that is not there is no part of the view to begin with.
  const initial = { ...initialView(table), project: wrong.status === 404 ? null : project };
  const canReset = addressOf(initial, addressFields) !== addressOf(view.value, addressFields);
  return (
    <div class="state-line">
      <Icon name="warning" />
      {/* What is counted down stands beside it: it is not to be read out each second. */}
      <div class="state-text" role="alert">
        <strong>{titleOf(wrong.status, wrong.title)}</strong>
        {wrong.detail !== `${wrong.title}.` && (
          <span lang={isHeard(wrong.detail) ? undefined : 'en'}>
            {adviceOf(wrong.status, wrong.detail)}
          </span>
        )}
        {shown.value && asOf.value !== undefined && (
          <span class="dim">
            {say(
              isStale.value
                ? 'The rows are from {when} and match an earlier search.'
                : 'Showing data from {when}.',
              { when: momentOf(new Date(asOf.value).toISOString()) },
            )}
          </span>
        )}
        {wrong.requestId && (
          <span class="dim mono">{say('Request ID: {id}', { id: wrong.requestId })}</span>
        )}
      </div>
      {wrong.retryAt !== undefined && (
        <span class="dim figure">{againText(secondsUntil(wrong.retryAt))}</span>
      )}
      {/* A refused view will be refused again; one without filters may not. */}
      {wrong.status !== undefined && wrong.retryAt === undefined && canReset ? (
        <button type="button" class="button" onClick={() => go(initial)}>
          {say('Reset view')}
        </button>
      ) : (
        <button type="button" class="button" onClick={askAgain}>
          {say('Retry')}
        </button>
      )}
    </div>
  );
}

/** Answers come from the store meanwhile: as exact, and later. */
function SlowLine() {
  const { value } = live;
  if (!withoutIndex.value || value.state !== 'slow') return null;
  return (
    <div class="state-line is-calm" role="status">
      <Icon name="warning" />
      <div class="state-text">
        <strong>{say('Searches are slower than usual')}</strong>
        <span>
          {heard(value.reason)} {say('Results are exact and refresh every 5 s.')}
        </span>
      </div>
      {value.loaded !== undefined && (
        <progress
          class="progress is-part"
          max={100}
          value={value.loaded}
          aria-label={say('Index loading')}
        />
      )}
    </div>
  );
}

function titleOf(status: number | undefined, title: string): string {
  if (status === 403) return say('You do not have access');
  if (status === 404) return say('Not found');
  if (status === 503) return say('The service is unavailable');
  return heard(title);
}

function adviceOf(status: number | undefined, detail: string): string {
  if (status === 403)
    return `${heard(detail)} ${isAdmin.value ? '' : say('Ask an admin for access.')}`;
  if (status === 404)
    return say(
      isOwn(view.value.table)
        ? 'This table does not exist, or you do not have access to it.'
        : 'This project does not exist, or you are not a member of it.',
    );
  return heard(detail);
}
