/** The routing keys that searches take, with their meanings. */

import { jsonAnswer } from '../../../serve/description.ts';
import type { Route } from '../../../serve/route.ts';
import { fullObject, type JsonSchema } from '../../../tables/definition/jsonSchema.ts';
import { SCOPES } from '../resources/scope.ts';
import type { TaskCatalogue } from '../resources/taskTypes.ts';

const TEXT: JsonSchema = { type: 'string' };
const KEYS: JsonSchema = {
  type: 'array',
  items: fullObject({
    routing_key: TEXT,
    task_type: TEXT,
    task_name: TEXT,
    label: TEXT,
    scopes: { type: 'array', items: { enum: SCOPES } },
  }),
};

export function routingKeyRoutes(catalogue: TaskCatalogue): Route[] {
  const data = catalogue.types.map(({ routingKey, value, taskName, label, scopes }) => ({
    routing_key: routingKey,
    task_type: value,
    task_name: taskName,
    label,
    scopes,
  }));
  return [
    {
      method: 'GET',
      path: '/api/v2/tasks/routing-keys',
      permission: 'user',
      cost: 'reads',
      description: {
        id: 'listRoutingKeys',
        group: 'Tasks',
        summary: 'List the task types and their routing keys',
        answers: { 200: jsonAnswer('All task types.', fullObject({ data: KEYS })) },
      },
      handle(ctx) {
        ctx.body = { data };
      },
    },
  ];
}
