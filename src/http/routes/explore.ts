/** The explore routes, beside each search: the search, with conditions and counts. */
import { compileExplore, parseExplore } from '../../query/explore/body.ts';
import { withTypeLabels } from '../../query/explore/counts.ts';
import type { Resource } from '../../resources/definition.ts';
import type { SearchView } from '../../resources/views.ts';
import { RecordJson } from '../recordJson.ts';
import type { Permission, Route } from '../route.ts';
import { metaOf, type SearchServices, searchHeaders, visibilityOf } from '../searching.ts';

/** `POST P/explore` for the search at `path`, with its permission and its view. */
export function exploreRoute<R extends Resource, K extends string>(
  path: string,
  permission: Permission,
  view: SearchView<R, K>,
  { search, parseSettings }: SearchServices,
): Route {
  const validate = compileExplore(view);
  const records = new RecordJson(view.resource.record);
  return {
    method: 'POST',
    path: `${path}/explore`,
    permission,
    cost: 'search',
    body: 'json',
    query: 'ignored',
    async handle(ctx) {
      const started = performance.now();
      const body = validate(ctx.request.body);
      const settings = await parseSettings(ctx.state.deadline);
      const parsed = parseExplore(view, body, visibilityOf(view, ctx), settings);
      const planMs = performance.now() - started;
      const answer = await search.run(parsed.plan, ctx.state.deadline, ctx.state.holdings.caller);
      const context = { catalogue: settings.catalogue, options: parsed.options };
      ctx.state.search = { view: `explore ${view.name}`, route: answer.route };
      ctx.set(searchHeaders(answer, planMs, ctx.state.principal));
      ctx.type = 'application/json';
      const { facets = [], histogram } = answer.counts ?? {};
      ctx.body = await records.answer(answer.rows, context, {
        ...(body.facets && { facets: withTypeLabels(view.resource, facets, context.catalogue) }),
        ...(histogram && { histogram }),
        meta: { ...metaOf(answer, parsed), applied_select: parsed.appliedSelect },
      });
    },
  };
}
