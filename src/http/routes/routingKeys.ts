/** The routing keys that searches take, with what they stand for. */
import type { TaskCatalogue } from '../../resources/taskTypes.ts';
import type { Route } from '../route.ts';

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
      body: 'none',
      query: {},
      handle(ctx) {
        ctx.body = { data };
      },
    },
  ];
}
