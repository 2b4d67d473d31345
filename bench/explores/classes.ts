/**
 * The classes of explores that are timed: one facet, or one histogram, of sets of all sizes, and what
 * a page of tasks asks at once.
 */
import type { ExploreRequest, FacetRequest, HistogramRequest } from '../../src/textindex/api.ts';
import { randomFrom } from '../../test/worlds/random.ts';
import type { World } from '../../test/worlds/tasks.ts';
import { admin, equals, q, queryClasses } from '../textindex/queries.ts';

interface ExploreClass {
  readonly name: string;
  readonly draw: () => ExploreRequest;
}

const BUCKETS = 60;

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
): ExploreClass[] {
  const next = randomFrom(seed);
  const sampleId = () => idOf(Math.floor(next() * 1e6));
  const pick = <T>(list: readonly T[]) => list[Math.floor(next() * list.length)]!;
  const few = ['status', 'scope', 'task_type', 'preserve'];
  const many = ['user_email', 'project_id'];
  const dates = ['date_queued', 'date_started', 'date_done'];
  const rare = () => world.projects[1000 + Math.floor(next() * 1000)]!.id;
  const sets = {
    'all rows': () => ({ op: 'all' }) as const,
    'nearly all': () => admin(),
    'a tenth': () => equals('scope', 'system', 'backup_infrastructure'),
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
  const classes: ExploreClass[] = [];
  for (const [rows, where] of Object.entries(sets)) {
    const add = (name: string, more: () => Partial<ExploreRequest>) =>
      classes.push({ name: `${name}, ${rows}`, draw: () => ask(where(), more()) });
    add('facet of few', () => ({ facets: [facet(pick(few))] }));
    add('facet of many', () => ({ facets: [facet(pick(many))] }));
    add('histogram', () => ({ histogram: byTime(pick(dates)) }));
    add('histogram by status', () => ({ histogram: byTime(pick(dates), 'status') }));
  }
  const page = (where: ExploreRequest['where']) =>
    ask(where, {
      sortBy: 'date_queued',
      conditions: [
        { op: 'in', column: 'status', values: ['FAILURE', pick(['REVOKED', 'STARTED'])] },
        { op: 'not_in', column: 'worker', values: [pick(world.workers)] },
      ],
      facets: ['status', 'worker', 'task_type', 'scope', 'project_id', 'user_email'].map((column) =>
        facet(column),
      ),
      histogram: byTime('date_queued', 'status'),
    });
  classes.push(
    { name: "the page's own question", draw: () => page(pick(searches).draw().where) },
    { name: "the page's own question, no q", draw: () => page(admin()) },
    { name: "the page's own question, 1 letter", draw: () => page(admin(q(pick([...'aeiorst'])))) },
  );
  return classes;
}
