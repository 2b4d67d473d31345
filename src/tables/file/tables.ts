/**
 * From the data of a file to its tables as described, or to all its problems.
 *
 *     data ──shape──▶ fields, each alone ──▶ references between them ──▶ lists, grants
 *
 * A part with a problem is left out of the checks that would need it, so that one slip is one problem. All
 * other parts are checked, so that one run tells every problem.
 */

import { readAccess } from './access.ts';
import { type DescribedField, type DescribedTable, KEY } from './described.ts';
import { headingOf, inOrder, type OpenField, openField } from './fields.ts';
import { readLists } from './lists.ts';
import type { Spot } from './problems.ts';
import { checkReferences, type OpenTable } from './references.ts';
import { checkShape } from './shape.ts';
import { usualLists } from './usual.ts';
import { readWindow } from './window.ts';
import type { WrittenTable } from './written.ts';

/** The tables in the file's order; they are of use only if no problem was added. */
export function describeTables(value: unknown, file: Spot): readonly DescribedTable[] {
  checkShape(value, file);
  const written = objectsIn((value as { readonly tables?: unknown } | null)?.tables);
  const tables = new Map<string, OpenTable>();
  for (const [name, table] of written) {
    const spot = file.in('tables', name);
    tables.set(name, openTable(name, table as Partial<WrittenTable>, spot));
  }
  for (const table of tables.values()) checkReferences(table, tables);
  return written.map(([name, table]) => closeTable(table as WrittenTable, tables.get(name)!));
}

function openTable(name: string, { fields, window }: Partial<WrittenTable>, spot: Spot): OpenTable {
  const open = new Map<string, OpenField | undefined>();
  const at = spot.in('fields');
  const isKnown = isObject(fields);
  for (const [name, written] of Object.entries(isKnown ? fields : {})) {
    open.set(name, openField(name, written, at.in(name)));
  }
  if (isKnown && !open.has(KEY)) {
    at.addToName(`${name} has no field "id", the key: add it with its type, such as id: objectId`);
  }
  return { name, spot, isKnown, fields: open, hasWindow: window !== undefined };
}

function closeTable(written: WrittenTable, table: OpenTable): DescribedTable {
  const lists = readLists(written, table);
  const window = readWindow(written, table);
  const access = readAccess(written, table);
  const { name } = table;
  // The lists have given their uses by now.
  const closed = [...table.fields].flatMap(([field, open]): [string, DescribedField][] =>
    open ? [[field, { ...open.field, uses: inOrder(open.uses) }]] : [],
  );
  const fields = Object.fromEntries(closed);
  return {
    name,
    collection: written.collection,
    title: written.title ?? headingOf(name),
    fields,
    ...usualLists(fields),
    ...lists,
    ...(window && { window }),
    access,
  };
}

function objectsIn(value: unknown): readonly [string, object][] {
  if (!isObject(value)) return [];
  return Object.entries(value).filter((entry): entry is [string, object] => isObject(entry[1]));
}

const isObject = (value: unknown): value is Readonly<Record<string, unknown>> =>
  typeof value === 'object' && value !== null && !Array.isArray(value);
