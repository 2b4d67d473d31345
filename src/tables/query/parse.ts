/**
 * From a validated body to a plan, and to the normalized filters that the answer reports.
 *
 *     {filters: {q: " Ana ", scope: null}, …}
 *        ──► plan:    tasks where (scope in [system, project] and (… ~ "Ana" or …)) by id desc …
 *        ──► applied: {q: "Ana", scope: ["system", "project"]}
 *
 * A value that is valid by the schema but cannot be used is a 400 here: an id of a wrong form, an
 * unknown routing key. The error names all such values at once.
 */

import type { TaskCatalogue, TaskType } from '../../apps/admin/resources/taskTypes.ts';
import { AppError, invariant, type ProblemCode, type ProblemDetail } from '../../errors.ts';
import type { Filter, Resource } from '../definition/definition.ts';
import type { Json } from '../definition/record.ts';
import { isUuid } from '../definition/uuid.ts';
import type { SearchView } from '../definition/view.ts';
import { ALL, and, contains, equals, or, type Plan, type Predicate } from './plan.ts';
import type { SearchBody } from './schema.ts';

/** The page size if the body has none or an impossible one. */
const DEFAULT_PER_PAGE = 10;

/**
 * The rows of its view that a search may see. Callers must give it, even for `all`: a forgotten
 * value must not show more rows.
 */
export type Visibility =
  | { readonly all: true }
  /** Rows of the path's project: on views within a project, which take nothing else. */
  | { readonly projectId: string }
  /** Rows that list this user: on views for members. */
  | { readonly memberId: number };

export interface ParseSettings {
  readonly catalogue: TaskCatalogue;
  /** Folds text so that two texts are equal exactly when the server's `$regex` with `i` says so. */
  readonly fold: (text: string) => string;
  /** `DB_ITEM_LIMIT`: no page is larger. */
  readonly maxPerPage: number;
}

export interface ParsedSearch {
  readonly plan: Plan;
  readonly applied: Readonly<Record<string, Json>>;
  readonly sorting: { readonly sort_by: string; readonly sort_order: 'asc' | 'desc' };
  /** Options that were switched on. */
  readonly options: ReadonlySet<string>;
}

export function parseSearch<R extends Resource, K extends string>(
  view: SearchView<R, K>,
  body: SearchBody<R, K>,
  visibility: Visibility,
  settings: ParseSettings,
): ParsedSearch {
  const reading = new FilterReading(
    view as unknown as SearchView,
    (body.filters ?? {}) as Readonly<Record<string, unknown>>,
    visibility,
    settings,
  );
  const { within, where } = reading.read();
  const sortBy = body.sorting?.sort_by ?? view.resource.sorts[0];
  const order = body.sorting?.sort_order ?? 'desc';
  const { page = 1, per_page: perPage = 0 } = body.pagination ?? {};
  return {
    plan: Object.freeze({
      resource: view.resource,
      within,
      where,
      sortBy,
      descending: order === 'desc',
      page: Math.max(1, page),
      perPage: Math.min(perPage > 0 ? perPage : DEFAULT_PER_PAGE, settings.maxPerPage),
    }),
    applied: reading.applied,
    sorting: { sort_by: sortBy, sort_order: order },
    options: reading.options,
  };
}

interface FoldedNames {
  readonly type: TaskType;
  readonly label: string;
  readonly taskName: string;
}

/** Every free text is compared with all names, so they are folded once for the same settings. */
const folded = new WeakMap<ParseSettings, readonly FoldedNames[]>();

function foldedNames(settings: ParseSettings): readonly FoldedNames[] {
  let names = folded.get(settings);
  if (!names) {
    const { catalogue, fold } = settings;
    names = catalogue.types.map((type) => ({
      type,
      label: fold(type.label),
      taskName: fold(type.taskName),
    }));
    folded.set(settings, names);
  }
  return names;
}

