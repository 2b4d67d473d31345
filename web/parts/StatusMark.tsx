/** A state: a shape of its own, its colour, and the word. Tables call it: it has no state of its own. */
import { isStatus, STATUS_WORDS, type Status, toneOf } from '../present/status.ts';
import { say } from '../words/words.ts';
import { Icon, type IconName } from './Icon.tsx';

const SHAPES: Readonly<Record<Status, IconName>> = {
  SUCCESS: 'check',
  FAILURE: 'cross',
  REVOKED: 'slash',
  STARTED: 'play',
  RETRY: 'again',
  RECEIVED: 'inbox',
  PENDING: 'ring',
};

export function StatusMark({ status }: { readonly status: unknown }) {
  const known = isStatus(status) ? status : undefined;
  return (
    <span class={`status ${toneOf(status)}`}>
      <span class="status-shape">{known && Icon({ name: SHAPES[known], size: 12 })}</span>
      {known ? say(STATUS_WORDS[known]) : status === null ? say('None') : String(status)}
    </span>
  );
}
