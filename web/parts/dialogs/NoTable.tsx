/** No table is at the address, or none that the caller may see: leads to those they may see. */
import type { TableName } from '../../state/view.ts';
import { tableTitle } from '../../tables/tables.ts';
import { say } from '../../words/words.ts';
import { follow } from '../controls/follow.ts';

const WORDS = {
  lost: {
    title: 'This page does not exist',
    about: 'Check the address, or start from a table.',
  },
  denied: { title: 'You do not have access', about: 'Only admins can see this page.' },
  none: { title: 'You do not have access', about: 'Your roles may see no table.' },
  unknown: {
    title: 'There is no such table',
    about: 'It does not exist, or you do not have access to it.',
  },
} as const;

interface Given {
  readonly why: keyof typeof WORDS;
  /** Whether somebody is signed in. */
  readonly isIn: boolean;
  /** The tables that it leads to, each with its address. */
  readonly tables: readonly { readonly name: TableName; readonly href: string }[];
  readonly open: (name: TableName) => void;
}

export function NoTable({ why, isIn, tables, open }: Given) {
  const { title, about } = WORDS[why];
  return (
    <main class="main" id="rows" tabIndex={-1}>
      <div class="choose">
        <h1 class="choose-title">{say(title)}</h1>
        <p class="choose-about dim">
          {say(about)}
          {isIn &&
            ` ${say(tables.length > 0 ? 'You have access to:' : 'Ask an admin for access.')}`}
        </p>
        <p class="choose-buttons">
          {tables.map(({ name, href }) => (
            <a
              class="button"
              key={name}
              href={href}
              onClick={(event) => follow(event, () => open(name))}
            >
              {isIn ? tableTitle(name) : say('Sign in')}
            </a>
          ))}
        </p>
      </div>
    </main>
  );
}
