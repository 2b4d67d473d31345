/**
 * Saved views in the store: the ones a caller may see, and changes to them.
 *
 * Rights are conditions of the read, by an index that begins with the audience. So neither an answer
 * nor its time tells that another's view exists.
 *
 *     caller ──► audiences: own, projects that have views and the caller may use, everyone ──► views
 *
 * The audit trail has the changes that others could see. Sharing a view is its creation there, and
 * making it private its deletion: of a private view the trail has no record.
 */
import { v7 } from 'uuid';
import { AppError, type ProblemDetail } from '../../errors.ts';
import type { Engine } from '../../serve/application.ts';
import type { Principal } from '../../serve/auth/principal.ts';
import { nothingHere } from '../../serve/auth/refusals.ts';
import { MAJORITY, readCommand } from '../../store/commands.ts';
import type { Deadline } from '../../store/deadline.ts';
import { indexOn } from '../../store/indexes.ts';
import { isUuid } from '../../tables/definition/uuid.ts';
import { validationFailed } from '../../tables/query/schema.ts';
import { type Author, type Change, type Changes, momentOf } from '../changes/changes.ts';
import {
  EVERYONE,
  INDEXES,
  isView,
  MOST_VIEWS,
  membersOf,
  OF_PROJECTS,
  privateTo,
  projectOf,
  sharedPart,
  type ViewDocument,
  type Visibility,
  visibilityOf,
} from './savedView.ts';

/** Members that a caller may set; those left out stay, or have their usual values. */
export interface ViewChange {
  readonly name?: string;
  readonly description?: string;
  readonly address?: string;
  readonly visibility?: Visibility;
  readonly project_id?: string | null;
  readonly is_default?: boolean;
}

export interface NewView extends ViewChange {
  readonly table: string;
  readonly name: string;
  readonly address: string;
}

/** A caller who changes views. */
export interface Editor extends Author {
  readonly principal: Principal;
}

interface SavedViewsOptions extends Pick<Engine, 'db' | 'mayUse' | 'sees' | 'tables'> {
  readonly changes: Changes;
  readonly collection: string;
  /** Whether the service keeps an audit trail. */
  readonly audited: boolean;
}

/** Most views of one answer: a caller's own and everyone's, then those of projects. */
const MOST_LISTED = 500;

const HINT = indexOn(INDEXES, 'audience');

export class SavedViews {
  readonly #options: SavedViewsOptions;

  constructor(options: SavedViewsOptions) {
    this.#options = options;
  }

  /** The views that the caller may see: everyone's, own ones, then projects'; the newest first. */
  async list(principal: Principal, deadline: Deadline): Promise<readonly ViewDocument[]> {
    const { db, collection } = this.#options;
    const filter = await this.#shownTo(principal, deadline);
    const { cursor } = await readCommand(db, deadline, {
      find: collection,
      filter,
      sort: { audience: 1, _id: -1 },
      ...{ limit: MOST_LISTED, batchSize: MOST_LISTED, singleBatch: true },
      readConcern: MAJORITY,
    });
    const found: readonly object[] = cursor.firstBatch;
    return found.filter(isView);
  }

