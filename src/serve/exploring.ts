/** The answer of one explore, as its body asks for it: for a request, and for those who watch it. */

import type { Resource } from '../tables/definition/definition.ts';
import { type SearchView, shownRows, type Viewer } from '../tables/definition/view.ts';
import { type ExploreBody, parseExplore } from '../tables/explore/body.ts';
import { withLabels } from '../tables/explore/counts.ts';
import type { RecordJson } from './answer/recordJson.ts';
import type { ExploreAnswers } from './live/watchedExplore.ts';
import { metaText } from './searching.ts';

export function exploreAnswers<R extends Resource, K extends string>(
  view: SearchView<R, K>,
  body: ExploreBody<R, K>,
  viewer: Viewer,
  records: RecordJson,
): ExploreAnswers {
  return {
    view: view as unknown as SearchView,
    key: JSON.stringify([numberOf(view), shownRows(view, viewer), body], withIntegers),
    parse: (settings) => parseExplore(view, body, viewer, settings),
    page(answer, parsed, { labels }) {
      const { facets = [], histogram, stats } = answer.counts ?? {};
      const labelled = body.facets && withLabels(view.resource, facets, labels);
      const { appliedSelect, appliedSorting } = parsed;
      const more =
        `,"applied_sorting":${JSON.stringify(appliedSorting)}` +
        `,"applied_select":${JSON.stringify(appliedSelect)}`;
      return {
        ...{ answer, records },
        context: { labels, options: parsed.options },
        after:
          (labelled ? `"facets":${JSON.stringify(labelled)},` : '') +
          (histogram ? `"histogram":${JSON.stringify(histogram)},` : '') +
          (body.stats ? `"stats":${JSON.stringify(stats)},` : '') +
          `"meta":${metaText(answer, parsed, more)}}`,
      };
    },
  };
}

/** A row's claim may be an integer that no double holds, which JSON has no form for. */
const withIntegers = (_: string, value: unknown) =>
  typeof value === 'bigint' ? { integer: String(value) } : value;

/** Two views of one table can have one name, but show different fields. */
const numbers = new WeakMap<object, number>();
let views = 0;

function numberOf(view: object): number {
  const number = numbers.get(view) ?? ++views;
  numbers.set(view, number);
  return number;
}
