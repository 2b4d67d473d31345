/** The confirmation of an action, and how far it is. */
import { useEffect, useRef, useState } from 'preact/hooks';
import { carryOut, countForSweep, planForAll, sweep } from '../data/carryOut.ts';
import { closeDialog, type OpenDialog } from '../data/dialogs.ts';
import { noticed, noting } from '../data/service/service.ts';
import { table } from '../data/store.ts';
import { useAnswer } from '../parts/controls/useAnswer.ts';
import { ActionDialog, SweepDialog } from '../parts/dialogs/ActionDialog.tsx';
import { failureText } from '../present/failureText.ts';
import { type Plan, type Progress, planFor } from '../present/plan.ts';
import type { Sweep } from '../tables/action.ts';
import { actionOf } from '../tables/tables.ts';

export function ActionRegion({ of }: { readonly of: OpenDialog & { kind: 'action' } }) {
  const action = actionOf(of.action);
  const stop = useRef(new AbortController());
  const [plan, setPlan] = useState<Plan>();
  const [progress, setProgress] = useState<Progress>();
  const [problem, setProblem] = useState<string>();
  useEffect(() => {
    const { signal } = stop.current;
    if (of.on !== 'all') setPlan(planFor(action, of.on));
    else {
      planForAll(action, signal)
        .then(setPlan)
        .catch((error: unknown) => setProblem(failureText(noticed(error))));
    }
    return () => stop.current.abort();
  }, []);
  return (
    <ActionDialog
      {...{ action, plan, progress, problem }}
      begin={(meant) => void carryOut(meant, stop.current.signal, setProgress)}
      stop={() => stop.current.abort()}
      close={closeDialog}
    />
  );
}

export function SweepRegion({ of }: { readonly of: Sweep }) {
  const [state, setState] = useState<'asked' | 'running' | 'over'>('asked');
  const [failed, setFailed] = useState<unknown>();
  const [count, failure = failed] = useAnswer((signal) => noting(countForSweep(of, signal)), []);
  return (
    <SweepDialog
      {...{ of, count, state, table: table.value }}
      problem={failure === undefined ? undefined : failureText(failure)}
      begin={() => {
        setState('running');
        sweep(of).then(closeDialog, (error: unknown) => {
          setState('over');
          setFailed(noticed(error));
        });
      }}
      close={closeDialog}
    />
  );
}
