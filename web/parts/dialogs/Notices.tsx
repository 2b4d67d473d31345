import { dismiss, type Notice, notices } from '../../data/notices.ts';
import { say } from '../../words/words.ts';
import { Icon } from '../controls/Icon.tsx';

/** A live region that is always there, so that what comes into it is read out. */
export function Notices() {
  return (
    <div class="notices" role="status" aria-live="polite">
      {notices.value.map((one) => (
        <OneNotice key={one.id} {...one} />
      ))}
    </div>
  );
}

function OneNotice({ id, text, undo, details }: Notice) {
  const act = (deed: () => void) => () => {
    dismiss(id);
    deed();
  };
  return (
    <div class="notice" data-notice={id}>
      <span>{text}</span>
      {details && (
        <button type="button" class="button is-plain" onClick={details}>
          {say('Show failures')}
        </button>
      )}
      {undo && (
        <button
          type="button"
          class="button is-plain"
          aria-label={say('Undo')}
          aria-keyshortcuts="z"
          onClick={act(undo)}
        >
          {say('Undo')} <kbd>z</kbd>
        </button>
      )}
      <button
        type="button"
        class="button is-icon is-small"
        aria-label={say('Dismiss')}
        onClick={() => dismiss(id)}
      >
        <Icon name="close" size={13} />
      </button>
    </div>
  );
}