/** One pass over the filters of a body; collects applied filters and errors. */
class FilterReading {
  readonly applied: Record<string, Json> = {};
  readonly options = new Set<string>();
  readonly #view: SearchView;
  readonly #given: Readonly<Record<string, unknown>>;
  readonly #visibility: Visibility;
  readonly #settings: ParseSettings;
  readonly #wrong: { code: ProblemCode; problem: ProblemDetail }[] = [];

  constructor(
    view: SearchView,
    given: Readonly<Record<string, unknown>>,
    visibility: Visibility,
    settings: ParseSettings,
  ) {
    this.#view = view;
    this.#given = given;
    this.#visibility = visibility;
    this.#settings = settings;
  }

  read(): Pick<Plan, 'within' | 'where'> {
    const within = this.#within();
    const asked: Predicate[] = [];
    for (const name of this.#view.filters) {
      const predicate = this.#filter(name);
      if (predicate !== ALL && !this.#saidByPath(name)) asked.push(predicate);
    }
    this.#throwIfWrong();
    this.#agreeWithPath();
    return { within, where: and(...asked) };
  }

  /**
   * The rows that the view shows of its resource: of the path's project, of the caller's own
   * projects, or all.
   */
  #within(): Predicate {
    const { name, membersOnly } = this.#view;
    const projectId = this.#projectOfPath();
    if (projectId !== undefined) {
      this.applied.project_id = projectId;
      this.applied.scope = 'project';
      return and(equals('project_id', projectId), equals('scope', 'project'));
    }
    if (membersOnly && 'memberId' in this.#visibility) {
      return equals(membersOnly, this.#visibility.memberId);
    }
    invariant('all' in this.#visibility, `a search of ${name} says whose rows it may see`);
    return ALL;
  }

  /** The project that the view is within; undefined for other views. */
  #projectOfPath(): string | undefined {
    const { name, withinProject } = this.#view;
    if (!withinProject) return undefined;
    const { projectId } = this.#visibility as { readonly projectId?: string };
    invariant(projectId !== undefined, `a search of ${name} is within a project`);
    return projectId;
  }

  /** Filters that can only repeat the path are read and checked, but select nothing more. */
  #saidByPath(name: string): boolean {
    return this.#view.withinProject === true && (name === 'project_id' || name === 'scope');
  }

