/**
 * The oracle: the right answer of a search, by looking at every document, in plain lines that share
 * nothing with the service. It asks the server only for the letters that are the same.
 *
 *     documents.filter(matches).sort(by value, then _id).slice(page)
 */
import type { Db } from 'mongodb';
import { compareStored } from '../oracles/storedValues.ts';
import type { GeneratedRequest, GeneratedWorld, Stored } from './worlds.ts';
import { PATH_PROJECT } from './worlds.ts';

export interface Expected {
  readonly total: number;
  readonly page: number;
  readonly perPage: number;
  /** Ids of all hits in order; of projects, `config.n`. */
  readonly whole: readonly unknown[];
  readonly ids: readonly unknown[];
  readonly applied: Readonly<Record<string, unknown>>;
}

const LABELS: Readonly<Record<string, string>> = {
  system_backup: 'System backup',
  project_backup: 'Project backup',
  restore_backup: 'Restore backup',
  housekeeping: 'Housekeeping',
  generate_data: 'Generate data',
  anonymize_data: 'Anonymize data',
  import_schema: 'Import schema',
  export_snapshot: 'Export snapshot',
  validate_model: 'Validate model',
  send_report: 'Send report',
  sync_ldap: 'Sync LDAP',
  cleanup_artifacts: 'Clean up artifacts',
};

/** The fields and labels that q looks in. */
const FREE_TEXT: Readonly<Record<string, readonly string[]>> = {
  users: ['email', 'first_name', 'last_name', 'id'],
  projects: ['project_id', 'project_name', 'member_email'],
  schedules: ['project_id', 'schedule_id', 'user_email', 'task_name', 'project_name'],
  tasks: [
    ...['task_id', 'project_id', 'user_email', 'name', 'routing_key', 'routing_label'],
    ...['folder', 'worker', 'status', 'exception_type', 'project_name'],
  ],
};

/** The values at a path as a query sees them: through arrays, elements one by one. */
export function values(document: Stored, path: string): unknown[] {
  let found: unknown[] = [document];
  for (const step of path.split('.')) {
    found = found
      .flat()
      .flatMap((value) =>
        value !== null && typeof value === 'object' && Object.hasOwn(value, step)
          ? [(value as Stored)[step]]
          : [],
      );
  }
  return found.flat().map(plain);
}

/** Longs and doubles as numbers. */
function plain(value: unknown): unknown {
  const bson = (value as { _bsontype?: string } | null)?._bsontype;
  return bson === 'Long' || bson === 'Double' ? Number(value) : value;
}

const strings = (found: readonly unknown[]) =>
  found.filter((value): value is string => typeof value === 'string');

export type SameLetters = (text: string) => string;

/** Asks the server which of these letters are the same; returns the text written in one of each. */
export async function askSameLetters(db: Db, letters: readonly string[]): Promise<SameLetters> {
  const all = [...new Set(letters)].filter((letter) => letter !== '\0');
  const code = (letter: string) => `\\x{${letter.codePointAt(0)!.toString(16)}}`;
  const matches = (letter: string) => ({
    $filter: {
      input: { $literal: all },
      cond: { $regexMatch: { input: '$$this', regex: code(letter), options: 'i' } },
    },
  });
  const [answer] = await db
    .aggregate([
      { $documents: [{}] },
      { $project: Object.fromEntries(all.map((l, i) => [i, matches(l)])) },
    ])
    .toArray();
  const first = new Map(all.map((letter, i) => [letter, answer![i][0] as string]));
  return (text) => [...text].map((letter) => first.get(letter) ?? letter).join('');
}

export class Oracle {
  readonly #world: GeneratedWorld;
  readonly #same: SameLetters;

  constructor(world: GeneratedWorld, same: SameLetters) {
    this.#world = world;
    this.#same = same;
  }