  /** @throws AppError `ValidationFailed`, `Forbidden` */
  async create(editor: Editor, body: NewView): Promise<ViewDocument> {
    const { principal } = editor;
    if (!this.#options.sees(principal, body.table)) throw problem('/table', NO_TABLE);
    await this.#requireProject(editor, body);
    const id = v7();
    const at = momentOf(id);
    const { table, name, description = '', address, is_default = false } = body;
    const owner = principal.sub;
    const audience = audienceAfter({ owner, audience: privateTo(owner) }, body);
    const asked = {
      ...{ _id: id, audience, owner, table, name, description, address, is_default },
      ...{ tc_creation: at, tc_update: at },
    };
    requireEditor(principal, asked);
    return await this.#options.changes.run(editor, async (change) => {
      const view: ViewDocument = { ...asked, place: await this.#placeIn(change, audience) };
      await this.#makeDefault(change, view);
      await change.insert(this.#options.collection, view);
      await this.#audit(change, undefined, view);
      return view;
    });
  }

  /** @throws AppError `NotFound`, also for views of others; `Forbidden`, `ValidationFailed` */
  async change(editor: Editor, id: string, body: ViewChange): Promise<ViewDocument> {
    const { principal } = editor;
    await this.#requireProject(editor, body);
    const shown = await this.#shownTo(principal, editor.deadline);
    return await this.#options.changes.run(editor, async (change) => {
      const before = await this.#editable(change, principal, id, shown);
      const { visibility: _, project_id: __, ...members } = body;
      const audience = audienceAfter(before, body);
      const moved = { ...before, ...members, audience };
      requireEditor(principal, moved);
      if (audience === privateTo(before.owner) && before.owner !== principal.sub) {
        throw new AppError('Forbidden', 'Only the owner of a view may make it private.');
      }
      const isThere = audience === before.audience;
      const place = isThere ? before.place : await this.#placeIn(change, audience);
      const after = { ...moved, place };
      const changed = Object.entries(after).filter(
        ([name, value]) => value !== before[name as keyof ViewDocument],
      );
      if (changed.length === 0) return before;
      await this.#makeDefault(change, after);
      const $set = { ...Object.fromEntries(changed), tc_update: new Date() };
      await change.updateMany(this.#options.collection, { _id: id }, $set);
      await this.#audit(change, before, after);
      return { ...after, tc_update: $set.tc_update };
    });
  }

