/**
 * The timed explores over the store's tasks: bodies of requests, each a new draw, and the same
 * questions for the peers.
 */
import { randomFrom } from '../../test/worlds/random.ts';
import type { CountQuestion } from '../peers/counting.ts';
import { PER_PAGE } from '../peers/counting.ts';
import { questionClasses } from '../questions.ts';
import type { Sample } from '../sample.ts';
import type { ClassOf, Measure, Share } from './classes.ts';

export interface ExploreBody {
  readonly filters: {
    readonly q?: string;
    readonly project_id?: string;
    readonly routing_keys?: readonly string[];
  };
  readonly select?: readonly {
    readonly field: string;
    readonly in?: readonly string[];
    readonly not_in?: readonly string[];
  }[];
  readonly facets?: readonly { readonly field: string }[];
  readonly histogram?: {
    readonly field: string;
    readonly interval: 'auto';
    readonly by?: string;
  };
  readonly sorting: { readonly sort_by: string; readonly sort_order: 'desc' };
  readonly pagination: { readonly per_page: number };
}

const FEW = ['status', 'scope', 'task_type'];
const MANY = ['user_email', 'project_id'];
const DATES = ['date_queued', 'date_started', 'date_done'];
const PAGE_FACETS = ['status', 'worker', 'task_type', 'scope', 'project_id', 'user_email'];
const KEYS = ['generate_data', 'anonymize_data', 'validate_model', 'import_schema'];
const ENDED = ['REVOKED', 'STARTED', 'PENDING', 'RETRY'];

export function storeClasses(sample: Sample, seed: number): ClassOf<ExploreBody>[] {
  const next = randomFrom(seed);
  const pick = <T>(list: readonly T[]) => list[Math.floor(next() * list.length)]!;
  const texts = questionClasses(sample, seed + 1).map(({ draw }) => draw);
  const ask = (
    filters: ExploreBody['filters'],
    more: Partial<ExploreBody>,
    sort_by = 'id',
  ): ExploreBody => ({
    filters,
    ...more,
    sorting: { sort_by, sort_order: 'desc' },
    pagination: { per_page: PER_PAGE },
  });
  const sets: Readonly<Partial<Record<Share, () => ExploreBody['filters']>>> = {
    'all rows': () => ({}),
    '10 %': () => ({ routing_keys: [`service.${pick(KEYS)}`] }),
    'under 1,000': () => ({ project_id: pick(sample.projects).identifier }),
  };
  const classes: ClassOf<ExploreBody>[] = [];
  for (const [share, filters] of Object.entries(sets) as [Share, () => ExploreBody['filters']][]) {
    const add = (measure: Measure, of: string, more: Partial<ExploreBody>) =>
      classes.push({
        ...{ name: `${measure}: ${of}, ${share}`, measure, share },
        draw: () => ask(filters(), more),
      });
    for (const field of FEW) add('facet of few values', field, { facets: [{ field }] });
    for (const field of MANY) add('facet of many values', field, { facets: [{ field }] });
    for (const field of DATES) add('histogram', field, { histogram: { field, interval: 'auto' } });
  }
  const text = (): string => {
    for (;;) {
      const { search, body } = pick(texts)();
      if (search === 'admin tasks' && typeof body.filters?.q === 'string') return body.filters.q;
    }
  };
  const page = () =>
    ask(
      { q: text() },
      {
        select: [
          { field: 'status', in: ['FAILURE', pick(ENDED)] },
          { field: 'worker', not_in: [`worker-0${1 + Math.floor(next() * 9)}`] },
        ],
        facets: PAGE_FACETS.map((field) => ({ field })),
        histogram: { field: 'date_queued', interval: 'auto', by: 'status' },
      },
      'date_queued',
    );
  const own = { name: "the web UI's own question", measure: 'page', share: 'all rows' } as const;
  classes.push({ ...own, draw: page });
  return classes;
}

/** Emails are counted as they are stored. */
const columnOf = (field: string) => (field === 'user_email' ? 'email' : field);

/** `buckets`: those of the index's answer. */
export function countQuestion(
  { filters, select = [], facets = [], histogram, sorting }: ExploreBody,
  fold: (text: string) => string,
  buckets: readonly { readonly start: string; readonly end: string }[],
): CountQuestion {
  const { q = '', project_id, routing_keys } = filters;
  const among = (column: string, values: readonly string[]) => [
    { column, op: 'in' as const, values },
  ];
  return {
    text: fold(q.trim()),
    equals: [
      ...(project_id === undefined ? [] : among('project_id', [project_id])),
      ...(routing_keys === undefined ? [] : among('routing_key', routing_keys)),
    ],
    conditions: select.map((one) => ({
      column: columnOf(one.field),
      op: one.in ? 'in' : 'not_in',
      values: one.in ?? one.not_in ?? [],
    })),
    facets: facets.map(({ field }) => columnOf(field)),
    ...(histogram && {
      histogram: {
        column: histogram.field,
        edges: edgesOf(buckets),
        ...(histogram.by !== undefined && { by: columnOf(histogram.by) }),
      },
    }),
    sortBy: sorting.sort_by,
  };
}

function edgesOf(buckets: readonly { readonly start: string; readonly end: string }[]) {
  const starts = buckets.map(({ start }) => Date.parse(start));
  return buckets.length === 0 ? [] : [...starts, Date.parse(buckets.at(-1)!.end)];
}
