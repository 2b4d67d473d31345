/** Schedules: delete, and switch on or off, on each of the three paths a schedule has. */
import { nothingHere } from '../../auth/authenticator.ts';
import type { ScheduleAddress, Schedules } from '../../manage/schedules.ts';
import { compileSchema } from '../../query/schema.ts';
import { present, type RecordContext } from '../../resources/record.ts';
import { schedules as resource } from '../../resources/schedules.ts';
import { SCOPES } from '../../resources/scope.ts';
import { callerOf } from '../caller.ts';
import { oneOf, readQuery } from '../queryParameters.ts';
import type { Permission, Route, RouteContext } from '../route.ts';

const QUERY = { scope: oneOf(SCOPES) };

export interface ScheduleServices {
  readonly schedules: Schedules;
  readonly recordContext: RecordContext;
}

const PATHS: readonly (readonly [path: string, permission: Permission])[] = [
  ['/api/v2/admin/schedules/:schedule_id', 'admin'],
  ['/api/v2/admin/projects/:project_id/schedules/:schedule_id', 'admin'],
  ['/api/v2/projects/:project_id/schedules/:schedule_id', 'project'],
];

const validateChange = compileSchema<{ readonly enabled: boolean }>({
  type: 'object',
  additionalProperties: false,
  required: ['enabled'],
  properties: { enabled: { type: 'boolean' } },
});

export function scheduleRoutes({ schedules, recordContext }: ScheduleServices): Route[] {
  const remove = async (ctx: RouteContext) => {
    if (!(await schedules.remove(callerOf(ctx), addressOf(ctx)))) throw nothingHere();
    ctx.status = 204;
  };
  const change = async (ctx: RouteContext) => {
    const { enabled } = validateChange(ctx.request.body);
    const row = await schedules.setEnabled(callerOf(ctx), addressOf(ctx), enabled);
    if (row === undefined) throw nothingHere();
    ctx.body = present(resource.record, row, recordContext);
  };
  return PATHS.flatMap(([path, permission]): Route[] => {
    const query = path.includes(':project_id') ? {} : QUERY;
    return [
      {
        method: 'DELETE',
        path,
        permission,
        cost: 'change',
        body: 'none',
        query,
        work: 'change',
        handle: remove,
      },
      {
        method: 'PATCH',
        path,
        permission,
        cost: 'change',
        body: 'json',
        query,
        work: 'change',
        handle: change,
      },
    ];
  });
}

/** On a path of a project the project says which scope; elsewhere the query may. */
function addressOf(ctx: RouteContext): ScheduleAddress {
  const { schedule_id, project_id } = ctx.params;
  const scheduleId = schedule_id!;
  if (project_id !== undefined) return { scheduleId, projectId: project_id };
  return { scheduleId, ...readQuery(ctx, QUERY) };
}
