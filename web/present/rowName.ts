/** A row's name for people: the first of its table's names that has a text, else its key. And its key as a text. */
import type { Row, Table } from '../tables/tables.ts';

/** Keys may be objects, which differ in their JSON alone. */
export function keyTextOf(row: Row, key: string): string {
  const value = row[key];
  return typeof value === 'object' ? JSON.stringify(value) : String(value);
}

/** @param labels of task types */
export function rowName(
  { names, looks, key }: Table,
  row: Row,
  labels: ReadonlyMap<string, string>,
): string {
  const member = names.find((name) => typeof row[name] === 'string' && row[name] !== '');
  if (member === undefined) return keyTextOf(row, key);
  const text = String(row[member]);
  return looks[member]?.look === 'type' ? (labels.get(text) ?? text) : text;
}

/** A word where a title begins. */
export const titled = (text: string) => text.charAt(0).toUpperCase() + text.slice(1);
