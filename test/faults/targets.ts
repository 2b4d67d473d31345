/**
 * The targets of the changes that clients make through the service: schedules and tasks that no
 * writer touches. So each change does something, and the history shows its effect.
 */
import { randomUUID } from 'node:crypto';
import type { Db, Document } from 'mongodb';
import type { GeneratedRequest } from '../properties/worlds.ts';
import { PATH_PROJECT } from '../properties/worlds.ts';
import type { Change } from './exchange.ts';

/** A change with the request that asks for it, and the search that shows it. */
export interface Planned {
  readonly method: string;
  readonly path: string;
  readonly body?: unknown;
  readonly change: Change;
  readonly search: GeneratedRequest;
}

interface Target {
  readonly collection: 'schedules' | 'tasks';
  readonly id: string;
  readonly how: 'enable' | 'delete' | 'preserve' | 'cancel';
  readonly document: Document;
  on: boolean;
}

/** The number of targets for each client, by the change that they are for. */
const EACH = { enable: 6, delete: 15, preserve: 6, cancel: 15 } as const;

const within = { scope: 'project', project_id: PATH_PROJECT };

export class Targets {
  #serial = 0;

  /** New ones for a client, in the place of all that there were when `fresh`. */
  async prepare(db: Db, clients: number): Promise<Target[][]> {
    const lists = Array.from({ length: clients }, () => this.#make());
    const all = lists.flat();
    const writeConcern = { w: 'majority' } as const;
    for (const name of ['schedules', 'tasks'] as const) {
      const own = all.filter(({ collection }) => collection === name);
      const documents = own.map(({ document }) => document as never);
      // Ids grow. Where the answer to this is lost the server may come to it late, when newer ones are there.
      const older = { $lt: own[0]!.document._id as never };
      await db.collection(name).deleteMany({ folder: MARK, _id: older }, { writeConcern });
      await db.collection(name).insertMany(documents, { writeConcern });
    }
    return lists;
  }

  #make(): Target[] {
    return Object.entries(EACH).flatMap(([how, count]) =>
      Array.from({ length: count }, () => this.#one(how as Target['how'])),
    );
  }

  #one(how: Target['how']): Target {
    const n = ++this.#serial;
    const id = `${how === 'delete' || how === 'enable' ? '5c4ed01e' : '7a5c0000'}-0000-4000-8000-${String(n).padStart(12, '0')}`;
    if (how === 'enable' || how === 'delete') {
      const document = { _id: id, ...within, folder: MARK, enabled: false, task_name: 'changed' };
      return { collection: 'schedules', id, how, on: false, document };
    }
    const state = { status: 'STARTED', preserve: false, name: 'changed' };
    const document = { _id: 10_000 + n, task_id: id, ...within, folder: MARK, ...state };
    return { collection: 'tasks', id, how, on: false, document };
  }
}

/** Marks the documents that are changed here. */
const MARK = 'changed by clients';

/** The next change to this target. */
export function planned({ collection, id, how, on, document }: Target): Planned {
  const change = (after: Change['after']): Change => ({
    requestId: randomUUID(),
    collection,
    id: document._id,
    after,
  });
  const search = searchFor(collection, id);
  switch (how) {
    case 'enable':
      return {
        method: 'PATCH',
        path: `/api/v2/admin/schedules/${id}`,
        body: { enabled: !on },
        change: change(['enabled', !on]),
        search,
      };
    case 'delete':
      return {
        method: 'DELETE',
        path: `/api/v2/admin/schedules/${id}`,
        change: change(undefined),
        search,
      };
    case 'preserve':
      return {
        method: 'PUT',
        path: `/api/v2/projects/${PATH_PROJECT}/tasks/${id}/preserve`,
        body: { preserve: !on },
        change: change(['preserve', !on]),
        search,
      };
    case 'cancel':
      return {
        method: 'POST',
        path: `/api/v2/tasks/${id}/cancel`,
        change: change(['status', 'REVOKED']),
        search,
      };
  }
}

/** Whether the target can be changed again after it has been. */
export const lasts = ({ how }: Target): boolean => how === 'enable' || how === 'preserve';

export type { Target };

function searchFor(collection: string, id: string): GeneratedRequest {
  const filters = collection === 'schedules' ? { schedule_id: id } : { task_id: id };
  return { view: `admin ${collection}`, caller: 1, filters, pagination: {}, sorting: {} };
}
