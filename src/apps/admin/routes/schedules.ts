/** Schedules: delete, and switch on or off, on each of the three paths a schedule has. */
import { nothingHere } from '../../../serve/auth/refusals.ts';
import { type Description, jsonAnswer } from '../../../serve/description.ts';
import { oneOf, readQuery } from '../../../serve/request/queryParameters.ts';
import type { Permission, Route, RouteContext } from '../../../serve/route.ts';
import { recordType } from '../../../serve/searching.ts';
import { fullObject } from '../../../tables/definition/jsonSchema.ts';
import { present, type RecordContext } from '../../../tables/definition/record.ts';
import { compileSchema } from '../../../tables/query/schema.ts';
import { CHANGED, callerOf } from '../../changes/caller.ts';
import type { Changes } from '../../changes/changes.ts';
import { removeSchedule, type ScheduleAddress, setEnabled } from '../manage/schedules.ts';
import { schedules } from '../resources/schedules.ts';
import { SCOPES } from '../resources/scope.ts';

const QUERY = { scope: oneOf(SCOPES, 'Expected scope; a schedule of another scope is 404.') };

const PATHS: readonly (readonly [path: string, permission: Permission, name: string])[] = [
  ['/api/v2/admin/schedules/:schedule_id', 'admin', 'AnySchedule'],
  ['/api/v2/admin/projects/:project_id/schedules/:schedule_id', 'admin', 'ScheduleOfAnyProject'],
  ['/api/v2/projects/:project_id/schedules/:schedule_id', 'path', 'ScheduleOfProject'],
];

const validateChange = compileSchema<{ readonly enabled: boolean }>({
  title: 'ScheduleChange',
  ...fullObject({ enabled: { type: 'boolean' } }),
});

export function scheduleRoutes(changes: Changes, context: RecordContext): Route[] {
  const remove = async (ctx: RouteContext) => {
    const isGone = await removeSchedule(changes, callerOf(ctx), addressOf(ctx), context);
    if (!isGone) throw nothingHere();
    ctx.status = 204;
  };
  const change = async (ctx: RouteContext) => {
    const { enabled } = validateChange(ctx.request.body);
    const row = await setEnabled(changes, callerOf(ctx), addressOf(ctx), enabled);
    if (row === undefined) throw nothingHere();
    ctx.body = present(schedules.record, row, context);
  };
  return PATHS.flatMap(([path, permission, name]): Route[] => {
    const query = path.includes(':project_id') ? {} : QUERY;
    return [
      {
        method: 'DELETE',
        path,
        permission,
        cost: 'change',
        query,
        description: describeRemoval(name),
        handle: remove,
      },
      {
        method: 'PATCH',
        path,
        permission,
        cost: 'change',
        body: 'json',
        query,
        description: describeChange(name),
        handle: change,
      },
    ];
  });
}

const describeRemoval = (name: string): Description => ({
  id: `delete${name}`,
  group: 'Schedules',
  summary: 'Delete a schedule',
  answers: { 204: { text: 'The schedule is deleted.', headers: CHANGED } },
});

const describeChange = (name: string): Description => ({
  id: `switch${name}`,
  group: 'Schedules',
  summary: 'Enable or disable a schedule',
  request: { schema: validateChange.schema, examples: { 'Disable it': { enabled: false } } },
  answers: { 200: jsonAnswer('The schedule as it is now.', recordType(schedules), CHANGED) },
});

/** On a path of a project the project says which scope; elsewhere the query may. */
function addressOf(ctx: RouteContext): ScheduleAddress {
  const { schedule_id, project_id } = ctx.params;
  const scheduleId = schedule_id!;
  if (project_id !== undefined) return { scheduleId, projectId: project_id };
  return { scheduleId, ...readQuery(ctx, QUERY) };
}
