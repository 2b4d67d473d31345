/**
 * The classes of questions that are timed, each as a function that draws one at random from what is
 * in the store: always the same ones for the same seed.
 *
 *     sample ──► class: draw() ──► {search: 'admin tasks', body: {filters: {q: '4f2a'}}}
 */
import { randomFrom } from '../test/worlds/random.ts';
import type { Sample } from './sample.ts';
import type { Body, Question } from './searches.ts';

export interface QuestionClass {
  readonly name: string;
  /** p50 that the index must stay under, milliseconds. */
  readonly bar: number;
  readonly draw: () => Question;
}

/** A class with its questions drawn, in the order in which they are asked. */
export interface DrawnClass extends Omit<QuestionClass, 'draw'> {
  readonly questions: readonly Question[];
}

/** Each is in 20k to 150k of a million tasks. */
const COMMON = [
  'backup',
  'anonymize',
  'failure',
  'maritime',
  'worker-03',
  'import',
  'north',
  'rail',
];
/** In most tasks. */
const MOST = ['success', 'example', 'worker-0'];
/** In about 600k of a million tasks. */
const MANY_AND_MORE = 'data';
const SORTS = ['id', 'date_queued', 'date_started', 'date_done'] as const;
const CHARACTERS = [...'abcdefghijklmnopqrstuvwxyz0123456789-._@'];
const KEYS = ['generate_data', 'anonymize_data', 'validate_model', 'import_schema'];

type Project = Sample['projects'][number];

/** Everything that draws share: a random stream and what it picks from. */
class Drawing {
  readonly #next: () => number;
  readonly #sample: Sample;
  /** The caller's project; any where there is none. */
  readonly #home: Project | undefined;

  constructor(sample: Sample, seed: number, home?: Project) {
    this.#sample = sample;
    this.#home = home;
    this.#next = randomFrom(seed);
  }

