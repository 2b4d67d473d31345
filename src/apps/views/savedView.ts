/**
 * A saved view as it lies in MongoDB, and as an answer shows it.
 *
 *     audience   private:<owner>    the owner alone sees it
 *                project:<id>       all who may use the project
 *                everyone           all who may see its table
 *
 * One text says who sees a view, so one database index finds all that a caller may see. Two unique
 * indexes hold what views of one audience share: a table has one default, and a view has a place of
 * its own among `MOST_VIEWS`.
 */
import type { Document } from 'mongodb';
import type { DatabaseIndex } from '../../store/indexes.ts';
import { asDate } from '../../tables/definition/record.ts';

/** Most views of one audience: of one owner, of one project, for everyone. */
export const MOST_VIEWS = 100;

export const VISIBILITIES = ['private', 'project', 'everyone'] as const;
export type Visibility = (typeof VISIBILITIES)[number];

export interface ViewDocument {
  /** A UUID of version 7. */
  readonly _id: string;
  readonly audience: string;
  /** The `sub` of the token that made it. */
  readonly owner: string;
  readonly table: string;
  readonly name: string;
  readonly description: string;
  /** The query of the page's address, without its question mark. */
  readonly address: string;
  /** Whether the table opens with it. */
  readonly is_default: boolean;
  /**
   * From 0 up to `MOST_VIEWS`, so that two creations at once cannot both take the last one. Another
   * program's view may have none.
   */
  readonly place?: number | undefined;
  readonly tc_creation: Date;
  readonly tc_update: Date;
}

/** Documents that cannot be views: the collection is another program's. */
export const OTHERS = { audience: { $exists: false } };

export const INDEXES: readonly DatabaseIndex[] = [
  // For the views that a caller may see.
  { key: { audience: 1, _id: -1 }, others: OTHERS },
  { key: { audience: 1, table: 1 }, unique: true, where: { is_default: true }, others: OTHERS },
  { key: { audience: 1, place: 1 }, unique: true, where: { place: { $gte: 0 } }, others: OTHERS },
];

const PROJECT = 'project:';
export const EVERYONE = 'everyone';

/** Matches audiences of projects; a value in `$in`, too. */
export const OF_PROJECTS = new RegExp(`^${PROJECT}`);

export const privateTo = (owner: string) => `private:${owner}`;
export const membersOf = (projectId: string) => `${PROJECT}${projectId}`;

export function visibilityOf({ audience }: Pick<ViewDocument, 'audience'>): Visibility {
  if (audience === EVERYONE) return 'everyone';
  return OF_PROJECTS.test(audience) ? 'project' : 'private';
}

/** Null for any but a project's view. */
export const projectOf = ({ audience }: Pick<ViewDocument, 'audience'>): string | null =>
  OF_PROJECTS.test(audience) ? audience.slice(PROJECT.length) : null;

/** Whether a document is a view: others may write to the collection. */
export function isView(document: Document): document is ViewDocument {
  const { _id, audience, owner, table, name, description, address } = document;
  const texts = [_id, audience, owner, table, name, description, address];
  return (
    texts.every((text) => typeof text === 'string') &&
    typeof document.is_default === 'boolean' &&
    [document.tc_creation, document.tc_update].every((date) => asDate(date) !== null)
  );
}

/** The view as an answer shows it to a caller. */
export function shownTo(sub: string, view: ViewDocument) {
  return {
    ...{ view_id: view._id, ...shownMembers(view), mine: view.owner === sub },
    tc_creation: view.tc_creation.toISOString(),
    tc_update: view.tc_update.toISOString(),
  };
}

type Members = Readonly<Record<string, string | boolean | null>>;

/** The members that a shared view shows to others; undefined for a private view. */
export const sharedPart = (view: ViewDocument | undefined): Members | undefined =>
  view && visibilityOf(view) !== 'private' ? shownMembers(view) : undefined;

function shownMembers(view: ViewDocument): Members {
  const { table, name, description, address, is_default, owner } = view;
  return {
    ...{ table, name, description, address },
    ...{ visibility: visibilityOf(view), project_id: projectOf(view), is_default, owner },
  };
}
