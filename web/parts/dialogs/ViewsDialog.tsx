/** Saved views: saves the table's view under a name, for oneself or for others, and lists them. */
import { useEffect, useRef, useState } from 'preact/hooks';
import type { SavedView, ViewWish } from '../../state/savedView.ts';
import type { LabelOf, TableName } from '../../state/view.ts';
import { tableTitle } from '../../tables/tables.ts';
import { say } from '../../words/words.ts';
import { Button } from '../controls/Button.tsx';
import { Choice } from '../controls/Choice.tsx';
import { IconButton } from '../controls/IconButton.tsx';
import { Problem } from '../controls/Problem.tsx';
import { Tick } from '../controls/Tick.tsx';
import { useSlow } from '../controls/useAnswer.ts';
import { Waiting } from '../controls/Waiting.tsx';
import { Dialog } from './Dialog.tsx';

const NEW: ViewWish = {
  ...{ name: '', description: '', visibility: 'private', projectId: null, isDefault: false },
};

/** The view that shows, as one to be saved. */
export interface Savable {
  readonly table: TableName;
  readonly address: string;
  /** The one project that it is of. */
  readonly projectId: string | null;
}

/** A change of the saved views; it resolves to whether that went well. */
type Change<T extends readonly unknown[]> = (...given: T) => Promise<boolean>;

interface Given {
  readonly views: readonly SavedView[];
  readonly shown: Savable;
  /** Whether the service keeps views; undefined while it has not told them, and why it has not. */
  readonly areShared: boolean | undefined;
  readonly unread: unknown;
  /** Asks for them once more. */
  readonly again: () => void;
  /** How many this browser keeps that the service could. */
  readonly movable: number;
  /** Whether the viewer may share views with everyone. */
  readonly mayShare: boolean;
  readonly labelOf: LabelOf;
  /** Why the latest change failed. */
  readonly problem: unknown;
  /** Whether changes are under way. */
  readonly isSaving: boolean;
  readonly create: Change<[wish: ViewWish]>;
  /** `replaces`: the saved view takes the address of the shown one. */
  readonly change: Change<[one: SavedView, wish: ViewWish, replaces: boolean]>;
  readonly remove: Change<[one: SavedView]>;
  readonly move: Change<[]>;
  readonly open: (address: string) => void;
  readonly close: () => void;
}

export function ViewsDialog(given: Given) {
  const { views, areShared, unread, again, movable, labelOf, problem, remove, move, open, close } =
    given;
  const isDue = areShared === undefined;
  // As it was then: somebody else may change it, or delete it.
  const [begun, edit] = useState<SavedView | undefined>(undefined);
  const edited = views.some(({ id }) => id === begun?.id) ? begun : undefined;
  const focusName = () => document.getElementById('view-name')?.focus();
  // After the dialog itself, which gives the focus to its first button.
  useEffect(focusName, [edited?.id]);
  return (
    <Dialog title={say('Saved views')} close={close}>
      <ViewForm
        key={edited?.id}
        {...given}
        edited={edited}
        leave={() => edit((now) => (now === edited ? undefined : now))}
      />
      <Problem why={problem ?? (isDue ? unread : undefined)} />
      {isDue && unread === undefined && <Waiting retry={again} />}
      {movable > 0 && (
        <p class="dim">
          {say('{n} saved in this browser only.', { n: movable })}{' '}
          <Button look="is-small" onClick={() => void move()}>
            {say('Move to your account')}
          </Button>
        </p>
      )}
      {views.length > 0 && (
        <ul class="menu-list">
          {views.map((one) => (
            <ViewRow
              key={one.id ?? one.name}
              one={one}
              about={aboutOf(one, labelOf)}
              open={() => {
                close();
                open(one.address);
              }}
              edit={() => edit(one)}
              // The button that had the focus is gone.
              remove={() => void remove(one).then((isGone) => isGone && focusName())}
            />
          ))}
        </ul>
      )}
    </Dialog>
  );
}

interface FormGiven extends Given {
  /** Undefined for a new one. */
  readonly edited: SavedView | undefined;
  readonly leave: () => void;
}

