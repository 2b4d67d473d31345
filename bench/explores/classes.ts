/**
 * The classes of explores that are timed: one facet, or one histogram, of sets of all sizes, and what
 * a page of tasks asks at once.
 */
import type { ExploreRequest, FacetRequest, HistogramRequest } from '../../src/textindex/api.ts';
import { randomFrom } from '../../test/worlds/random.ts';
import type { World } from '../../test/worlds/tasks.ts';
import { equals, queryClasses } from '../textindex/queries.ts';

/** The counts, and the shares of rows that they are of: bars are for these. */
export type Measure =
  | 'facet of few values'
  | 'facet of many values'
  | 'facet of 300,000 values'
  | 'histogram'
  | 'facets'
  | 'facets against a baseline'
  | 'sort'
  | 'stats'
  | 'page';
export type Share = 'all rows' | '10 %' | '1 %' | 'under 1,000';

export interface ExploreTimes {
  readonly name: string;
  readonly measure: Measure;
  readonly share: Share;
  /** How the dates of rows lie, or that columns have no order. */
  readonly shape:
    | 'dates follow the rows'
    | 'dates at random'
    | 'columns without an order'
    | 'as the store has them';
  /** Median of the totals. */
  readonly hits: number;
  readonly p50: number;
  readonly p99: number;
  readonly peers: Readonly<Record<string, { readonly p50: number; readonly asked: number }>>;
}

export interface ClassOf<Q> {
  readonly name: string;
  readonly measure: Measure;
  readonly share: Share;
  readonly draw: () => Q;
}

/** Times as many of the web UI's own question are timed: a p99 of few is the slowest of all. */
const PAGE_DRAWS = 10;

/** How many explores of a class are timed, where `draws` of the others are. */
export const drawsOf = ({ measure }: ClassOf<unknown>, draws: number): number =>
  measure === 'page' ? draws * PAGE_DRAWS : draws;

const BUCKETS = 60;
const PAGE_FACETS = ['status', 'worker', 'task_type', 'scope', 'project_id', 'user_email'];

/** Sixty buckets of one length. */
function sixty(first?: number, last?: number): readonly number[] {
  if (first === undefined || last === undefined) return [];
  const length = Math.ceil((last - first + 1) / BUCKETS);
  return Array.from({ length: BUCKETS + 1 }, (_, i) => first + i * length);
}

const facet = (column: string, limit = 10): FacetRequest => ({ column, limit });
const byTime = (column: string, by?: string): HistogramRequest => ({
  column,
  boundaries: sixty,
  ...(by !== undefined && { by: { column: by, limit: 10 } }),
});

/** `idOf`: the UUID of some task, by any number. */
export function exploreClasses(
  world: World,
  idOf: (n: number) => string,
  seed: number,
): ClassOf<ExploreRequest>[] {
  const next = randomFrom(seed);
  const sampleId = () => idOf(Math.floor(next() * 1e6));
  const pick = <T>(list: readonly T[]) => list[Math.floor(next() * list.length)]!;
  const few = ['status', 'scope', 'task_type', 'preserve'];
  const many = ['user_email', 'project_id'];
  const dates = ['date_queued', 'date_started', 'date_done'];
  const rare = () => world.projects[1000 + Math.floor(next() * 1000)]!.id;
  const sets: Readonly<Partial<Record<Share, () => ExploreRequest['where']>>> = {
    'all rows': () => ({ op: 'all' }),
    '10 %': () => equals('scope', 'system', 'backup_infrastructure'),
    'under 1,000': () => equals('project_id', rare()),
  };
  const searches = queryClasses(world, sampleId, seed).filter(({ name }) => !name.includes('page'));
  const ask = (where: ExploreRequest['where'], more: Partial<ExploreRequest>): ExploreRequest => ({
    where,
    sortBy: 'id',
    descending: true,
    page: 1,
    perPage: 25,
    conditions: [],
    facets: [],
    ...more,
  });
  const classes: ClassOf<ExploreRequest>[] = [];
  for (const [share, where] of Object.entries(sets) as [Share, () => ExploreRequest['where']][]) {
    const add = (measure: Measure, of: string, more: Partial<ExploreRequest>) =>
      classes.push({
        ...{ name: `${measure}: ${of}, ${share}`, measure, share },
        draw: () => ask(where(), more),
      });
    for (const column of few) add('facet of few values', column, { facets: [facet(column)] });
    for (const column of many) add('facet of many values', column, { facets: [facet(column)] });
    for (const column of dates) add('histogram', column, { histogram: byTime(column) });
    // The question of the page that compares failed tasks with all tasks.
    const failed = [{ op: 'in', column: 'status', values: ['FAILURE'] }] as const;
    const all = PAGE_FACETS.map((column) => facet(column));
    add('facets', 'six', { conditions: failed, facets: all });
    const order = { by: 'lift', minCount: 5 } as const;
    const facets = all.map((one) => ({ ...one, order }));
    add('facets against a baseline', 'six', { conditions: failed, baseline: [], facets });
  }
  const page = (where: ExploreRequest['where']) =>
    ask(where, {
      sortBy: 'date_queued',
      conditions: [
        { op: 'in', column: 'status', values: ['FAILURE', pick(['REVOKED', 'STARTED'])] },
        { op: 'not', of: { op: 'in', column: 'worker', values: [pick(world.workers)] } },
      ],
      facets: PAGE_FACETS.map((column) => facet(column)),
      histogram: byTime('date_queued', 'status'),
    });
  classes.push({
    ...{ name: "the web UI's own question", measure: 'page', share: 'all rows' },
    draw: () => page(pick(searches).draw().where),
  });
  return classes;
}
