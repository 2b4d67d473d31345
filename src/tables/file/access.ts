/** The grants of a table: who sees which rows and fields. */

import type { FieldType } from '../definition/definition.ts';
import { valueOfType } from '../query/typedValue.ts';
import { type DescribedGrant, KEY } from './described.ts';
import { itemsOf, type OpenField } from './fields.ts';
import type { Spot } from './problems.ts';
import { fieldNamed, type OpenTable } from './references.ts';
import type { WrittenGrant, WrittenTable } from './written.ts';

const ADMINS: DescribedGrant = {
  roles: ['admin'],
  rows: {},
  hidden: new Set(),
  document: true,
};

export function readAccess({ access }: WrittenTable, table: OpenTable): readonly DescribedGrant[] {
  if (access === undefined) return [ADMINS];
  if (!Array.isArray(access)) return [];
  const grants: readonly WrittenGrant[] = access;
  const named = new Set<string>();
  return grants.flatMap((grant, position) => {
    const spot = table.spot.in('access', position);
    if (spot.isWrong) return [];
    const atRoles = spot.in('roles');
    if (Array.isArray(grant.roles) && !atRoles.hasWrong) {
      if (grant.roles.every((role) => named.has(role))) {
        atRoles.add('nobody has this grant: earlier ones name all of its roles');
      }
      for (const role of grant.roles) named.add(role);
    }
    return [readGrant(grant, table, spot)];
  });
}

function readGrant(
  { roles, rows = {}, hide = [], document }: WrittenGrant,
  table: OpenTable,
  spot: Spot,
): DescribedGrant {
  const atRows = spot.in('rows');
  for (const [name, values] of Object.entries(atRows.isWrong ? {} : rows)) {
    const at = atRows.in(name);
    if (at.isWrong) continue;
    const field = fieldNamed(name, table, at)?.field;
    if (!field) continue;
    if (field.kind !== 'stored' || field.type === 'mixed') {
      at.add(`${name} cannot restrict rows: only stored fields that have a type can`);
      continue;
    }
    const list = Array.isArray(values) ? itemsOf(values, at) : [[values, at] as const];
    for (const [value, place] of list) {
      if (typeof value === 'object') continue;
      const misfit = misfitOf(field.type, value);
      if (misfit !== undefined) place.add(`${name} ${misfit}`);
    }
  }
  const named = itemsOf<string>(hide, spot.in('hide'));
  const hidden = hiddenBy(
    named.map(([name]) => name),
    table,
  );
  for (const [name, at] of named) {
    fieldNamed(name, table, at);
    if (name === KEY) at.add('id cannot be hidden: it names every record');
    checkUncovered(name, hidden, table, at);
  }
  return { roles, rows, hidden, document: document ?? named.length === 0 };
}

/** The fields named, and the labels and seconds that are derived from them. */
function hiddenBy(hide: readonly string[], table: OpenTable): ReadonlySet<string> {
  const hidden = new Set(hide);
  for (const [name, open] of table.fields) {
    const field = open?.field;
    if (field?.kind === 'label' && hidden.has(field.through)) hidden.add(name);
    if (field?.kind === 'seconds' && (hidden.has(field.from) || hidden.has(field.to))) {
      hidden.add(name);
    }
  }
  return hidden;
}

/** A mixed field shows all that lies below its path. */
function checkUncovered(
  name: string,
  hidden: ReadonlySet<string>,
  table: OpenTable,
  spot: Spot,
): void {
  const path = pathOf(table.fields.get(name));
  for (const [other, open] of table.fields) {
    const around = hidden.has(other) ? undefined : pathOf(open);
    if (around === undefined || !path?.startsWith(`${around}.`)) continue;
    spot.add(`${other} shows ${name}, which lies within it: hide both`);
  }
}

/** Where a field is stored; undefined for one that is derived, and where that cannot be read. */
const pathOf = (open: OpenField | undefined): string | undefined =>
  open?.field.kind === 'stored' && !open.spot.in('path').hasWrong ? open.field.path : undefined;

/** How values of these types are written in a file, and a sentence about it. */
const FORMS: Readonly<Partial<Record<FieldType, readonly [RegExp, string]>>> = {
  objectId: [/^[0-9a-f]{24}$/i, '24 hexadecimal digits in quotes'],
  uuid: [/^[0-9a-f]{8}(?:-[0-9a-f]{4}){3}-[0-9a-f]{12}$/i, 'a UUID in quotes'],
  date: [
    /^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d(?:\.\d{1,9})?(?:Z|[+-]\d\d:\d\d)$/,
    'a date and time as in "2026-01-31T12:00:00Z"',
  ],
  decimal: [/^-?\d+(?:\.\d+)?$/, 'a number, or its digits in quotes'],
};

/** Why a value written in a file is none of the field's type, as the rest of a sentence; undefined if it is one. */
function misfitOf(type: FieldType, value: unknown): string | undefined {
  if (type === 'string') {
    return typeof value === 'string' ? undefined : 'is text: put the value in quotes';
  }
  if (type === 'boolean') {
    if (typeof value === 'boolean') return undefined;
    const isWord = typeof value === 'string' && /^(?:yes|no|on|off|true|false)$/i.test(value);
    const hint = isWord ? `, and ${value} is text here` : '';
    return `takes true or false${hint}`;
  }
  if (typeof value === 'number' && (type === 'number' || type === 'decimal')) {
    // It may have been another integer before it was read as a double.
    const isExact = Math.abs(value) <= Number.MAX_SAFE_INTEGER;
    return isExact
      ? undefined
      : 'takes numbers up to 9007199254740991, or a claim with larger ones as text';
  }
  if (type === 'number') return 'takes a number without quotes';
  const [form, sentence] = FORMS[type] ?? [];
  const isOfForm = typeof value === 'string' && form?.test(value);
  // There is no 30th of February, and no decimal of more digits than the store has.
  const isValue = isOfForm && valueOfType(type, value) !== undefined;
  return isValue ? undefined : `takes ${sentence}`;
}
