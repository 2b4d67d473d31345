/** Actions on rows, each as a button. */
import type { Action } from '../../tables/action.ts';
import { say } from '../../words/words.ts';
import { Button } from './Button.tsx';

interface Given {
  readonly actions: readonly Action[];
  readonly begin: (action: Action) => void;
}

export const ActionButtons = ({ actions, begin }: Given) => (
  <>
    {actions.map((one) => (
      <Button look={one.dangerous ? 'is-danger' : ''} key={one.id} onClick={() => begin(one)}>
        {say(one.title)}
      </Button>
    ))}
  </>
);