function ViewForm({ edited, shown, create, change, leave, close, ...given }: FormGiven) {
  const { areShared, mayShare, isSaving } = given;
  const [wish, setWish] = useState<ViewWish>(edited ?? NEW);
  const [isReplaced, setReplaced] = useState(false);
  const set = (part: Partial<ViewWish>) => setWish({ ...wish, ...part });
  const { table } = edited ?? shown;
  const projectId = edited?.projectId ?? shown.projectId;
  const canReplace = edited !== undefined && edited.table === shown.table;
  const name = wish.name.trim();
  const isAsked = useRef(false);
  const save = async () => {
    // A second press would save a new view twice.
    if (name === '' || isAsked.current) return;
    isAsked.current = true;
    const asked = { ...wish, name, projectId };
    const isSaved = await (edited ? change(edited, asked, isReplaced) : create(asked));
    isAsked.current = false;
    if (isSaved && edited) leave();
    else if (isSaved) close();
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
      {areShared !== false && (
        <>
          {field('view-about', say('Description'), 'description', 500)}
          <Choice
            title={say('Visible to')}
            options={visibilities(projectId, mayShare)}
            value={wish.visibility}
            set={(visibility) => set({ visibility })}
          />
          <Tick
            title={say('Open {what} with this view', { what: tableTitle(table) })}
            value={wish.isDefault}
            set={(isDefault) => set({ isDefault })}
          />
        </>
      )}
      {canReplace && edited.address !== shown.address && (
        <Tick
          title={say('Replace its filters and columns with those shown now')}
          value={isReplaced}
          set={setReplaced}
        />
      )}
      <p class="dim mono address">{edited && !isReplaced ? edited.address : shown.address}</p>
      <div class="keep-line">
        <Button type="submit" look="is-primary" disabled={name === '' || areShared === undefined}>
          {say('Save')}
        </Button>
        {edited && <Button onClick={leave}>{say('Cancel')}</Button>}
        {/* There from the start, so that screen readers read it out; and beside the buttons, where it moves nothing. */}
        <span class="dim" role="status">
          {isSaving && <Saving />}
        </span>
      </div>
    </form>
  );
}

const Saving = () => <>{useSlow() && say('Saving…')}</>;

interface RowGiven {
  readonly one: SavedView;
  readonly about: string;
  readonly open: () => void;
  readonly edit: () => void;
  readonly remove: () => void;
}

function ViewRow({ one, about, open, edit, remove }: RowGiven) {
  const { id, name, description, canChange } = one;
  return (
    <li class="menu-row">
      <Button look="is-plain menu-grow" title={description} onClick={open}>
        <span class="nav-text">{name}</span>
        <span class="dim">{about}</span>
      </Button>
      {canChange && id !== undefined && (
        <Button
          look="is-plain is-small"
          aria-label={say('Edit {what}', { what: name })}
          onClick={edit}
        >
          {say('Edit')}
        </Button>
      )}
      {canChange && <DeleteButton one={one} remove={remove} />}
    </li>
  );
}

/** A view that others have too is deleted by a second press, which says so. */
function DeleteButton({ one, remove }: Pick<RowGiven, 'one' | 'remove'>) {
  const { name, visibility } = one;
  const [isAsking, setAsking] = useState(false);
  const sure = useRef<HTMLButtonElement>(null);
  useEffect(() => sure.current?.focus(), [isAsking]);
  if (isAsking) {
    return (
      <button
        ref={sure}
        type="button"
        class="button is-small is-danger"
        onClick={remove}
        onBlur={() => setAsking(false)}
      >
        {say(visibility === 'everyone' ? 'Delete for everyone' : 'Delete for the project')}
      </button>
    );
  }
  return (
    <IconButton
      icon="trash"
      small
      label={say('Delete {what}', { what: name })}
      onClick={visibility === 'private' ? remove : () => setAsking(true)}
    />
  );
}

/** `Tasks, Everyone, default` */
function aboutOf({ table, visibility, projectId, isDefault }: SavedView, labelOf: LabelOf): string {
  const who =
    visibility === 'private'
      ? []
      : [
          projectId === null
            ? say('Everyone')
            : (labelOf('project_id', projectId) ?? say('Project')),
        ];
  return [tableTitle(table), ...who, ...(isDefault ? [say('default')] : [])].join(', ');
}

function visibilities(projectId: string | null, mayShare: boolean) {
  return [
    { value: 'private', title: 'Only you' },
    ...(projectId === null ? [] : ([{ value: 'project', title: 'Project' }] as const)),
    ...(mayShare ? ([{ value: 'everyone', title: 'Everyone' }] as const) : []),
  ] as const;
}
