/** Changes to schedules: removing one, switching one on or off. */

import { indexOn } from '../../../store/indexes.ts';
import { type JoinedRow, present, type RecordContext } from '../../../tables/definition/record.ts';
import type { Author, Changes, Which } from '../../changes/changes.ts';
import { COLLECTIONS, type ScheduleDocument } from '../documents.ts';
import { schedules } from '../resources/schedules.ts';
import type { Scope } from '../resources/scope.ts';

/** Addresses a schedule; a schedule that contradicts a given member counts as absent. */
export interface ScheduleAddress {
  readonly scheduleId: string;
  /** Only a schedule of scope `project` that belongs to this project. */
  readonly projectId?: string | undefined;
  readonly scope?: Scope | undefined;
}

/** Whether such a schedule existed; it is gone now. */
export function removeSchedule(
  changes: Changes,
  caller: Author,
  address: ScheduleAddress,
  context: RecordContext,
): Promise<boolean> {
  return changes.run(caller, async (change) => {
    const removed = await change.remove<ScheduleDocument>(COLLECTIONS.schedules, which(address));
    if (removed === null) return false;
    await change.audit({
      action: 'schedule.delete',
      target_type: 'schedule',
      target_id: address.scheduleId,
      before: kept(removed, context),
      after: null,
    });
    return true;
  });
}

/** The schedule after the change; undefined when there is none. */
export function setEnabled(
  changes: Changes,
  caller: Author,
  address: ScheduleAddress,
  enabled: boolean,
): Promise<JoinedRow | undefined> {
  const action = enabled ? 'schedule.enable' : 'schedule.disable';
  const record = { action, target_type: 'schedule', target_id: address.scheduleId } as const;
  return changes.run(caller, (change) =>
    change.setFlag(schedules, which(address), { enabled }, record),
  );
}

/**
 * The schedule for the record of its deletion, as clients saw it. Its arguments are left out in
 * every scope, for the record outlives the rules that kept them inside. The project's name is
 * left out because it is the project's.
 */
function kept(document: ScheduleDocument, context: RecordContext) {
  const row = { document: document as unknown as JoinedRow['document'], joined: {} };
  const { project_name: _, task_args: __, ...kept } = present(schedules.record, row, context);
  return kept;
}

/**
 * Within a project the index on `project_id` finds the schedule. A search by `_id` alone would
 * fetch another project's document to see whose it is, and the time would reveal that it exists.
 */
function which({ scheduleId, projectId, scope }: ScheduleAddress): Which {
  const filter = { _id: scheduleId, ...(scope !== undefined && { scope }) };
  if (projectId === undefined) return { filter };
  return {
    filter: { ...filter, scope: 'project', project_id: projectId },
    hint: indexOn(schedules.indexes, 'project_id'),
  };
}
