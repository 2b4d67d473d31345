/**
 * The classes of timed searches. Each is a function that draws one at random, in the task search's
 * form: scope, filters, and `q` as an `or` over ten columns, a label and types.
 */
import type { PageRequest, Query } from '../../src/textindex/api.ts';
import { randomFrom } from '../../test/worlds/random.ts';
import { LABELS, TYPES, type World } from '../../test/worlds/tasks.ts';

const contains = (column: string, text: string): Query => ({ op: 'contains', column, text });
export const equals = (column: string, ...values: string[]): Query => ({
  op: 'equals',
  column,
  values,
});
const named = (text: string): Query => ({
  op: 'contains',
  column: 'project_id',
  label: 'project_name',
  text,
});

const TEXTS = 'task_id project_id user_email name routing_key folder worker status exception_type';

/** Free text as the task search takes it. */
function q(text: string): Query {
  const types = TYPES.filter((_, i) => LABELS[i]!.toLowerCase().includes(text.toLowerCase()));
  return {
    op: 'or',
    of: [
      ...TEXTS.split(' ').map((column) => contains(column, text)),
      named(text),
      ...(types.length > 0 ? [equals('task_type', ...types)] : []),
    ],
  };
}

const workers = equals('scope', 'system', 'project');

/** An admin's search. */
function admin(...parts: Query[]): Query {
  return { op: 'and', of: [workers, ...parts] };
}

export interface QueryClass {
  readonly name: string;
  readonly draw: () => PageRequest;
}

/** A task's UUID, for pieces of it. */
export type SampleId = () => string;

const SORTS = ['id', 'date_queued', 'date_started', 'date_done'];

export function queryClasses(world: World, sampleId: SampleId, seed: number): QueryClass[] {
  const next = randomFrom(seed);
  const int = (below: number) => Math.floor(next() * below);
  const pick = <T>(list: readonly T[]) => list[int(list.length)]!;
  const piece = (text: string, length: number) => {
    const from = int(Math.max(1, text.length - length + 1));
    return text.slice(from, from + length);
  };
  const ask = (where: Query, rest: Partial<PageRequest> = {}): PageRequest => ({
    where,
    sortBy: 'id',
    descending: true,
    page: 1,
    perPage: 10,
    ...rest,
  });
  const project = () => pick(world.projects).id;
  const letters = (n: number) =>
    Array.from({ length: n }, () => String.fromCharCode(97 + int(26))).join('');
  const sorted = () => ({ sortBy: pick(SORTS), descending: next() < 0.5 });
  const foreign = [
    'Волков',
    'Москва',
    'ДАННЫЕ',
    'ελένη',
    'straße',
    '田中',
    'さくら',
    'Δεδομενα',
    'özde',
  ];
  const common = ['berlin', 'backup', 'anna', 'weber', 'payments', 'timeout', 'node7', 'failure'];
  const classes: Record<string, () => PageRequest> = {
    'UUID piece of 4': () => ask(admin(q(piece(sampleId(), 4)))),
    'UUID piece of 5 to 8': () => ask(admin(q(piece(sampleId(), 5 + int(4))))),
    'UUID piece of 9 to 12': () => ask(admin(q(piece(sampleId(), 9 + int(4))))),
    'UUID whole': () => ask(admin(q(sampleId()))),
    'email piece, some hits': () => ask(admin(q(piece(pick(world.emails), 12)))),
    'email piece, no hit': () => ask(admin(q(`${letters(4)}.${letters(4)}@`))),
    'common word': () => ask(admin(q(pick(common)))),
    'letters that occur nowhere': () => ask(admin(q(`q${letters(2)}zx`))),
    '1 letter': () => ask(admin(q(pick([...'abcdefghijklmnopqrstuvwxyz0123456789-.@_'])))),
    '2 letters': () => ask(admin(q(letters(2)))),
    '2 hexadecimal digits': () => ask(admin(q(piece(sampleId().replaceAll('-', ''), 2)))),
    '3 letters of a name': () => ask(admin(q(piece(pick(world.emails), 3)))),
    'a piece that all rows have': () => ask(admin(q(pick(['service', 'tasks.', 'vice.ta'])))),
    'other letters than Latin': () => ask(admin(q(pick(foreign)))),
    'no filter': () => ask(admin(), sorted()),
    'no filter at all': () => ask({ op: 'all' }, { ...sorted(), page: 1 + int(100_000) }),
    'sort, few hits': () => ask(admin(q(piece(pick(world.emails), 14))), sorted()),
    'sort, many hits': () => ask(admin(q(pick(common))), sorted()),
    'sort, most hits': () => ask(admin(q(pick(['example', 'success', 'worker']))), sorted()),
    'page 50,000': () => ask(admin(), { ...sorted(), page: 50_000 }),
    'middle page of most hits': () =>
      ask(admin(q('success')), { ...sorted(), page: 20_000 + int(10_000) }),
    'project + q': () =>
      ask({
        op: 'and',
        of: [equals('project_id', project()), equals('scope', 'project'), q(pick(common))],
      }),
    'three filters': () =>
      ask(
        admin(
          equals('project_id', project()),
          contains('user_email', pick(['example.com', 'weber', 'anna'])),
          equals('routing_key', `service.${pick(TYPES)}`),
        ),
      ),
    'email + 2 filters + q': () =>
      ask(
        admin(
          contains('user_email', piece(pick(world.emails), 4)),
          named(pick(['berlin', 'data', 'prime'])),
          equals('routing_key', ...TYPES.slice(0, 6).map((type) => `service.${type}`)),
          q(pick(common)),
        ),
      ),
  };
  return Object.entries(classes).map(([name, draw]) => ({ name, draw }));
}
