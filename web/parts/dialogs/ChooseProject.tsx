/** Members see tasks and schedules of one project at a time: which one? */

import { ownProjects } from '../../data/projects.ts';
import { go, view } from '../../data/store.ts';
import { addressOf } from '../../state/address.ts';
import { addressFields } from '../../tables/tables.ts';
import { say } from '../../words/words.ts';
import { follow } from '../controls/follow.ts';
import { Icon } from '../controls/Icon.tsx';

export function ChooseProject() {
  const projects = ownProjects.value;
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
        <ul class="choose-list">
          {projects?.map(({ id, name }) => (
            <li key={id}>
              <a
                class="choose-item"
                href={addressOf({ ...view.value, project: id }, addressFields)}
                onClick={(event) => follow(event, () => go({ ...view.value, project: id }))}
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
