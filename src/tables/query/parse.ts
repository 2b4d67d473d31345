/**
 * From a validated body to a plan, and to the normalized filters that the answer reports.
 *
 *     {filters: {q: " Ana ", state: null}, …}
 *        ──► plan:    orders where (state in [open, sent] and (… ~ "Ana" or …)) by id desc …
 *        ──► applied: {q: "Ana", state: ["open", "sent"]}
 *
 * A value that is valid by the schema but cannot be used is a 400 here: an id of a wrong form, a
 * name that has no value. The error names all such values at once.
 */

import { AppError, invariant, type ProblemCode, type ProblemDetail } from '../../errors.ts';
import type { Filter } from '../definition/definition.ts';
import { ALL, and, equals, type Predicate } from '../definition/predicate.ts';
import type { Json } from '../definition/record.ts';
import { isUuid } from '../definition/uuid.ts';
import { type SearchView, type ShownRows, shownRows, type Viewer } from '../definition/view.ts';
import type { Plan } from './plan.ts';
import type { AppliedSort, SearchBody } from './schema.ts';
import { freeText, labelSet, type TextSettings, textIn } from './text.ts';

/** The page size if the body has none or an impossible one. */
const DEFAULT_PER_PAGE = 10;

export interface ParseSettings extends TextSettings {
  /** `DB_ITEM_LIMIT`: no page is larger. */
  readonly maxPerPage: number;
}

export interface ParsedSearch {
  readonly plan: Plan;
  readonly applied: Readonly<Record<string, Json>>;
  readonly sorting: AppliedSort;
  /** Options that were switched on. */
  readonly options: ReadonlySet<string>;
}

export function parseSearch(
  view: SearchView,
  body: SearchBody,
  viewer: Viewer,
  settings: ParseSettings,
): ParsedSearch {
  const reading = new FilterReading(view, body.filters ?? {}, shownRows(view, viewer), settings);
  const where = reading.read();
  const { sort_by: sortBy = view.resource.sorts[0], sort_order: order = defaultOrder(view, body) } =
    body.sorting ?? {};
  const { page = 1, per_page: perPage = 0 } = body.pagination ?? {};
  return {
    plan: Object.freeze({
      resource: view.resource,
      within: reading.rows.within,
      where,
      sorting: [Object.freeze({ by: sortBy, descending: order === 'desc' })] as const,
      page: Math.max(1, page),
      perPage: Math.min(perPage > 0 ? perPage : DEFAULT_PER_PAGE, settings.maxPerPage),
    }),
    applied: reading.applied,
    sorting: { sort_by: sortBy, sort_order: order },
    options: reading.options,
  };
}

const defaultOrder = ({ ascending }: SearchView, { sorting }: SearchBody) =>
  ascending && sorting?.sort_by === undefined ? 'asc' : 'desc';

/** One pass over the filters of a body; collects applied filters and errors. */
class FilterReading {
  readonly applied: Record<string, Json>;
  readonly rows: ShownRows;
  readonly options = new Set<string>();
  readonly #view: SearchView;
  readonly #given: Readonly<Record<string, unknown>>;
  readonly #settings: ParseSettings;
  readonly #wrong: { code: ProblemCode; problem: ProblemDetail }[] = [];

  constructor(
    view: SearchView,
    given: Readonly<Record<string, unknown>>,
    rows: ShownRows,
    settings: ParseSettings,
  ) {
    this.#view = view;
    this.#given = given;
    this.rows = rows;
    this.applied = { ...rows.applied };
    this.#settings = settings;
  }

  read(): Predicate {
    const { sameAsPath = {}, filters } = this.#view;
    const asked: Predicate[] = [];
    for (const name of filters) {
      const predicate = this.#filter(name);
      // The rows are already limited to these.
      if (predicate !== ALL && !sameAsPath[name]) asked.push(predicate);
    }
    this.#throwIfWrong();
    for (const name in sameAsPath) {
      if (this.applied[name] === this.rows.applied[name]) continue;
      const { code, detail } = sameAsPath[name]!;
      throw new AppError(code, detail);
    }
    return and(...asked);
  }

  #filter(name: string): Predicate {
    const value = this.#given[name] ?? null;
    if (value === null) return this.#default(name);
    const only = this.#view.onlyWhere?.[name];
    if (!only) return this.#condition(name, value);
    const { filter, is } = only;
    const others = this.#given[filter] ?? this.#view.defaults?.[filter];
    const isAmong = Array.isArray(others) ? others.includes(is) : others === is;
    if (others !== undefined && !isAmong) return ALL;
    const match = this.#condition(name, value);
    return match === ALL ? ALL : and(match, equals(this.#fieldOf(filter), is));
  }

  #default(name: string): Predicate {
    const values = this.#view.defaults?.[name];
    if (!values) return ALL;
    this.applied[name] = values;
    return equals(this.#fieldOf(name), ...values);
  }

  #condition(name: string, value: unknown): Predicate {
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
      case 'labelled':
        return this.#labelled(name, filter, value as readonly string[]);
      case 'id':
        return this.#id(name, filter, value as string);
      default: {
        const text = (value as string).trim();
        return text === '' ? ALL : this.#text(name, filter, text);
      }
    }
  }

  #fieldOf(name: string): string {
    const filter = this.#view.resource.filters[name]!;
    invariant('field' in filter, `${name} is the filter of a field`);
    return filter.field;
  }

  #text(
    name: string,
    filter: Filter & { kind: 'text' | 'contains' | 'exact' | 'matchMode' },
    text: string,
  ): Predicate {
    this.applied[name] = text;
    const { resource } = this.#view;
    switch (filter.kind) {
      case 'text': {
        const { where, named } = freeText(resource, filter, text, this.#settings);
        if (named) this.applied[named.field] = named.value;
        return where;
      }
      case 'matchMode': {
        const mode = this.#given[filter.by] ?? 'like';
        this.applied[filter.by] = mode as Json;
        if (mode !== 'exact') return textIn(resource, filter.field, text, this.#settings);
        return equals(filter.field, text);
      }
      case 'exact':
        return equals(filter.field, text);
      case 'contains':
        return textIn(resource, filter.field, text, this.#settings);
    }
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

  #labelled(
    name: string,
    filter: Filter & { kind: 'labelled' },
    given: readonly string[],
  ): Predicate {
    const labels = labelSet(this.#settings.labels, filter);
    const values = new Set<string>();
    for (const [position, entry] of given.entries()) {
      const text = entry.trim();
      if (text === '') continue;
      const isValue = labels.labelOf(text) !== undefined;
      const value = isValue ? text : labels.named(text, this.#settings.fold);
      if (value !== undefined) values.add(value);
      else this.#refuse(filter.invalid, `/filters/${name}/${position}`, filter.wrong);
    }
    if (values.size === 0) return ALL;
    this.applied[name] = [...values];
    return equals(filter.field, ...values);
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
}