  /** @throws AppError `NotFound`, also for views of others; `Forbidden` */
  async remove(editor: Editor, id: string): Promise<void> {
    const shown = await this.#shownTo(editor.principal, editor.deadline);
    await this.#options.changes.run(editor, async (change) => {
      const before = await this.#editable(change, editor.principal, id, shown);
      await change.remove(this.#options.collection, { filter: { _id: id } });
      await this.#audit(change, before, undefined);
    });
  }

  /**
   * The views that a caller may see, as a condition. A shared view shows to its owner and those who may see
   * its table; to admins where the table is gone, so that somebody can delete it.
   */
  async #shownTo(principal: Principal, deadline: Deadline) {
    const { sees, tables } = this.#options;
    const seen = tables.filter((table) => sees(principal, table));
    const others = tables.filter((table) => !seen.includes(table));
    const table = principal.admin ? { $nin: others } : { $in: seen };
    const audience = await this.#audiences(principal, deadline);
    return { audience, $or: [{ owner: principal.sub }, { table }] };
  }

  /** A condition on `audience`. Only projects that have views are asked about. */
  async #audiences(principal: Principal, deadline: Deadline) {
    const { db, collection, mayUse } = this.#options;
    const own = [EVERYONE, privateTo(principal.sub)];
    if (principal.admin) return { $in: [...own, OF_PROJECTS] };
    const { values } = await readCommand(db, deadline, {
      ...{ distinct: collection, key: 'audience', query: { audience: OF_PROJECTS } },
      readConcern: MAJORITY,
    });
    // A stored list has elements of other kinds.
    const projects = (values as readonly unknown[]).flatMap(
      (audience) => (typeof audience === 'string' && projectOf({ audience })) || [],
    );
    const visible = await Promise.all(
      projects.map(async (project_id) =>
        (await mayUse(principal, { project_id }, deadline)) ? [membersOf(project_id)] : [],
      ),
    );
    return { $in: [...own, ...visible.flat()] };
  }

  async #editable(
    change: Change,
    principal: Principal,
    id: string,
    shown: object,
  ): Promise<ViewDocument> {
    const asked = { filter: { ...shown, _id: id }, hint: HINT };
    const found = await change.findOne(this.#options.collection, asked);
    if (!found || !isView(found)) throw nothingHere();
    requireEditor(principal, found);
    return found;
  }

  /** @throws AppError `ValidationFailed`: the same for a project that is not there */
  async #requireProject({ principal, deadline }: Editor, { project_id }: ViewChange) {
    if (typeof project_id !== 'string') return;
    const may =
      isUuid(project_id) && (await this.#options.mayUse(principal, { project_id }, deadline));
    if (!may) throw problem('/project_id', NO_PROJECT);
  }

  /**
   * A free place for one more view. If two creations take the same place, the second one begins
   * again. The places are random, so this is rare until few are left.
   *
   * @throws AppError `ValidationFailed`
   */
  async #placeIn(change: Change, audience: string): Promise<number> {
    const asked = { filter: { audience }, projection: { place: 1 }, limit: MOST_VIEWS };
    const others = await change.find(this.#options.collection, asked);
    const taken = new Set(others.map(({ place }) => place));
    const free = Array.from({ length: MOST_VIEWS }, (_, at) => at).filter((at) => !taken.has(at));
    if (others.length === MOST_VIEWS) {
      throw problem('', `There are ${MOST_VIEWS} of these views already.`);
    }
    return free[Math.floor(Math.random() * free.length)]!;
  }

  /** The default before is one no longer. */
  async #makeDefault(change: Change, view: ViewDocument): Promise<void> {
    const { collection } = this.#options;
    const { _id, audience, table } = view;
    if (!view.is_default) return;
    const filter = { audience, table, is_default: true, _id: { $ne: _id } };
    const others = await change.find(collection, { filter, limit: MOST_VIEWS });
    await change.updateMany(collection, filter, { is_default: false });
    for (const other of others.filter(isView)) {
      await this.#audit(change, other, { ...other, is_default: false });
    }
  }

  async #audit(
    change: Change,
    was: ViewDocument | undefined,
    is: ViewDocument | undefined,
  ): Promise<void> {
    const [before, after] = [sharedPart(was), sharedPart(is)];
    if (!this.#options.audited || !(before || after)) return;
    const action = !before ? 'view.create' : after ? 'view.update' : 'view.delete';
    // The record of an update has the changed members alone.
    const shown = (part: typeof after, other: typeof after) =>
      Object.fromEntries(Object.entries(part!).filter(([name, value]) => value !== other?.[name]));
    await change.audit({
      ...{ action, target_type: 'view', target_id: (is ?? was)!._id },
      before: before ? shown(before, after) : null,
      after: after ? shown(after, before) : null,
    });
  }
}

const NO_TABLE = 'There is no such table.';
const NO_PROJECT = 'There is no such project.';

const problem = (pointer: string, detail: string) =>
  validationFailed([{ pointer, detail } satisfies ProblemDetail]);

/** @throws AppError `ValidationFailed` where the visibility and the project contradict each other */
function audienceAfter(
  before: Pick<ViewDocument, 'owner' | 'audience'>,
  { visibility = visibilityOf(before), project_id }: ViewChange,
): string {
  if (visibility === 'project') {
    const project = project_id === undefined ? projectOf(before) : project_id;
    if (project === null) throw problem('/project_id', 'A view of a project names the project.');
    return membersOf(project);
  }
  if (typeof project_id === 'string') {
    throw problem('/project_id', 'Only a view of a project names one.');
  }
  return visibility === 'everyone' ? EVERYONE : privateTo(before.owner);
}

/** @throws AppError `Forbidden` */
function requireEditor(
  { sub, admin }: Principal,
  view: Pick<ViewDocument, 'audience' | 'owner'>,
): void {
  if (admin) return;
  if (visibilityOf(view) === 'everyone') {
    throw new AppError('Forbidden', 'Only admins may change what everyone sees.');
  }
  if (view.owner === sub) return;
  throw new AppError('Forbidden', 'Only the owner of this view and admins may change it.');
}