  #filter(name: string): Predicate {
    const value = this.#given[name] ?? null;
    if (value === null) return name === 'scope' ? this.#defaultScopes() : ALL;
    const filter = this.#view.resource.filters[name]!;
    switch (filter.kind) {
      case 'option':
        if (value !== true) return ALL;
        this.options.add(name);
        this.applied[name] = true;
        return ALL;
      case 'choice':
        return ALL; // reported by the filters that it governs
      case 'integer':
      case 'boolean':
      case 'enum':
        this.applied[name] = value as Json;
        return equals(filter.field, value as string | number | boolean);
      case 'routingKeys':
        return this.#routingKeys(name, filter, value as readonly string[]);
      case 'id':
        return this.#id(name, filter, value as string);
      default: {
        const text = (value as string).trim();
        return text === '' ? ALL : this.#text(name, filter, text);
      }
    }
  }

  #defaultScopes(): Predicate {
    const scopes = this.#view.defaultScopes;
    if (!scopes) return ALL;
    this.applied.scope = scopes;
    return equals('scope', ...scopes);
  }

  #text(
    name: string,
    filter: Filter & { kind: 'text' | 'contains' | 'exact' | 'matchMode' },
    text: string,
  ): Predicate {
    if (this.#view.projectScopeOnly?.includes(name) && !this.#showsProjectScope()) return ALL;
    this.applied[name] = text;
    switch (filter.kind) {
      case 'text':
        return this.#freeText(filter, text);
      case 'exact':
        return equals(filter.field, text);
      case 'matchMode': {
        const mode = this.#given[filter.by] ?? 'like';
        this.applied[filter.by] = mode as Json;
        return mode === 'exact' ? equals(filter.field, text) : this.#contains(filter.field, text);
      }
      case 'contains': {
        const match = this.#contains(filter.field, text);
        return this.#view.projectScopeOnly?.includes(name)
          ? and(match, equals('scope', 'project'))
          : match;
      }
    }
  }

  /** Whether the scopes that this request searches include `project`. */
  #showsProjectScope(): boolean {
    const given = this.#given.scope ?? null;
    return given === null
      ? (this.#view.defaultScopes?.includes('project') ?? true)
      : given === 'project';
  }

  #freeText(filter: Filter & { kind: 'text' }, text: string): Predicate {
    const matches: Predicate[] = [];
    for (const field of filter.fields) matches.push(this.#contains(field, text));
    const type = filter.mapsTaskType && this.#taskTypeNamed(text);
    if (type) {
      this.applied.task_type = type.value;
      matches.push(equals('task_type', type.value));
    }
    return or(...matches);
  }

  /** Text in a field; in a label's case, that is the task types whose label has the text. */
  #contains(name: string, text: string): Predicate {
    const { resource } = this.#view;
    const field = resource.fields[name]!;
    if (field.kind !== 'type label') return contains(resource, name, text);
    const wanted = this.#settings.fold(text);
    const types = foldedNames(this.#settings).filter(({ label }) => label.includes(wanted));
    return equals(field.of, ...types.map(({ type }) => type.value));
  }

  #taskTypeNamed(text: string): TaskType | undefined {
    const wanted = this.#settings.fold(text);
    const named = foldedNames(this.#settings).find(
      ({ label, taskName }) => label === wanted || taskName === wanted,
    );
    return named?.type;
  }

  #id(name: string, filter: Filter & { kind: 'id' }, given: string): Predicate {
    const text = given.trim();
    const lowerCase = text.toLowerCase();
    const isId = isUuid(lowerCase);
    if (!isId && filter.invalid) {
      this.#refuse(filter.invalid, `/filters/${name}`, 'This must be a UUID.');
      return ALL;
    }
    if (text === '') return ALL;
    const id = isId ? lowerCase : text;
    this.applied[name] = id;
    return equals(filter.field, id);
  }

  #routingKeys(
    name: string,
    filter: Filter & { kind: 'routingKeys' },
    given: readonly string[],
  ): Predicate {
    const keys = new Set<string>();
    for (const [position, entry] of given.entries()) {
      const text = entry.trim();
      if (text === '') continue;
      const type = this.#taskTypeOfKey(text);
      if (type) keys.add(type.routingKey);
      else {
        const detail = 'This is neither a canonical routing key nor the label of a task type.';
        this.#refuse(filter.invalid, `/filters/${name}/${position}`, detail);
      }
    }
    if (keys.size === 0) return ALL;
    this.applied[name] = [...keys];
    return equals(filter.field, ...keys);
  }

  #taskTypeOfKey(text: string): TaskType | undefined {
    const { fold, catalogue } = this.#settings;
    const known = catalogue.byRoutingKey(text);
    if (known) return known;
    const wanted = fold(text);
    return catalogue.types.find((type) => fold(type.label) === wanted);
  }

  #refuse(code: ProblemCode, pointer: string, detail: string): void {
    this.#wrong.push({ code, problem: { pointer, detail } });
  }

  #throwIfWrong(): void {
    const [first] = this.#wrong;
    if (!first) return;
    const errors = this.#wrong.map(({ problem }) => problem);
    const places = errors.map(({ pointer }) => pointer).join(', ');
    throw new AppError(first.code, `The search cannot be run as asked: see ${places}.`, { errors });
  }

  /** On a project's path, filters that repeat the path must say the same. */
  #agreeWithPath(): void {
    if (!this.#view.withinProject) return;
    const { project_id: project, scope } = this.#given;
    const asked = typeof project === 'string' ? project.trim().toLowerCase() : undefined;
    if (asked !== undefined && asked !== this.#projectOfPath()) {
      throw new AppError(
        'ProjectMismatch',
        'The project filter must equal the project of the path.',
      );
    }
    if (typeof scope === 'string' && scope !== 'project') {
      throw new AppError(
        'ScopeMismatch',
        'On a path of a project, the scope can only be "project".',
      );
    }
  }
}