  /** `hits`: the documents found, where more than the search decides. */
  answer(
    request: GeneratedRequest,
    hits = this.hits(request),
    sorted = inOrder(hits, kindOf(request), request),
  ): Expected {
    const kind = kindOf(request);
    const applied = this.#applied(request, provided(request.filters));
    const whole = sorted.map((one) => shownId(kind, one));
    const asked = request.pagination.per_page ?? 0;
    const perPage = asked > 0 ? asked : 10;
    const last = Math.max(1, Math.ceil(hits.length / perPage));
    const page = Math.min(last, Math.max(1, request.pagination.page ?? 1));
    const ids = whole.slice((page - 1) * perPage, page * perPage);
    return { total: hits.length, page, perPage, whole, ids, applied };
  }

  /** Every document that the search finds, in no order. */
  hits(request: GeneratedRequest): Stored[] {
    const kind = kindOf(request);
    const applied = this.#applied(request, provided(request.filters));
    return this.#world[kind].filter((one) => this.#matches(kind, one, applied, request));
  }

  /** The filters as they are reported. */
  #applied({ view }: GeneratedRequest, filters: Stored): Stored {
    const { match_type, get_artifacts_metadata, routing_keys, ...applied } = filters;
    for (const name of ['project_id', 'schedule_id', 'task_id']) {
      if (/^[0-9a-f-]{36}$/i.test(applied[name] ?? '')) applied[name] = applied[name].toLowerCase();
    }
    if (get_artifacts_metadata) applied.get_artifacts_metadata = true;
    const keys = (routing_keys ?? []).map((key: string) => this.#routingKey(key.trim()));
    const known = [...new Set(keys.filter((key: string) => key !== ''))];
    if (known.length > 0) applied.routing_keys = known;
    if (['email', 'first_name', 'last_name', 'language'].some((name) => name in applied)) {
      applied.match_type = match_type ?? 'like';
    }
    if (view.startsWith('project '))
      Object.assign(applied, { project_id: PATH_PROJECT, scope: 'project' });
    if (view === 'admin tasks') {
      if (applied.scope && applied.scope !== 'project') delete applied.project_name;
      applied.scope ??= ['system', 'project'];
    }
    const type = view.endsWith('schedules') && applied.q && this.#typeNamed(applied.q);
    if (type) applied.task_type = type;
    return applied;
  }

