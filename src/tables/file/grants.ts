/**
 * A view for each grant of a table.
 *
 * The view's resource is that of a table without the hidden fields. A hidden field therefore cannot be
 * named, and errors cannot tell it from one that is not there.
 */

import { claimAt } from '../definition/claim.ts';
import type { Field } from '../definition/definition.ts';
import { and, oneOf } from '../definition/predicate.ts';
import { defineView, type ShownRows, type Viewer } from '../definition/view.ts';
import { type JsonValue, selectedValues } from '../query/typedValue.ts';
import { type DescribedGrant, type DescribedTable, KEY } from './described.ts';
import type { Grant, TableShown } from './own.ts';
import { compileResource } from './resource.ts';
import type { StoredFields } from './storedFields.ts';
import { namesWith, usualLists } from './usual.ts';
import type { WrittenRows } from './written.ts';

export function compileGrant(
  table: DescribedTable,
  stored: ReadonlyMap<string, StoredFields>,
  { roles, rows, hidden, document }: DescribedGrant,
): Grant {
  const shown = shownOf(table, hidden);
  const resource = compileResource({ ...table, ...shown, window: table.window }, stored);
  const asked = Object.entries(resource.fields).map(([name, field]) => [name, asAsked(field)]);
  const own = stored.get(table.name)!;
  const hiddenRows = Object.keys(rows).filter((name) => hidden.has(name));
  // Hidden fields that tell which rows are shown: without a use nobody can name them.
  const unaskable = hiddenRows.map((name) => [name, { ...own[name], uses: [] }]);
  const isEveryRow = Object.keys(rows).length === 0;
  return {
    ...shown,
    roles,
    document,
    view: defineView({
      name: resource.name,
      resource: Object.freeze({
        ...resource,
        fields: Object.fromEntries([...asked, ...unaskable]),
      }),
      select: true,
      ...(!shown.sort.descending && { ascending: true as const }),
      ...(!isEveryRow && { rows: (viewer: Viewer) => rowsOf(own, rows, viewer) }),
    }),
  };
}

/** The table without the hidden fields. */
function shownOf(table: DescribedTable, hidden: ReadonlySet<string>): TableShown {
  const { fields, text, sort, window } = table;
  const visible = (names: readonly string[]) => names.filter((name) => !hidden.has(name));
  const left = Object.fromEntries(Object.entries(fields).filter(([name]) => !hidden.has(name)));
  // Lists are cut to the usual length last: a gap would tell of a hidden field.
  const [usual, usualLeft] = [usualLists(fields), usualLists(left)];
  const visibleOr = (list: 'facets' | 'columns') =>
    usual[list].join() === table[list].join() ? usualLeft[list] : visible(table[list]);
  const columns = visibleOr('columns');
  return {
    fields: left,
    text: visible(text),
    facets: visibleOr('facets'),
    sorts: namesWith(left, 'sort'),
    sort: hidden.has(sort.by) ? { by: KEY, descending: true } : sort,
    // No file has a table without columns: it would tell of hidden ones, and show empty rows.
    columns: columns.length > 0 ? columns : usualLeft.columns,
    window: window && (hidden.has(window.field) ? { span: window.span } : window),
  };
}

/**
 * A field that only grants and labels compare has a column for that. The view does not use it: an order by
 * the index would tell of grants of others, and of hidden labels.
 */
const asAsked = (field: Field): Field =>
  field.kind === 'stored' && field.uses.every((use) => use === 'equals')
    ? { ...field, uses: [] }
    : field;

function rowsOf(fields: StoredFields, rows: DescribedGrant['rows'], { claims }: Viewer): ShownRows {
  const conditions = Object.entries(rows).map(([name, written]) => {
    const given = valuesOf(written, claims);
    return oneOf(
      name,
      given.flatMap((value) => selectedValues(fields[name], value)),
    );
  });
  return { within: and(...conditions), applied: {} };
}

function valuesOf(written: WrittenRows, claims: Viewer['claims']): readonly JsonValue[] {
  const given = isClaim(written) ? claimAt(claims, written.claim) : written;
  return [given].flat().filter(isValue);
}

const isClaim = (written: WrittenRows): written is { readonly claim: string } =>
  typeof written === 'object' && !Array.isArray(written);

/**
 * Numbers of a token are read as doubles, so a larger integer may have been another one. The store has no
 * half pairs of surrogates: it would take each for U+FFFD, which is another text.
 */
const isValue = (value: unknown): value is JsonValue =>
  (typeof value === 'string' && value.isWellFormed()) ||
  typeof value === 'boolean' ||
  (typeof value === 'number' && Math.abs(value) <= Number.MAX_SAFE_INTEGER);
