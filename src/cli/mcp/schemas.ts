/** The input of `search` besides its table: the members of a body, loose where tables differ. */

export interface Schema {
  readonly [keyword: string]: unknown;
}

const NAME: Schema = { type: 'string' };

const BOUND: Schema = { type: ['string', 'number'] };

const CONDITION: Readonly<Record<string, Schema>> = {
  field: NAME,
  in: { type: 'array' },
  not_in: { type: 'array' },
  from: BOUND,
  to: BOUND,
  contains: NAME,
  not_contains: NAME,
  text: NAME,
  not_text: NAME,
};

const listOf = (properties: Readonly<Record<string, Schema>>): Schema => ({
  type: 'array',
  items: { type: 'object', properties, additionalProperties: false },
});

const CONDITIONS = listOf({ ...CONDITION, any: listOf(CONDITION) });

export const SEARCH_INPUT: Readonly<Record<string, Schema>> = {
  filters: { type: 'object', description: 'The filters of the table by name.' },
  select: {
    ...CONDITIONS,
    description:
      'Conditions: a field with in, not_in, contains, not_contains or from/to (from included, to ' +
      'excluded); or text or not_text, which look where q does; or any, of which one holds.',
  },
  baseline: {
    ...CONDITIONS,
    description: 'Conditions: facets are counted once more with these in place of select.',
  },
  facets: {
    type: 'array',
    description:
      'Counts by value. contains keeps values with this text; by splits them by another facet field; ' +
      'order lift, with a baseline, lists what is over-represented first.',
    items: {
      type: 'object',
      properties: {
        field: NAME,
        limit: { type: 'integer', minimum: 1, maximum: 1_000 },
        contains: NAME,
        by: NAME,
        order: { enum: ['count', 'value', 'lift'] },
        min_count: { type: 'integer', minimum: 1 },
      },
      required: ['field'],
      additionalProperties: false,
    },
  },
  histogram: {
    type: 'object',
    description: 'Counts by time. by splits them by a facet field.',
    properties: {
      field: NAME,
      interval: {
        enum: ['auto', 'PT1M', 'PT5M', 'PT15M', 'PT1H', 'PT6H', 'P1D', 'P1W', 'P1M', 'P1Y'],
      },
      time_zone: { type: 'string', description: 'IANA name, UTC by default' },
      from: NAME,
      to: NAME,
      by: NAME,
      max_buckets: { type: 'integer', minimum: 1, maximum: 500 },
    },
    required: ['field'],
    additionalProperties: false,
  },
  sorting: {
    type: 'object',
    properties: { sort_by: NAME, sort_order: { enum: ['asc', 'desc'] } },
    additionalProperties: false,
  },
  pagination: {
    type: 'object',
    description: 'Page 1 of 10 rows by default.',
    properties: {
      page: { type: 'integer', minimum: 1 },
      per_page: { type: 'integer', minimum: 1 },
    },
    additionalProperties: false,
  },
};