  below(limit: number): number {
    return Math.floor(this.#next() * limit);
  }

  pick<T>(list: readonly T[]): T {
    return list[this.below(list.length)]!;
  }

  letters(count: number): string {
    return Array.from({ length: count }, () => String.fromCharCode(97 + this.below(26))).join('');
  }

  piece(text: string, length: number): string {
    const letters = [...text];
    const from = this.below(Math.max(1, letters.length - length + 1));
    return letters.slice(from, from + length).join('');
  }

  task() {
    return this.pick(this.#sample.tasks);
  }

  person() {
    return this.pick(this.#sample.people);
  }

  project() {
    return this.pick(this.#sample.projects);
  }

  /** The caller's project, or that of some task: the big ones more often. */
  busyProject(): Project {
    if (this.#home) return this.#home;
    const { project_id } = this.task();
    return this.#sample.projects.find(({ identifier }) => identifier === project_id)!;
  }

  scheduleId(): string {
    return this.pick(this.#sample.scheduleIds);
  }

  /** The last letters of the part before the @: few people share them. */
  rareEmailPiece(): string {
    return this.task().user_email.split('@')[0]!.slice(-9);
  }

  /** A word of a project's name, as a user types it. */
  projectWord(): string {
    const word = this.pick(this.project().name.split(' '));
    return this.below(2) === 0 ? word.toUpperCase() : word;
  }

  order(sort_by: string): NonNullable<Body['sorting']> {
    return { sort_by, sort_order: this.below(2) === 0 ? 'asc' : 'desc' };
  }
}

type Draw = () => Question;

const BAR = 0.3;

/** The classes over the table of tasks, by name, in the order of the table. */
function taskClasses(d: Drawing, sample: Sample): Record<string, Draw> {
  const ask = (filters: Body['filters'], rest: Omit<Body, 'filters'> = {}): Question => ({
    search: 'admin tasks',
    body: { ...(filters && { filters }), ...rest },
  });
  const anyOrder = () => d.order(d.pick(SORTS));
  const twoLetters = () => d.piece(d.task().user_email.split('@')[0]!, 2);
  const pageAt = (share: number) => Math.max(1, Math.round((share * sample.taskCount) / 10));
  const sorted = Object.fromEntries(
    SORTS.flatMap((sort): [string, Draw][] => [
      [`by ${sort}, few hits`, () => ask({ q: d.rareEmailPiece() }, { sorting: d.order(sort) })],
      [`by ${sort}, many hits`, () => ask({ q: d.pick(COMMON) }, { sorting: d.order(sort) })],
      [`by ${sort}, most hits`, () => ask({ q: d.pick(MOST) }, { sorting: d.order(sort) })],
      [`by ${sort}, no filter`, () => ask(undefined, { sorting: d.order(sort) })],
    ]),
  );
  return {
    'UUID piece of 4': () => ask({ q: d.piece(d.task().task_id, 4) }),
    'UUID piece of 5 to 8': () => ask({ q: d.piece(d.task().task_id, 5 + d.below(4)) }),
    'UUID piece of 9 to 12': () => ask({ q: d.piece(d.task().task_id, 9 + d.below(4)) }),
    'whole UUID': () => ask({ q: d.task().task_id }),
    'email piece, some hits': () => ask({ q: d.rareEmailPiece() }),
    'email piece, no hit': () => ask({ q: `${d.letters(4)}.${d.letters(4)}@` }),
    'common word': () => ask({ q: d.pick(COMMON) }),
    'no hit': () => ask({ q: `q${d.letters(2)}zx` }),
    '1 character': () => ask({ q: d.pick(CHARACTERS) }),
    '2 letters': () => ask({ q: twoLetters() }),
    '2 letters, by date': () => ask({ q: twoLetters() }, { sorting: d.order('date_queued') }),
    '2 hexadecimal digits': () => ask({ q: d.piece(d.task().task_id.replaceAll('-', ''), 2) }),
    'a piece all rows have': () => ask({ q: d.pick(['service', 'tasks.', 'vice.ta']) }),
    'other letters than Latin': () => ask({ q: d.projectWord() }),
    ...sorted,
    'page 50,000': () => ask(undefined, { sorting: anyOrder(), pagination: { page: pageAt(0.5) } }),
    'middle page of 600k hits': () =>
      ask(
        { q: MANY_AND_MORE },
        { sorting: anyOrder(), pagination: { page: pageAt(0.3) + d.below(100) } },
      ),
    'project + q': () => {
      const { identifier, member } = d.busyProject();
      const body = { filters: { q: d.pick(COMMON) } };
      return { search: 'project tasks', within: identifier, as: member, body };
    },
    'three filters': () => {
      const { project_id, user_email } = d.task();
      const routing_keys = [`service.${d.pick(KEYS)}`];
      return ask({ project_id, user_email: user_email.slice(0, 5), routing_keys });
    },
    'email + two filters + q': () => {
      const { user_email, project_id } = d.task();
      const name = sample.projects.find(({ identifier }) => identifier === project_id)!.name;
      return ask({
        user_email: d.piece(user_email.split('@')[0]!, 4),
        project_name: d.pick(name.split(' ')),
        routing_keys: KEYS.map((key) => `service.${key}`),
        q: d.pick(COMMON),
      });
    },
  };
}

/** A few of each of the other searches. */
function otherClasses(d: Drawing): Record<string, Draw> {
  const ask = (search: Question['search'], filters: Body['filters'], rest = {}): Question => ({
    search,
    body: { ...(filters && { filters }), ...rest },
  });
  return {
    'schedules: q': () =>
      ask('admin schedules', {
        q: d.below(2) === 0 ? d.piece(d.scheduleId(), 6) : d.rareEmailPiece(),
      }),
    'schedules: no filter, sorted': () =>
      ask('admin schedules', undefined, {
        sorting: d.order(d.pick(['schedule_id', 'date_last_run_at', 'total_run_count', 'enabled'])),
      }),
    'schedules of a project: q': () => {
      const { identifier, member } = d.busyProject();
      const body = { filters: { q: d.pick(COMMON) } };
      return { search: 'project schedules', within: identifier, as: member, body };
    },
    'users: q': () =>
      ask('users', {
        q: d.pick([d.person().first_name, d.person().last_name, d.piece(d.person().email, 5)]),
      }),
    'projects: q': () => ask('admin projects', { q: d.projectWord() }),
    "projects: a member's email": () =>
      ask('admin projects', { user_email: d.person().email.slice(0, 8) }),
    'own projects': () => ({ search: 'own projects', as: d.busyProject().member, body: {} }),
  };
}

export function questionClasses(sample: Sample, seed: number, home?: Project): QuestionClass[] {
  const drawing = new Drawing(sample, seed, home);
  const all = { ...taskClasses(drawing, sample), ...otherClasses(drawing) };
  return Object.entries(all).map(([name, draw]) => ({
    name,
    bar: name === 'email + two filters + q' ? 0.5 : BAR,
    draw,
  }));
}

/** Questions of all classes, as many of each on average. */
export function randomMix(sample: Sample, seed: number, count: number): Question[] {
  const classes = questionClasses(sample, seed);
  const next = randomFrom(seed + 1);
  return Array.from({ length: count }, () => classes[Math.floor(next() * classes.length)]!.draw());
}

/** How often each search is asked over HTTP, in a hundred. */
const TRAFFIC: Readonly<Record<Question['search'], number>> = {
  'admin tasks': 40,
  'project tasks': 20,
  'admin projects': 10,
  users: 10,
  'admin schedules': 8,
  'own projects': 6,
  'project schedules': 6,
};

/**
 * Questions of all seven searches as one caller asks them, who is a member of one project (a big one
 * more likely) and an admin too.
 */
export function trafficOf(sample: Sample, seed: number, count: number): Question[] {
  const home = new Drawing(sample, seed).busyProject();
  const bySearch = new Map<Question['search'], QuestionClass[]>();
  for (const one of questionClasses(sample, 1_000 + seed, home)) {
    const { search } = one.draw();
    bySearch.set(search, [...(bySearch.get(search) ?? []), one]);
  }
  const searches = Object.entries(TRAFFIC).flatMap(([search, share]) =>
    Array.from({ length: share }, () => bySearch.get(search as Question['search'])!),
  );
  const next = randomFrom(2_000 + seed);
  const pick = <T>(list: readonly T[]) => list[Math.floor(next() * list.length)]!;
  return Array.from({ length: count }, () => pick(pick(searches)).draw());
}
