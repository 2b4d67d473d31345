/** Short notices of actions, over the end of the table. */
import type { Notice } from '../../present/notice.ts';
import { say } from '../../words/words.ts';
import { Button } from '../controls/Button.tsx';
import { IconButton } from '../controls/IconButton.tsx';

interface Given {
  readonly notices: readonly Notice[];
  readonly dismiss: (id: number) => void;
}

/** A live region that is always there, so that screen readers read each notice out. */
export function Notices({ notices, dismiss }: Given) {
  return (
    <div class="notices" role="status" aria-live="polite">
      {notices.map((one) => (
        <OneNotice key={one.id} {...one} dismiss={() => dismiss(one.id)} />
      ))}
    </div>
  );
}

function OneNotice({
  id,
  text,
  undo,
  details,
  dismiss,
}: Notice & { readonly dismiss: () => void }) {
  const act = (deed: () => void) => () => {
    dismiss();
    deed();
  };
  return (
    <div class="notice" data-notice={id}>
      <span>{text}</span>
      {details && (
        <Button look="is-plain" onClick={details}>
          {say('Show failures')}
        </Button>
      )}
      {undo && (
        <Button look="is-plain" aria-label={say('Undo')} aria-keyshortcuts="z" onClick={act(undo)}>
          {say('Undo')} <kbd>z</kbd>
        </Button>
      )}
      <IconButton icon="close" small label={say('Dismiss')} onClick={dismiss} />
    </div>
  );
}
