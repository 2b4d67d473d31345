/** Exactly how many and which; then how far it is; then what became of each. */
import { useEffect, useRef, useState } from 'preact/hooks';
import { ACTIONS, type Outcome } from '../data/actions.ts';
import {
  carryOut,
  cleanUp,
  countForCleanup,
  type Plan,
  planFor,
  planForAll,
  progress,
} from '../data/carryOut.ts';
import { closeDialog, dialog } from '../data/dialogs.ts';
import { noticed } from '../data/service.ts';
import { keyOf, table } from '../data/store.ts';
import { countOf } from '../state/times.ts';
import { Dialog } from './Dialog.tsx';

export function ActionDialog() {
  const open = dialog.value;
  if (open.kind !== 'action') return null;
  if (open.action === 'cleanup') return <CleanUp />;
  return <Rows key={open.action} />;
}

const words = (count: number) =>
  `${countOf(count)} ${count === 1 ? table.value.one : table.value.many}`;

function Rows() {
  const open = dialog.peek();
  const stop = useRef(new AbortController());
  const [plan, setPlan] = useState<Plan>();
  const [problem, setProblem] = useState<string>();
  const [isBegun, setBegun] = useState(false);
  useEffect(() => {
    progress.value = undefined;
    if (open.kind !== 'action') return;
    const action = ACTIONS[open.action];
    if (open.on !== 'all') setPlan(planFor(action, open.on));
    else {
      planForAll(action, stop.current.signal)
        .then(setPlan)
        .catch((error: unknown) => setProblem(textOf(noticed(error))));
    }
    return () => stop.current.abort();
  }, []);
  if (open.kind !== 'action') return null;
  const action = ACTIONS[open.action];
  const now = progress.value;
  const title = plan ? `${action.title} ${words(plan.rows.length)}?` : `${action.title} …`;
  return (
    <Dialog title={now?.isOver ? 'What became of it' : title} firm busy={isBegun && !now?.isOver}>
      {problem && <p class="problem">{problem}</p>}
      {!plan && !problem && <p class="dim">Counting which …</p>}
      {plan && !now && <Confirmation plan={plan} />}
      {now && <Course outcomes={now.outcomes} total={now.total} />}
      <footer class="dialog-foot">
        {now?.isOver ? (
          <button type="button" class="button is-primary" onClick={closeDialog}>
            Close
          </button>
        ) : (
          <>
            <button
              type="button"
              class="button"
              onClick={() => (isBegun ? stop.current.abort() : closeDialog())}
            >
              {isBegun ? 'Stop the rest' : 'Leave it'}
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
              {action.title} {plan ? words(plan.rows.length) : ''}
            </button>
          </>
        )}
      </footer>
    </Dialog>
  );
}

/** Most rows that are named one by one. */
const NAMED = 8;

function Confirmation({ plan: { action, rows, left } }: { readonly plan: Plan }) {
  return (
    <>
      <p>{action.about}</p>
      <ul class="which mono">
        {rows.slice(0, NAMED).map((row) => (
          <li key={keyOf(row)}>{keyOf(row)}</li>
        ))}
      </ul>
      {rows.length > NAMED && <p class="dim">and {countOf(rows.length - NAMED)} more</p>}
      {left.length > 0 && (
        <details class="left">
          <summary>{words(left.length)} are left as they are</summary>
          <ul class="which">
            {left.slice(0, 50).map(({ key, why }) => (
              <li key={key}>
                <span class="mono">{key}</span> {why}
              </li>
            ))}
          </ul>
        </details>
      )}
    </>
  );
}

interface CourseGiven {
  readonly outcomes: readonly Outcome[];
  readonly total: number;
}

function Course({ outcomes, total }: CourseGiven) {
  const done = outcomes.filter(({ end }) => end === 'done').length;
  const rest = outcomes.filter(({ end }) => end !== 'done');
  return (
    <>
      <progress class="progress" max={total} value={outcomes.length} aria-label="Progress" />
      <p role="status">
        {countOf(done)} of {countOf(total)} done
        {rest.length > 0 && `, ${countOf(rest.length)} not`}
      </p>
      {rest.length > 0 && (
        <ul class="which">
          {rest.slice(0, 50).map(({ key, end, why }) => (
            <li key={key}>
              <span class="mono">{key}</span>{' '}
              {end === 'unknown' ? 'It is not known whether it was done:' : ''} {why}
            </li>
          ))}
        </ul>
      )}
    </>
  );
}

function CleanUp() {
  const [count, setCount] = useState<number>();
  const [state, setState] = useState<'asked' | 'running' | 'over'>('asked');
  const [problem, setProblem] = useState<string>();
  useEffect(() => {
    const stop = new AbortController();
    countForCleanup(stop.signal)
      .then(setCount)
      .catch((error: unknown) => setProblem(textOf(noticed(error))));
    return () => stop.abort();
  }, []);
  return (
    <Dialog title="Clean up?" firm busy={state === 'running'}>
      <p>{ACTIONS.cleanup.about}</p>
      <p role="status">
        {count === undefined ? 'Counting …' : `Now that is ${words(count)}. It cannot be undone.`}
      </p>
      {problem && <p class="problem">{problem}</p>}
      <footer class="dialog-foot">
        <button type="button" class="button" onClick={closeDialog}>
          {state === 'over' ? 'Close' : 'Leave it'}
        </button>
        <button
          type="button"
          class="button is-primary is-danger"
          disabled={count === undefined || count === 0 || state !== 'asked'}
          onClick={() => {
            setState('running');
            cleanUp().then(
              () => closeDialog(),
              (error: unknown) => {
                setState('over');
                setProblem(textOf(noticed(error)));
              },
            );
          }}
        >
          Revoke {count === undefined ? '' : words(count)}
        </button>
      </footer>
    </Dialog>
  );
}

const textOf = (error: unknown) => (error instanceof Error ? error.message : String(error));