  #routingKey(text: string): string {
    const entry = Object.entries(LABELS).find(
      ([, label]) => this.#same(label) === this.#same(text),
    );
    return entry ? `service.${entry[0]}` : text;
  }

  #typeNamed(text: string): string | undefined {
    return Object.keys(LABELS).find((type) =>
      [LABELS[type]!, `service.tasks.${type}`].some(
        (name) => this.#same(name) === this.#same(text),
      ),
    );
  }

  #matches(
    kind: string,
    one: Stored,
    applied: Stored,
    { view, caller }: GeneratedRequest,
  ): boolean {
    if (view === 'own projects' && caller !== 1) {
      if (!values(one, 'members.user_id').includes(caller)) return false;
    }
    return Object.entries(applied).every(([name, wanted]) => {
      if (name === 'match_type' || name === 'get_artifacts_metadata') return true;
      if (name === 'task_type') return true; // beside q
      if (name === 'q') {
        if (applied.task_type && values(one, 'task_type').includes(applied.task_type)) return true;
        return this.#holds(this.#freeText(kind, one), wanted);
      }
      return this.#filter(kind, one, name, wanted, applied);
    });
  }

  #filter(kind: string, one: Stored, name: string, wanted: unknown, applied: Stored): boolean {
    const text = wanted as string;
    const is = (path: string) => [wanted].flat().some((value) => values(one, path).includes(value));
    switch (`${kind} ${name}`) {
      case 'schedules schedule_id':
      case 'users id':
        return is('_id');
      case 'tasks project_name':
        return values(one, 'scope').includes('project') && this.hasText(kind, one, name, text);
      case 'tasks routing_keys':
        return is('routing_key');
      case 'projects project_id':
        return is('identifier');
      case 'projects user_email':
        return this.hasText(kind, one, 'member_email', text);
      case 'schedules user_email':
      case 'tasks user_email':
      case 'projects project_name':
        return this.hasText(kind, one, name, text);
      case 'users email':
      case 'users first_name':
      case 'users last_name':
      case 'users language':
        return applied.match_type === 'exact' ? is(name) : this.#holds(values(one, name), text);
      default:
        return is(name);
    }
  }

  #holds(found: readonly unknown[], text: string): boolean {
    return strings(found).some((value) => this.#same(value).includes(this.#same(text)));
  }

  /** Whether q finds it, as far as q goes. */
  findsText(kind: string, one: Stored, text: string): boolean {
    const type = kind === 'schedules' ? this.#typeNamed(text) : undefined;
    if (type !== undefined && values(one, 'task_type').includes(type)) return true;
    return this.#holds(this.#freeText(kind, one), text);
  }

  /** Whether the text stands in a field, or in the label of that name. */
  hasText(kind: string, one: Stored, field: string, text: string): boolean {
    return this.#holds(this.#textsOf(kind, one, field), text);
  }

  #textsOf(kind: string, one: Stored, field: string): unknown[] {
    switch (`${kind} ${field}`) {
      case 'schedules schedule_id':
        return values(one, '_id');
      case 'schedules user_email':
        return values(one, 'task_args.user_email');
      case 'schedules task_label':
      case 'tasks routing_label':
        return strings(values(one, 'task_type')).map((type) => LABELS[type]);
      case 'schedules project_name':
      case 'tasks project_name':
        return this.#projectNames(one);
      case 'projects project_id':
        return values(one, 'identifier');
      case 'projects project_name':
        return values(one, 'name');
      case 'projects member_email':
        return this.#memberEmails(one);
      case 'users id':
        return [String(plain(one._id))];
      default:
        return values(one, field);
    }
  }

  #freeText(kind: string, one: Stored): unknown[] {
    return FREE_TEXT[kind]!.flatMap((field) => this.#textsOf(kind, one, field));
  }

  #projectNames(one: Stored): unknown[] {
    const keys = strings(values(one, 'project_id'));
    const named = this.#world.projects.filter(({ identifier }) => keys.includes(identifier));
    return named.flatMap((found) => values(found, 'name'));
  }

  #memberEmails(one: Stored): unknown[] {
    const keys = values(one, 'members.user_id').filter((key) => typeof key === 'number');
    const members = this.#world.users.filter(({ _id }) => keys.includes(plain(_id) as number));
    return members.flatMap((found) => values(found, 'email'));
  }
}

const kindOf = ({ view }: GeneratedRequest) => view.split(' ').at(-1) as keyof GeneratedWorld;

/** Without values that count as not provided; texts trimmed. */
function provided(filters: GeneratedRequest['filters']): Stored {
  const kept = Object.entries(filters).map(([name, value]) => [
    name,
    typeof value === 'string' ? value.trim() : value,
  ]);
  return Object.fromEntries(kept.filter(([, value]) => value !== null && value !== ''));
}

function shownId(kind: string, one: Stored): unknown {
  return kind === 'projects' ? one.config.n : plain(one._id);
}

const SORT_DEFAULT: Readonly<Record<string, string>> = { schedules: 'schedule_id' };

function inOrder(hits: readonly Stored[], kind: string, { sorting }: GeneratedRequest): Stored[] {
  const by = sorting.sort_by ?? SORT_DEFAULT[kind] ?? 'id';
  const sign = sorting.sort_order === 'asc' ? 1 : -1;
  const key = (one: Stored): unknown => {
    if (by === 'id' || by === 'schedule_id') return one._id;
    const value = one[by] ?? null;
    if (!Array.isArray(value) || value.length === 0) return value;
    return [...value].sort((a, b) => sign * compareStored(a, b))[0];
  };
  return [...hits].sort(
    (a, b) => sign * (compareStored(key(a), key(b)) || compareStored(a._id, b._id)),
  );
}
