/** Pages in place of a table: members choose a project first; no table is there, or none that the caller may see. */
import type { ComponentChildren } from 'preact';
import type { TableName } from '../../state/view.ts';
import { tableTitle } from '../../tables/tables.ts';
import { say } from '../../words/words.ts';
import { follow } from '../controls/follow.ts';
import { Icon } from '../controls/Icon.tsx';
import { Waiting } from '../controls/Waiting.tsx';

interface PageGiven {
  readonly title: string;
  readonly about: string | undefined;
  readonly children: ComponentChildren;
}

const Page = ({ title, about, children }: PageGiven) => (
  <main class="main" id="rows" tabIndex={-1}>
    <div class="choose">
      <h1 class="choose-title">{title}</h1>
      {about !== undefined && <p class="choose-about dim">{about}</p>}
      {children}
    </div>
  </main>
);

interface ProjectGiven {
  /** The projects of the member; undefined while they are not known. */
  readonly projects: readonly { readonly id: string; readonly name: string }[] | undefined;
  /** The address of the view with this project. */
  readonly hrefOf: (id: string) => string;
  readonly choose: (id: string) => void;
  /** Asks for them once more. */
  readonly retry: () => void;
}

/** Members see tasks and schedules of one project at a time: which one? */
export function ChooseProject({ projects, hrefOf, choose, retry }: ProjectGiven) {
  const about = say(
    'Tasks and schedules are shown for one project at a time. You can switch at any time.',
  );
  return (
    <Page title={say('Select a project')} about={projects?.length ? about : undefined}>
      {projects === undefined && <Waiting retry={retry} />}
      {projects?.length === 0 && (
        <p class="dim">
          {say('You are not a member of any project yet. Ask a project owner to add you.')}
        </p>
      )}
      <ul>
        {projects?.map(({ id, name }) => (
          <li key={id}>
            <a
              class="choose-item"
              href={hrefOf(id)}
              onClick={(event) => follow(event, () => choose(id))}
            >
              <Icon name="folder" />
              {name}
              <Icon name="right" />
            </a>
          </li>
        ))}
      </ul>
    </Page>
  );
}

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

interface TableGiven {
  readonly why: keyof typeof WORDS;
  /** Whether somebody is signed in. */
  readonly isIn: boolean;
  /** The tables that it leads to, each with its address. */
  readonly tables: readonly { readonly name: TableName; readonly href: string }[];
  readonly open: (name: TableName) => void;
}

export function NoTable({ why, isIn, tables, open }: TableGiven) {
  const { title, about } = WORDS[why];
  const way = say(tables.length > 0 ? 'You have access to:' : 'Ask an admin for access.');
  return (
    <Page title={say(title)} about={say(about) + (isIn ? ` ${way}` : '')}>
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
    </Page>
  );
}
