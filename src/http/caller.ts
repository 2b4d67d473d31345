/** Who makes a change, and in which request, as the audit record tells it. */
import type { Author } from '../manage/changes.ts';
import type { RouteContext } from './route.ts';

export function callerOf({ state }: Pick<RouteContext, 'state'>): Author {
  return { userId: state.principal.userId, requestId: state.requestId, deadline: state.deadline };
}
