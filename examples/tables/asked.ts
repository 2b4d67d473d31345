/**
 * What a grid asks for → the body of an explore, and what it answers → a page of rows.
 *
 *     page, order, wishes ──► {filters, select, sorting, pagination} ──► explore ──► rows, total, pages
 *
 * All that a table can be asked is in its `description`; what it cannot be asked is refused here, by name.
 */
import type { Pagination, ViewDescription } from '../../clients/typescript/index.ts';

export type Value = string | number | boolean | null;
export type Row = Readonly<Record<string, unknown>>;

/** What rows must fulfil, field by field. */
export type Wish =
  | { readonly field: string; readonly contains: string }
  | { readonly field: string; readonly in: readonly Value[] }
  | { readonly field: string; readonly not_in: readonly Value[] }
  /** From and including, to and excluding: numbers, or moments as RFC 3339 has them. */
  | { readonly field: string; readonly from?: string | number; readonly to?: string | number };

export interface Asked {
  /** From 1. */
  readonly page: number;
  readonly perPage: number;
  readonly sort?: { readonly field: string; readonly descending: boolean } | undefined;
  readonly wishes?: readonly Wish[];
  /** A text anywhere in a row. */
  readonly q?: string | undefined;
}

/** A table of the client, whichever it is. */
export interface AnyTable {
  readonly description: ViewDescription;
  explore(body: object): Promise<{
    readonly data: readonly object[];
    readonly meta: { readonly pagination: Pagination };
  }>;
}

export interface Page {
  readonly rows: Row[];
  readonly total: number;
  readonly pages: number;
}

/** @throws Error for what the table cannot be asked; ApiError for what the service refuses. */
export async function pageOf(table: AnyTable, asked: Asked): Promise<Page> {
  const { data, meta } = await table.explore(bodyOf(table.description, asked));
  const { total_items: total, total_pages: pages, current_page, per_page } = meta.pagination;
  if (per_page < asked.perPage) {
    throw new Error(
      `The service shows at most ${per_page} rows of ${asked.perPage}: ask for fewer.`,
    );
  }
  // Rows may have gone since the grid counted pages: the service shows the last page then.
  const rows = current_page === asked.page ? ([...data] as Row[]) : [];
  return { rows, total, pages };
}

function bodyOf(description: ViewDescription, { page, perPage, sort, wishes, q }: Asked) {
  const filters: Record<string, unknown> = q ? { q } : {};
  const select: object[] = [];
  for (const wish of wishes ?? []) {
    if ('contains' in wish) filters[textFilter(description, wish.field)] = wish.contains;
    else select.push(condition(description, wish));
  }
  return {
    filters,
    select,
    ...(sort && {
      sorting: { sort_by: sort.field, sort_order: sort.descending ? 'desc' : 'asc' },
    }),
    pagination: { page, per_page: perPage },
  };
}

function textFilter({ filters }: ViewDescription, field: string): string {
  if (filters[field]?.takes === 'text') return field;
  const known = Object.keys(filters).filter((name) => filters[name]!.takes === 'text');
  throw new Error(`${field} cannot be looked through for a text; these can: ${known.join(', ')}.`);
}

function condition({ values, ranges }: ViewDescription, wish: Wish): object {
  const isRange = 'from' in wish || 'to' in wish;
  const known = isRange ? Object.keys(ranges) : values;
  if (known.includes(wish.field)) return wish;
  const what = isRange ? 'a range' : 'values';
  throw new Error(`${wish.field} cannot be asked for ${what}; these can: ${known.join(', ')}.`);
}
