/** The search routes: validate, one call, present. */
import { parseSearch } from '../../query/parse.ts';
import { compileBody } from '../../query/schema.ts';
import type { Resource } from '../../resources/definition.ts';
import type { SearchView } from '../../resources/views.ts';
import { RecordJson } from '../recordJson.ts';
import type { Permission, Route } from '../route.ts';
import { metaOf, type SearchServices, searchHeaders, visibilityOf } from '../searching.ts';

/** `POST` of a view at this path. */
export function searchRoute<R extends Resource, K extends string>(
  path: string,
  permission: Permission,
  view: SearchView<R, K>,
  { search, parseSettings }: SearchServices,
): Route {
  const validate = compileBody(view);
  const records = new RecordJson(view.resource.record);
  return {
    method: 'POST',
    path,
    permission,
    cost: 'search',
    body: 'json',
    query: 'ignored',
    async handle(ctx) {
      const started = performance.now();
      const body = validate(ctx.request.body);
      const settings = await parseSettings(ctx.state.deadline);
      const parsed = parseSearch(view, body, visibilityOf(view, ctx), settings);
      const planMs = performance.now() - started;
      const answer = await search.run(parsed.plan, ctx.state.deadline, ctx.state.holdings.caller);
      const context = { catalogue: settings.catalogue, options: parsed.options };
      ctx.state.search = { view: view.name, route: answer.route };
      ctx.set(searchHeaders(answer, planMs, ctx.state.principal));
      ctx.type = 'application/json';
      ctx.body = await records.answer(answer.rows, context, { meta: metaOf(answer, parsed) });
    },
  };
}
