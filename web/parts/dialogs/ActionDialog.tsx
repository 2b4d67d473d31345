/** Exactly how many and which; then how far it is. The result is a notice. */
import { useState } from 'preact/hooks';
import type { Plan, Progress } from '../../present/plan.ts';
import { keyTextOf, rowName } from '../../present/rowName.ts';
import { typeLabels } from '../../state/surroundings.ts';
import { countOf } from '../../state/times.ts';
import type { Action, Sweep } from '../../tables/action.ts';
import { rowsText, type Table, tableOf } from '../../tables/tables.ts';
import { say } from '../../words/words.ts';
import { Button } from '../controls/Button.tsx';
import { Problem } from '../controls/Problem.tsx';
import { Waiting } from '../controls/Waiting.tsx';
import { Dialog } from './Dialog.tsx';
import { Reasons } from './FailuresDialog.tsx';

interface Given {
  readonly action: Action;
  /** Undefined while its rows are counted. */
  readonly plan: Plan | undefined;
  /** Undefined until it begins. */
  readonly progress: Progress | undefined;
  /** Why they were not counted. */
  readonly problem: unknown;
  /** Counts them once more. */
  readonly again: () => void;
  readonly begin: (plan: Plan) => void;
  readonly stop: () => void;
  readonly close: () => void;
}

export function ActionDialog({ action, plan, progress, problem, again, ...deeds }: Given) {
  const { begin, stop, close } = deeds;
  const what = plan && rowsText(tableOf(action.table), plan.rows.length);
  const deed = what === undefined ? say(action.title) : say(`${action.title} {what}`, { what });
  const title = what === undefined ? `${deed} …` : `${deed}?`;
  const isBegun = progress !== undefined;
  const [isStopped, setStopped] = useState(false);
  const halt = () => {
    setStopped(true);
    stop();
  };
  return (
    <Dialog title={title} firm close={isBegun ? undefined : close}>
      <Problem why={problem} />
      {!plan && problem === undefined && (
        <Waiting word={say('Counting matching rows…')} retry={again} />
      )}
      {plan && !progress && <Confirmation plan={plan} />}
      {progress && <Course {...progress} />}
      <footer class="dialog-foot">
        {/* It waits for the requests that have begun. */}
        <Button onClick={isBegun ? halt : close}>
          {isBegun ? say(isStopped ? 'Stopping…' : 'Stop') : say(action.leave ?? 'Cancel')}
        </Button>
        <Button
          look={`is-primary ${action.dangerous ? 'is-danger' : ''}`}
          disabled={!plan || plan.rows.length === 0 || isBegun}
          onClick={() => {
            if (plan && !isBegun) begin(plan);
          }}
        >
          {deed}
        </Button>
      </footer>
    </Dialog>
  );
}

/** Most rows that are named one by one. */
const NAMED = 8;

function Confirmation({ plan: { action, rows, skipped, left } }: { readonly plan: Plan }) {
  const table = tableOf(action.table);
  const total = skipped.reduce((sum, { count }) => sum + count, rows.length);
  return (
    <>
      {total > rows.length && (
        <p class="skipped">
          <strong>
            {say('{n} of {total} selected', { n: countOf(rows.length), total: countOf(total) })}
          </strong>
          {`: ${skipped.map(({ words, count }) => say(words, { n: countOf(count) })).join(', ')}.`}
        </p>
      )}
      <p>{say(rows.length === 1 ? action.aboutOne : action.about)}</p>
      <ul class="which is-named">
        {rows.slice(0, NAMED).map((row) => (
          <li key={keyTextOf(row, table)}>
            <span class="which-name">
              {[rowName(table, row, typeLabels.value), row.project_name]
                .filter(Boolean)
                .join(' · ')}
            </span>
            <span class="mono dim">{keyTextOf(row, table)}</span>
          </li>
        ))}
      </ul>
      {rows.length > NAMED && (
        <p class="dim">{say('and {n} more', { n: countOf(rows.length - NAMED) })}</p>
      )}
      {left.length > 0 && (
        <details class="left">
          <summary>{say('{what} will be skipped', { what: rowsText(table, left.length) })}</summary>
          <Reasons rows={left} />
        </details>
      )}
    </>
  );
}

function Course({ outcomes, total }: Progress) {
  return (
    <>
      <progress class="progress" max={total} value={outcomes.length} aria-label={say('Progress')} />
      <p role="status">
        {say('{n} of {total} done', { n: countOf(outcomes.length), total: countOf(total) })}
      </p>
    </>
  );
}

interface SweepGiven {
  readonly of: Sweep;
  readonly table: Table;
  /** Undefined while they are counted. */
  readonly count: number | undefined;
  readonly state: 'asked' | 'running' | 'over';
  readonly problem: unknown;
  /** Counts them once more. */
  readonly again: () => void;
  readonly begin: () => void;
  readonly close: () => void;
}

/** An action on rows that it finds by itself: how many they are is asked first. */
export function SweepDialog({ of, table, count, state, problem, ...deeds }: SweepGiven) {
  const { again, begin, close } = deeds;
  const what = count === undefined ? '' : rowsText(table, count);
  const isRunning = state === 'running';
  return (
    <Dialog title={say(of.heading)} firm close={isRunning ? undefined : close}>
      <p>{say(of.about)}</p>
      {count === undefined && problem === undefined && (
        <Waiting word={say('Counting…')} retry={again} />
      )}
      {/* There from the start, so that screen readers read it out. */}
      <p role="status">{count !== undefined && say(of.warning, { what })}</p>
      <Problem why={problem} />
      {isRunning && <progress class="progress" aria-label={say('Progress')} />}
      <footer class="dialog-foot">
        <Button disabled={isRunning} onClick={close}>
          {say(state === 'over' ? 'Close' : of.leave)}
        </Button>
        <Button
          look="is-primary is-danger"
          disabled={count === undefined || count === 0 || state !== 'asked'}
          onClick={begin}
        >
          {say(of.button, { what })}
        </Button>
      </footer>
    </Dialog>
  );
}
