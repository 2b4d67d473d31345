/** Rows that an action was not done to, and why. */

import type { Outcome } from '../../present/plan.ts';
import { countOf } from '../../state/times.ts';
import { say } from '../../words/words.ts';
import { Button } from '../controls/Button.tsx';
import { Dialog } from './Dialog.tsx';

interface Given {
  readonly outcomes: readonly Outcome[];
  readonly close: () => void;
}

export function FailuresDialog({ outcomes, close }: Given) {
  const rows = outcomes.map(({ key, end, why }) => ({
    key,
    why: end === 'unknown' ? `${say('Unknown result:')} ${why}` : why,
  }));
  return (
    <Dialog title={say('{n} failed', { n: countOf(rows.length) })} close={close}>
      <Reasons rows={rows} />
      <footer class="dialog-foot">
        <Button look="is-primary" onClick={close}>
          {say('Close')}
        </Button>
      </footer>
    </Dialog>
  );
}

/** Most rows that are named one by one. */
const REASONS = 50;

interface ReasonsGiven {
  readonly rows: readonly { readonly key: string; readonly why?: string | undefined }[];
}

/** Rows to which it is not done, and why. */
export function Reasons({ rows }: ReasonsGiven) {
  return (
    <>
      <ul
        class="which is-long"
        // biome-ignore lint/a11y/noNoninteractiveTabindex: what scrolls must be reached by keys
        tabIndex={0}
      >
        {rows.slice(0, REASONS).map(({ key, why }) => (
          <li key={key}>
            <span class="mono">{key}</span> {why}
          </li>
        ))}
      </ul>
      {rows.length > REASONS && (
        <p class="dim">{say('and {n} more', { n: countOf(rows.length - REASONS) })}</p>
      )}
    </>
  );
}
