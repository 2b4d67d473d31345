/** The answer of one explore, as its body asks for it: for a request, and for those who watch it. */
import { type ExploreBody, parseExplore } from '../query/explore/body.ts';
import { withTypeLabels } from '../query/explore/counts.ts';
import type { Visibility } from '../query/parse.ts';
import type { Resource } from '../resources/definition.ts';
import type { SearchView } from '../resources/views.ts';
import type { ExploreAnswers } from './live/watchedExplore.ts';
import type { RecordJson } from './recordJson.ts';
import { metaText } from './searching.ts';

export function exploreAnswers<R extends Resource, K extends string>(
  view: SearchView<R, K>,
  body: ExploreBody<R, K>,
  visibility: Visibility,
  records: RecordJson,
): ExploreAnswers {
  return {
    view: view as unknown as SearchView,
    key: JSON.stringify([view.name, visibility, body]),
    parse: (settings) => parseExplore(view, body, visibility, settings),
    page(answer, parsed, { catalogue }) {
      const { facets = [], histogram } = answer.counts ?? {};
      const labelled = body.facets && withTypeLabels(view.resource, facets, catalogue);
      const more = `,"applied_select":${JSON.stringify(parsed.appliedSelect)}`;
      return {
        ...{ answer, records },
        context: { catalogue, options: parsed.options },
        after:
          (labelled ? `"facets":${JSON.stringify(labelled)},` : '') +
          (histogram ? `"histogram":${JSON.stringify(histogram)},` : '') +
          `"meta":${metaText(answer, parsed, more)}}`,
      };
    },
  };
}
