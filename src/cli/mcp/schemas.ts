/**
 * The input of `search` besides its table: the members of a body. Words describe
 * the contents, since tables differ. The service checks them, and its errors name fitting ones.
 */
export interface Schema {
  readonly [keyword: string]: unknown;
}

const objects = (description: string): Schema => ({
  ...{ type: 'array', items: { type: 'object' } },
  description,
});
const object = (description: string): Schema => ({ type: 'object', description });

export const SEARCH_INPUT: Readonly<Record<string, Schema>> = {
  filters: object('The filters of the table by name.'),
  select: objects(
    'Conditions: {field, in: [values]}, {field, not_in: [values]}, {field, contains: text}, ' +
      '{field, not_contains: text}, {field, from, to} (from included, to excluded), {text} or {not_text}, ' +
      'which look where q does, or {any: [conditions]}, of which one holds.',
  ),
  baseline: objects('Conditions: facets are counted once more with these in place of select.'),
  facets: objects(
    'Counts by value: {field, limit (1 to 1000), contains, by, order, min_count}. contains keeps values with ' +
      'this text; by splits them by another facet field; order is count, value or, with a baseline, lift, ' +
      'which lists what is over-represented first.',
  ),
  histogram: object(
    'Counts by time: {field, interval, time_zone, from, to, by, min_buckets, max_buckets (1 to 500)}. interval is ' +
      'auto or a length such as PT1M, PT1H, P1D, P4D, P1W, P1M or P1Y; time_zone an IANA name, UTC by default; by ' +
      'splits counts by a facet field.',
  ),
  sorting: object('{sort_by, sort_order: asc or desc}'),
  pagination: object('{page, per_page}: page 1 of 10 rows by default.'),
};
