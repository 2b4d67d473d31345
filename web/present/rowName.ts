/** A row's name for people: the first of its table's names that has a text, else its key. And its key as a text. */
import { keyInPath } from '../../clients/typescript/connection.ts';
import type { Row, Table } from '../tables/tables.ts';

/** Keys may be objects, which differ in their JSON alone; where they are mixed, quotes tell "1" from 1. */
export function keyTextOf(row: Row, { key, mixedKey }: Pick<Table, 'key' | 'mixedKey'>): string {
  const value = row[key];
  return mixedKey || typeof value === 'object' ? keyInPath(value, true) : String(value);
}

/** @param labels of task types */
export function rowName(table: Table, row: Row, labels: ReadonlyMap<string, string>): string {
  const { names, looks } = table;
  const member = names.find((name) => typeof row[name] === 'string' && row[name] !== '');
  if (member === undefined) return keyTextOf(row, table);
  const text = String(row[member]);
  return looks[member]?.look === 'type' ? (labels.get(text) ?? text) : text;
}

/** A word where a title begins. */
export const titled = (text: string) => text.charAt(0).toUpperCase() + text.slice(1);
