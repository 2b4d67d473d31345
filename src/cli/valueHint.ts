/**
 * A hint for an answer without rows: a condition whose value no row has, and the values near it.
 *
 *     No row has status=failure; did you mean status=FAILURE?
 *
 * The service matches values exactly, so another case finds nothing. Its facets know the values.
 */
import type { CallOptions, Facet } from 'table-search/client';
import { closest } from '../tables/query/guess.ts';
import type { Condition } from './asked/condition.ts';
import { warn } from './output.ts';
import type { AnyTable } from './service.ts';
import { oneLine } from './show/terminal.ts';
import type { AskedTable } from './tables.ts';

export interface AskedRows {
  readonly table: AskedTable;
  readonly select: readonly Partial<Condition>[];
  /** Only the scope counts: it says which rows the table has. */
  readonly filters: { readonly scope?: unknown };
}

interface Wanted {
  readonly field: string;
  readonly value: string;
}

type Near = Pick<Facet['values'][number], 'value' | 'label'>;

/** Prints a hint a condition, where one helps. */
export async function hintAtValues(opened: AnyTable, asked: AskedRows): Promise<void> {
  const { word } = asked.table;
  const command = (field: string) => `\`table-search explore ${word} --facet ${field}\``;
  const hints = await valueHints(opened, asked, command);
  for (const hint of hints) warn(hint);
}

/**
 * A hint a condition, where one helps. A request that fails gives no hint.
 *
 * @param listing names what lists all values of a field
 */
export async function valueHints(
  opened: AnyTable,
  asked: AskedRows,
  listing: (field: string) => string,
  options: CallOptions = {},
): Promise<readonly string[]> {
  const wanted = asked.select.flatMap(({ field, in: values = [] }): Wanted[] => {
    const text = values.find((one) => typeof one === 'string');
    if (field === undefined || !text) return [];
    return asked.table.description.facets.includes(field) ? [{ field, value: text }] : [];
  });
  if (wanted.length === 0) return [];
  const { scope } = asked.filters;
  const facetsOf = async (facets: readonly object[]) => {
    const filters = scope === undefined ? {} : { scope };
    const body = { filters, facets, pagination: { per_page: 1 } };
    return (await opened.explore(body, options)).facets ?? [];
  };
  try {
    const like = await facetsOf(
      wanted.map(({ field, value }) => ({ field, contains: value, limit: 1_000 })),
    );
    const unlike = wanted.filter((_, i) => like[i]!.values.length === 0);
    const all = unlike.length === 0 ? [] : await facetsOf(unlike.map(({ field }) => ({ field })));
    const hints = wanted.map((one, i) => hintOf(one, like[i]!, all[unlike.indexOf(one)], listing));
    return hints.flatMap((hint) => (hint === undefined ? [] : oneLine(hint)));
  } catch {
    // The answer itself has come.
    return [];
  }
}

/** @param like values that contain the one wanted; @param all the most frequent ones */
function hintOf(
  { field, value }: Wanted,
  like: Facet,
  all: Facet | undefined,
  listing: (field: string) => string,
): string | undefined {
  if (like.values.some((one) => one.value === value)) return undefined;
  const none = `No row has ${field}=${value}`;
  const known = (all?.values ?? []).flatMap((one) => (one.value === null ? [] : `${one.value}`));
  const guess = closest(value, known);
  const near: readonly Near[] = guess === undefined ? like.values.slice(0, 3) : [{ value: guess }];
  if (near.length > 0) {
    const shown = near.map(({ value: text, label }) =>
      label === undefined ? `${field}=${text}` : `${field}=${text} (${label})`,
    );
    return `${none}; did you mean ${shown.join(' or ')}?`;
  }
  if (all?.rest === 0 && known.length > 0) return `${none}; its values: ${known.join(', ')}.`;
  return `${none}; ${listing(field)} lists its values.`;
}
