/** References from one member of a file to another: labels, seconds, and fields of one path. */
import { closest } from '../query/guess.ts';
import type { DescribedField, DescribedLabel, DescribedSeconds } from './described.ts';
import { kindOf, type OpenField } from './fields.ts';
import type { Spot } from './problems.ts';

/** A table's fields while the file is checked; undefined for a field whose kind cannot be read. */
export interface OpenTable {
  readonly name: string;
  readonly spot: Spot;
  /** False if the file's `fields` cannot be read: then no reference is wrong. */
  readonly isKnown: boolean;
  readonly fields: ReadonlyMap<string, OpenField | undefined>;
  /** Only some documents of its collection are rows. */
  readonly hasWindow: boolean;
}

/** The field of this name if it is right; undefined, with a problem added, if the table has none. */
export function fieldNamed(name: string, table: OpenTable, spot: Spot): OpenField | undefined {
  if (table.isKnown && !table.fields.has(name)) {
    const message = `${JSON.stringify(name)} is no field of ${table.name}`;
    spot.add(message, closest(name, [...table.fields.keys()]));
  }
  const open = table.fields.get(name);
  return open?.isSound ? open : undefined;
}

export function checkReferences(table: OpenTable, tables: ReadonlyMap<string, OpenTable>): void {
  const pathOwners = new Map<string, string>();
  for (const [name, open] of table.fields) {
    if (!open) continue;
    const { field, spot } = open;
    if (field.kind === 'label') checkLabel(field, table, tables, spot);
    if (field.kind === 'seconds') checkSeconds(field, table, spot);
    if (field.kind === 'stored' && !spot.in('path').hasWrong) {
      const owner = pathOwners.get(field.path);
      if (owner !== undefined) {
        const message = `${name} and ${owner} both have the path ${field.path}, which only one field may have: leave one out, or give it a path of its own`;
        spot.addToName(message);
      }
      pathOwners.set(field.path, owner ?? name);
    }
  }
}

/** The types of the two fields that a label compares, which are of one type. */
export const SAME_KEY_TYPES: readonly string[] = ['string', 'number', 'objectId', 'uuid'];

function checkLabel(
  { label, of, through, key }: DescribedLabel,
  table: OpenTable,
  tables: ReadonlyMap<string, OpenTable>,
  spot: Spot,
): void {
  const from = fieldNamed(through, table, spot.in('through'));
  const target = tables.get(of);
  if (!target) {
    const message = `${JSON.stringify(of)} is no table of this file`;
    spot.in('of').add(message, closest(of, [...tables.keys()]));
    return;
  }
  if (target.hasWindow) {
    const message = `${of} has a window, and older documents would have no label: name a table of the same collection without one`;
    spot.in('of').add(message);
  }
  const text = fieldNamed(label, target, spot.in('label'));
  if (text && !isOne(text.field, ['string'])) {
    const step = text.field.kind === 'label' ? ', and a label leads one step only' : '';
    spot.in('label').add(`${of}.${label} is ${what(text.field)}: a label shows a string${step}`);
  }
  const to = fieldNamed(key, target, spot.in('key'));
  const isFrom = from && isOne(from.field, SAME_KEY_TYPES);
  if (from && !isFrom) {
    const types = SAME_KEY_TYPES.join(', ');
    spot.in('through').add(`${through} is ${what(from.field)}: a label goes through ${types}`);
  }
  if (!isFrom || !to || isOne(to.field, [kindOf(from.field)])) return;
  const message = `${through} is ${what(from.field)}, ${of}.${key} is ${what(to.field)}: they are never equal`;
  spot.in('through').add(message);
}

function checkSeconds({ from, to }: DescribedSeconds, table: OpenTable, spot: Spot): void {
  for (const [position, name] of [from, to].entries()) {
    const at = spot.in('seconds', position);
    const end = fieldNamed(name, table, at);
    if (!end || isOne(end.field, ['date'])) continue;
    at.add(`${name} is ${what(end.field)}: seconds lie between two dates`);
  }
}

const isOne = (field: DescribedField, types: readonly string[]) =>
  field.kind === 'stored' && !field.several && types.includes(field.type);

/** `a string`, `a list of string`, `a label`. */
function what(field: DescribedField): string {
  const kind = kindOf(field);
  if (field.kind === 'stored' && field.several) return `a list of ${kind}`;
  if (kind === 'mixed') return kind;
  return `${kind === 'objectId' ? 'an' : 'a'} ${kind}`;
}
