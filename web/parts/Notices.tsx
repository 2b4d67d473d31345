import { dismiss, notices } from '../data/notices.ts';
import { say } from '../words/words.ts';
import { Icon } from './Icon.tsx';

/** A live region that is always there, so that what comes into it is read out. */
export function Notices() {
  return (
    <div class="notices" role="status" aria-live="polite">
      {notices.value.map(({ id, text, act }) => (
        <div class="notice" key={id}>
          <span>{text}</span>
          {act && (
            <button
              type="button"
              class="button is-plain"
              onClick={() => {
                dismiss(id);
                act.act();
              }}
            >
              {act.title}
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
      ))}
    </div>
  );
}
