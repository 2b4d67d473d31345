/** The tables as admin frameworks know them: resources whose records have an `id`. */
import type { Client } from '../../clients/typescript/index.ts';
import { type AnyTable, pageOf, type Row, type Value } from './asked.ts';

/** The member that names a record, and the field that it is asked for by. */
const KEYS = {
  tasks: { view: 'adminTasks', member: 'id', field: 'id' },
  schedules: { view: 'adminSchedules', member: 'schedule_id', field: 'schedule_id' },
  users: { view: 'users', member: 'id', field: 'id' },
  projects: { view: 'adminProjects', member: 'identifier', field: 'project_id' },
  audit: { view: 'audit', member: 'id', field: 'id' },
} as const;

export type ResourceName = keyof typeof KEYS;

/** A record as frameworks want it. */
export type Identified = Row & { readonly id: string | number };

export interface Resource {
  readonly table: AnyTable;
  identified(row: Row): Identified;
  /** Those of the records that are there, a page of 100 at a time. */
  named(ids: readonly Value[]): Promise<Identified[]>;
}

/** @throws Error for a name that is none of the tables. */
export function resourceOf(client: Client, name: string): Resource {
  if (!Object.hasOwn(KEYS, name)) {
    throw new Error(`There is no resource ${name}; there are ${Object.keys(KEYS).join(', ')}.`);
  }
  const { view, member, field } = KEYS[name as ResourceName];
  const table: AnyTable = client.table(view);
  const identified = (row: Row) => ({ ...row, id: row[member] as string | number });
  return {
    table,
    identified,
    async named(ids) {
      const found: Identified[] = [];
      for (let at = 0; at < ids.length; at += 100) {
        const wishes = [{ field, in: ids.slice(at, at + 100) }];
        const { rows } = await pageOf(table, { page: 1, perPage: 100, wishes });
        found.push(...rows.map(identified));
      }
      return found;
    },
  };
}

/** The one change that a record takes: a schedule is switched on or off. */
export async function changed(client: Client, name: string, id: string, data: Row): Promise<void> {
  if (name !== 'schedules' || typeof data.enabled !== 'boolean') {
    throw new Error('Schedules can be switched on and off; nothing else can be changed.');
  }
  const { schedules } = client;
  await (data.enabled ? schedules.enable : schedules.disable).call(schedules, { schedule_id: id });
}

export async function removed(client: Client, name: string, id: string): Promise<void> {
  if (name !== 'schedules') throw new Error('Schedules can be deleted; nothing else can.');
  await client.schedules.delete({ schedule_id: id });
}
