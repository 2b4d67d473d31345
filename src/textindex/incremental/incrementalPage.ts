/**
 * A page, kept up to date: all rows from the first one to the page's last, and some more, in their
 * order. A row that comes among them is put in its place; when too many have gone, the table is
 * asked for them.
 */
import type { PageRequest, PageResult, RowId, Scalar } from '../api.ts';
import { pageBounds } from '../order/page.ts';
import { compareScalars, sortKey } from '../scalars.ts';
import type { IncrementalPart } from './incrementalPart.ts';
import type { Placed, RowVersion } from './rowVersion.ts';

/** The most rows that are kept of a page and all before it; for later pages the table is asked. */
const MAX_ROWS = 500;

/** Rows kept beyond the page: so many may go before the table is asked. */
const SPARE = 25;

export class IncrementalPage implements IncrementalPart {
  /** None if rows are sorted by their ids. */
  readonly columns: readonly number[];
  readonly #request: PageRequest;
  /** The column that rows are sorted by; undefined for their ids. */
  readonly #column: number | undefined;
  /** The number of rows kept; undefined if none are. */
  readonly #most: number | undefined;
  #rows: Placed[] = [];
  /** Whether these are all rows found. */
  #areAll = false;
  #total = 0;
  #isCurrent = false;
  /** Where rows are not kept up to date: the table's own answer. */
  #result: PageResult | undefined;

  /** `spare`: how many more rows are kept than the page has. */
  constructor(request: PageRequest, column: number | undefined, spare = SPARE) {
    this.#request = request;
    this.#column = column;
    this.columns = column === undefined ? [] : [column];
    const end = Math.max(1, request.page) * Math.max(1, request.perPage);
    this.#most = end <= MAX_ROWS ? end + spare : undefined;
  }

  /** The rows to ask for; undefined if none are lacking. */
  get lacking(): Pick<PageRequest, 'page' | 'perPage'> | undefined {
    if (this.#isCurrent) return undefined;
    const { page, perPage } = this.#request;
    return this.#most === undefined ? { page, perPage } : { page: 1, perPage: this.#most };
  }

  /**
   * Takes the table's answer; `valuesOf` gives a row's values in the column that rows are sorted
   * by.
   */
  take(result: PageResult, valuesOf: (id: RowId) => readonly Scalar[]): void {
    const { total, ids } = result;
    this.#isCurrent = true;
    this.#total = total;
    this.#result = undefined;
    if (this.#most === undefined) {
      this.#result = result;
      return;
    }
    const { descending } = this.#request;
    this.#rows = ids.map((id) => {
      const key = this.#column === undefined ? null : sortKey(valuesOf(id), descending);
      return { id, key };
    });
    this.#areAll = ids.length === total;
  }

  change(before: RowVersion | undefined, after: RowVersion | undefined): void {
    this.#total += (after ? 1 : 0) - (before ? 1 : 0);
    this.#result = undefined;
    if (this.#most === undefined) this.#isCurrent = false;
    if (!this.#isCurrent) return;
    if (before) this.#remove(this.#placed(before));
    if (after) this.#put(this.#placed(after), this.#most!);
    if (!this.#areAll && this.#rows.length < this.#end) this.#isCurrent = false;
  }

  get result(): PageResult {
    return this.#result ?? this.#current();
  }

  get bytes(): number {
    return this.#rows.length * 100;
  }

  /** The number of rows up to the page's last. */
  get #end(): number {
    return pageBounds(this.#total, this.#request).end;
  }

  #current(): PageResult {
    const { page, first, end } = pageBounds(this.#total, this.#request);
    return { total: this.#total, page, ids: this.#rows.slice(first, end).map(({ id }) => id) };
  }

  #placed(row: RowVersion): Placed {
    return row.placed(this.#column, this.#request.descending);
  }

  #remove(row: Placed): void {
    const at = this.#placeOf(row);
    const found = this.#rows[at];
    if (!found || this.#compare(found, row) !== 0) return;
    for (let i = at; i + 1 < this.#rows.length; i++) this.#rows[i] = this.#rows[i + 1]!;
    this.#rows.pop();
  }

  #put(row: Placed, most: number): void {
    const at = this.#placeOf(row);
    if (at === this.#rows.length && !this.#areAll) return;
    this.#rows.push(row);
    for (let i = this.#rows.length - 1; i > at; i--) this.#rows[i] = this.#rows[i - 1]!;
    this.#rows[at] = row;
    if (this.#rows.length <= most) return;
    this.#rows.pop();
    this.#areAll = false;
  }

  /** How many rows come before it. */
  #placeOf(row: Placed): number {
    const last = this.#rows.at(-1);
    // Most rows that change stand on later pages.
    if (!last || this.#compare(last, row) < 0) return this.#rows.length;
    let low = 0;
    let high = this.#rows.length - 1;
    while (low < high) {
      const middle = (low + high) >>> 1;
      if (this.#compare(this.#rows[middle]!, row) < 0) low = middle + 1;
      else high = middle;
    }
    return low;
  }

  #compare(a: Placed, b: Placed): number {
    const order = compareScalars(a.key, b.key) || compareScalars(a.id, b.id);
    return this.#request.descending ? -order : order;
  }
}
