/** Saved views: saves what the table shows under a name, for oneself or for others, and lists them. */
import { useEffect, useState } from 'preact/hooks';
import { closeDialog } from '../../data/dialogs.ts';
import { openAddress } from '../../data/moves.ts';
import { labelOf } from '../../data/projects.ts';
import { noticed } from '../../data/service.ts';
import { isAdmin } from '../../data/session.ts';
import { view } from '../../data/store.ts';
import {
  areShared,
  changeView,
  createView,
  deleteView,
  movable,
  moveViews,
  refreshViews,
  type SavedView,
  savedAddress,
  type ViewWish,
  views,
} from '../../data/views.ts';
import { failureText } from '../../present/failureText.ts';
import type { TableName } from '../../state/view.ts';
import { tableOf } from '../../tables/tables.ts';
import { say } from '../../words/words.ts';
import { Choice } from '../controls/Choice.tsx';
import { Icon } from '../controls/Icon.tsx';
import { Tick } from '../controls/Tick.tsx';
import { Dialog } from './Dialog.tsx';

const NEW: ViewWish = {
  ...{ name: '', description: '', visibility: 'private', projectId: null, isDefault: false },
};

export function ViewsDialog() {
  const [edited, edit] = useState<SavedView | undefined>(undefined);
  const [failed, setFailed] = useState('');
  const attempt = async (what: () => Promise<void>): Promise<boolean> => {
    setFailed('');
    try {
      await what();
      return true;
    } catch (error) {
      setFailed(failureText(noticed(error)));
      return false;
    }
  };
  useEffect(() => {
    void refreshViews();
  }, []);
  // After the dialog itself, which gives the focus to its first button.
  useEffect(() => document.getElementById('view-name')?.focus(), [edited]);
  return (
    <Dialog title={say('Saved views')}>
      <ViewForm key={edited?.id} edited={edited} attempt={attempt} leave={() => edit(undefined)} />
      {failed !== '' && (
        <p class="problem" role="alert">
          {failed}
        </p>
      )}
      {movable.value > 0 && (
        <p class="dim">
          {say('{n} saved in this browser only.', { n: movable.value })}{' '}
          <button type="button" class="button is-small" onClick={() => void attempt(moveViews)}>
            {say('Move to your account')}
          </button>
        </p>
      )}
      {views.value.length > 0 && (
        <ul class="menu-list">
          {views.value.map((one) => (
            <ViewRow
              key={one.id ?? one.name}
              one={one}
              edit={() => edit(one)}
              remove={() => void attempt(() => deleteView(one))}
            />
          ))}
        </ul>
      )}
    </Dialog>
  );
}

interface FormGiven {
  /** Undefined for a new one. */
  readonly edited: SavedView | undefined;
  readonly attempt: (what: () => Promise<void>) => Promise<boolean>;
  readonly leave: () => void;
}

function ViewForm({ edited, attempt, leave }: FormGiven) {
  const [wish, setWish] = useState<ViewWish>(edited ?? NEW);
  const [isReplaced, setReplaced] = useState(false);
  const set = (change: Partial<ViewWish>) => setWish({ ...wish, ...change });
  const shown = savedAddress(view.value);
  const { table } = edited ?? view.value;
  const projectId = edited?.projectId ?? projectShown();
  const canReplace = edited !== undefined && edited.table === view.value.table;
  const name = wish.name.trim();
  const save = async () => {
    if (name === '') return;
    const asked = { ...wish, name, projectId };
    const done = await attempt(() =>
      edited
        ? changeView(edited, asked, isReplaced ? shown : undefined)
        : createView(view.value, asked),
    );
    if (done && edited) leave();
    else if (done) closeDialog();
  };
  const field = (id: string, title: string, of: 'name' | 'description', most: number) => (
    <>
      <label class="label" for={id}>
        {title}
      </label>
      <input
        id={id}
        class="input"
        maxLength={most}
        value={wish[of]}
        onInput={({ currentTarget }) => set({ [of]: currentTarget.value })}
      />
    </>
  );
  return (
    <form
      class="keep"
      onSubmit={(event) => {
        event.preventDefault();
        void save();
      }}
    >
      {field('view-name', say(edited ? 'Name' : 'Save this view as'), 'name', 80)}
      {areShared.value && (
        <>
          {field('view-about', say('Description'), 'description', 500)}
          <Choice
            title={say('Visible to')}
            options={visibilities(projectId)}
            value={wish.visibility}
            set={(visibility) => set({ visibility })}
          />
          <Tick
            title={say('Open {what} with this view', { what: titleOf(table) })}
            value={wish.isDefault}
            set={(isDefault) => set({ isDefault })}
          />
        </>
      )}
      {canReplace && edited.address !== shown && (
        <Tick
          title={say('Replace its filters and columns with those shown now')}
          value={isReplaced}
          set={setReplaced}
        />
      )}
      <p class="dim mono address">{edited && !isReplaced ? edited.address : shown}</p>
      <div class="keep-line">
        <button type="submit" class="button is-primary" disabled={name === ''}>
          {say('Save')}
        </button>
        {edited && (
          <button type="button" class="button" onClick={leave}>
            {say('Cancel')}
          </button>
        )}
      </div>
    </form>
  );
}

interface RowGiven {
  readonly one: SavedView;
  readonly edit: () => void;
  readonly remove: () => void;
}

function ViewRow({ one, edit, remove }: RowGiven) {
  const { id, name, description, address, canChange } = one;
  return (
    <li class="menu-row">
      <button
        type="button"
        class="button is-plain menu-grow"
        title={description}
        onClick={() => {
          closeDialog();
          openAddress(address);
        }}
      >
        <span class="nav-text">{name}</span>
        <span class="dim">{aboutOf(one)}</span>
      </button>
      {canChange && id !== undefined && (
        <button
          type="button"
          class="button is-plain is-small"
          aria-label={say('Edit {what}', { what: name })}
          onClick={edit}
        >
          {say('Edit')}
        </button>
      )}
      {canChange && (
        <button
          type="button"
          class="button is-icon is-small"
          aria-label={say('Delete {what}', { what: name })}
          onClick={remove}
        >
          <Icon name="trash" size={13} />
        </button>
      )}
    </li>
  );
}

const titleOf = (table: TableName) => say(tableOf(table).title);

/** `Tasks, Everyone, default` */
function aboutOf({ table, visibility, projectId, isDefault }: SavedView): string {
  const who =
    visibility === 'private'
      ? []
      : [
          projectId === null
            ? say('Everyone')
            : (labelOf('project_id', projectId) ?? say('Project')),
        ];
  return [titleOf(table), ...who, ...(isDefault ? [say('default')] : [])].join(', ');
}

/** The one project that the table shows. */
function projectShown(): string | null {
  const { project, conditions } = view.value;
  const named = conditions.flatMap((one) =>
    one.kind === 'values' && one.field === 'project_id' && !one.not ? one.values : [],
  );
  const [id] = named;
  return project ?? (typeof id === 'string' && named.length === 1 ? id : null);
}

function visibilities(projectId: string | null) {
  return [
    { value: 'private', title: 'Only you' },
    ...(projectId === null ? [] : ([{ value: 'project', title: 'Project' }] as const)),
    ...(isAdmin.value ? ([{ value: 'everyone', title: 'Everyone' }] as const) : []),
  ] as const;
}
