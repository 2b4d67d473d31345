/** The author of a change, and how its answer tells the moment from which the change shows. */

import type { HeaderName } from '../../serve/description.ts';
import type { RouteContext } from '../../serve/route.ts';
import { printTime } from '../../store/clusterTime.ts';
import type { Author } from './changes.ts';

/** Headers of every answer to a change. */
export const CHANGED: readonly HeaderName[] = ['Search-As-Of'];

export function callerOf(ctx: RouteContext): Author {
  const { requestId, deadline, principal, commonHeaders } = ctx.state;
  return {
    ...{ actor: principal.sub, requestId, deadline },
    note(time) {
      const asOf = { 'Search-As-Of': printTime(time) };
      ctx.set(asOf);
      // A refusal has it as well: its statement about a task holds from that moment on.
      Object.assign(commonHeaders, asOf);
    },
  };
}
