/** Exactly how many and which; then how far it is. The result is a notice. */

import { useEffect, useRef, useState } from 'preact/hooks';
import {
  carryOut,
  countForSweep,
  type Plan,
  type Progress,
  planFor,
  planForAll,
  progress,
  sweep,
} from '../../data/carryOut.ts';
import { closeDialog, dialog } from '../../data/dialogs.ts';
import { noticed } from '../../data/service.ts';
import { keyOf, table } from '../../data/store.ts';
import type { Row } from '../../present/answer.ts';
import { failureText } from '../../present/failureText.ts';
import { rowName } from '../../present/rowName.ts';
import { typeLabels } from '../../state/surroundings.ts';
import { countOf } from '../../state/times.ts';
import { actionOf, type Sweep } from '../../tables/tables.ts';
import { say } from '../../words/words.ts';
import { useAnswer } from '../controls/useAnswer.ts';
import { Dialog } from './Dialog.tsx';
import { Reasons } from './FailuresDialog.tsx';

export function ActionDialog() {
  const open = dialog.value;
  if (open.kind !== 'action') return null;
  return <Rows key={open.action} />;
}

const words = (count: number) =>
  `${countOf(count)} ${say(count === 1 ? table.value.one : table.value.many)}`;

function Rows() {
  const open = dialog.peek();
  const stop = useRef(new AbortController());
  const [plan, setPlan] = useState<Plan>();
  const [problem, setProblem] = useState<string>();
  const [isBegun, setBegun] = useState(false);
  useEffect(() => {
    progress.value = undefined;
    if (open.kind !== 'action') return;
    const action = actionOf(open.action);
    if (open.on !== 'all') setPlan(planFor(action, open.on));
    else {
      planForAll(action, stop.current.signal)
        .then(setPlan)
        .catch((error: unknown) => setProblem(failureText(noticed(error))));
    }
    return () => stop.current.abort();
  }, []);
  if (open.kind !== 'action') return null;
  const action = actionOf(open.action);
  const now = progress.value;
  const what = plan && words(plan.rows.length);
  const deed = what === undefined ? say(action.title) : say(`${action.title} {what}`, { what });
  const title = what === undefined ? `${deed} …` : `${deed}?`;
  return (
    <Dialog title={title} firm busy={isBegun}>
      {problem && <p class="problem">{problem}</p>}
      {!plan && !problem && <p class="dim">{say('Counting matching rows…')}</p>}
      {plan && !now && <Confirmation plan={plan} />}
      {now && <Course outcomes={now.outcomes} total={now.total} />}
      <footer class="dialog-foot">
        <button
          type="button"
          class="button"
          onClick={() => (isBegun ? stop.current.abort() : closeDialog())}
        >
          {say(isBegun ? 'Stop' : (action.leave ?? 'Cancel'))}
        </button>
        <button
          type="button"
          class={`button is-primary ${action.dangerous ? 'is-danger' : ''}`}
          disabled={!plan || plan.rows.length === 0 || isBegun}
          onClick={() => {
            if (isBegun || !plan) return;
            setBegun(true);
            void carryOut(plan, stop.current.signal);
          }}
        >
          {deed}
        </button>
      </footer>
    </Dialog>
  );
}

/** Most rows that are named one by one. */
const NAMED = 8;

function Confirmation({ plan: { action, rows, skipped, left } }: { readonly plan: Plan }) {
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
          <li key={keyOf(row)}>
            <span class="which-name">{nameOf(row)}</span>
            <span class="mono dim">{keyOf(row)}</span>
          </li>
        ))}
      </ul>
      {rows.length > NAMED && (
        <p class="dim">{say('and {n} more', { n: countOf(rows.length - NAMED) })}</p>
      )}
      {left.length > 0 && (
        <details class="left">
          <summary>{say('{what} will be skipped', { what: words(left.length) })}</summary>
          <Reasons rows={left} />
        </details>
      )}
    </>
  );
}

/** Its name and its project. */
const nameOf = (row: Row): string =>
  [rowName(table.value, row, typeLabels.value), row.project_name].filter(Boolean).join(' · ');

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

/** An action on rows that it finds by itself: how many they are is asked first. */
export function SweepDialog({ of }: { readonly of: Sweep }) {
  const [state, setState] = useState<'asked' | 'running' | 'over'>('asked');
  const [problem, setProblem] = useState<string>();
  const count = useAnswer(
    (signal) => countForSweep(of, signal),
    [],
    (error) => setProblem(failureText(noticed(error))),
  );
  return (
    <Dialog title={say(of.heading)} firm busy={state === 'running'}>
      <p>{say(of.about)}</p>
      <p role="status">
        {count === undefined ? say('Counting…') : say(of.warning, { what: words(count) })}
      </p>
      {problem && <p class="problem">{problem}</p>}
      <footer class="dialog-foot">
        <button type="button" class="button" onClick={closeDialog}>
          {say(state === 'over' ? 'Close' : of.leave)}
        </button>
        <button
          type="button"
          class="button is-primary is-danger"
          disabled={count === undefined || count === 0 || state !== 'asked'}
          onClick={() => {
            setState('running');
            sweep(of).then(
              () => closeDialog(),
              (error: unknown) => {
                setState('over');
                setProblem(failureText(noticed(error)));
              },
            );
          }}
        >
          {say(of.button, { what: count === undefined ? '' : words(count) })}
        </button>
      </footer>
    </Dialog>
  );
}
