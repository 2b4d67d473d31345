/** The input of `search` besides its table: the members of a body, loose where tables differ. */

export interface Schema {
  readonly [keyword: string]: unknown;
}

const NAME: Schema = { type: 'string' };

const BOUND: Schema = { type: ['string', 'number'] };

export const SEARCH_INPUT: Readonly<Record<string, Schema>> = {
  filters: { type: 'object', description: 'The filters of the table by name.' },
  select: {
    type: 'array',
    description: 'Conditions: exactly one of in, not_in and from/to (from included, to excluded).',
    items: {
      type: 'object',
      properties: {
        field: NAME,
        in: { type: 'array' },
        not_in: { type: 'array' },
        from: BOUND,
        to: BOUND,
      },
      required: ['field'],
      additionalProperties: false,
    },
  },
  facets: {
    type: 'array',
    description: 'Counts by value. contains keeps values with this text.',
    items: {
      type: 'object',
      properties: {
        field: NAME,
        limit: { type: 'integer', minimum: 1, maximum: 1_000 },
        contains: NAME,
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
