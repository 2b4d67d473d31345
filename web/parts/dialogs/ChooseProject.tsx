/** Members see tasks and schedules of one project at a time: which one? */
import { say } from '../../words/words.ts';
import { follow } from '../controls/follow.ts';
import { Icon } from '../controls/Icon.tsx';

interface Given {
  /** The projects of the member; undefined while they are not known. */
  readonly projects: readonly { readonly id: string; readonly name: string }[] | undefined;
  /** The address of the view with this project. */
  readonly hrefOf: (id: string) => string;
  readonly choose: (id: string) => void;
}

export function ChooseProject({ projects, hrefOf, choose }: Given) {
  return (
    <main class="main" id="rows" tabIndex={-1}>
      <div class="choose">
        <h1 class="choose-title">{say('Select a project')}</h1>
        {projects !== undefined && projects.length > 0 && (
          <p class="choose-about dim">
            {say(
              'Tasks and schedules are shown for one project at a time. You can switch at any time.',
            )}
          </p>
        )}
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
      </div>
    </main>
  );
}
