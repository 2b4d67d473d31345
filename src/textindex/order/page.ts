/** Finds the hits that stand on a page. */
import type { PageRequest } from '../api.ts';

/** Ranks of hits from `first` up to, not including, `end`, counted in ascending order. */
export interface Ranks {
  readonly first: number;
  readonly end: number;
}

/** The ranks of a page's hits. */
export interface PageBounds extends Ranks {
  /** The page after clamping, 1-based. */
  readonly page: number;
}

/** A page below 1 counts as 1, one past the end as the last; without hits there is page 1, empty. */
export function pageBounds(
  total: number,
  request: Pick<PageRequest, 'page' | 'perPage'>,
): PageBounds {
  const perPage = Math.max(1, request.perPage);
  const pages = Math.max(1, Math.ceil(total / perPage));
  const page = Math.min(Math.max(1, request.page), pages);
  const first = (page - 1) * perPage;
  return { page, first, end: Math.min(total, first + perPage) };
}
