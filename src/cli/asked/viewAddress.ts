/** A saved view's address → members of an explore's body; a test compares it with the web UI over random views. */
import {
  addressFieldsOf,
  askedInDecimals,
  askedInDoubles,
  exactFields,
  type ViewSelect,
  viewedAt,
} from 'table-search/client';
import type { TableDescription } from '../tables.ts';
import { sortingOf } from './body.ts';

/** The project whose rows alone the view shows. */
export const projectOf = (query: string): string | undefined =>
  new URLSearchParams(query).get('project') || undefined;

/** @param apart whether the table is without backup tasks, and a filter asks for them alone */
export function askedAt(query: string, description: TableDescription, now: Date, apart = false) {
  const { orders } = description;
  const viewed = viewedAt(query, addressFieldsOf(description), now);
  const isOwn = description.path.startsWith('/api/v2/tables/');
  const exact = exactFields(description.fields ?? {});
  const select = viewed.select.map((one) =>
    isOwn ? askedInDecimals(one, exact) : askedInDoubles(one),
  );
  const alone = apart ? select.find(isAlone) : undefined;
  const known = viewed.sort.filter(({ by }) => orders.includes(by));
  const sort = known.map(({ by, order }) => (order === 'desc' ? `-${by}` : by)).join();
  const isColumn = (name: string) => Object.hasOwn(description.columns, name);
  const columns = viewed.columns?.filter(isColumn);
  return {
    filters: alone ? { scope: BACKUPS } : {},
    select: select.filter((one) => one !== alone),
    ...(sort !== '' && { sorting: sortingOf(description, sort) }),
    // Without them it has those of its table.
    ...(columns?.length && { columns }),
    /** Conditions that cannot be read. */
    unread: viewed.unread,
    /** Orders and columns that the table does not have, or not for this caller. */
    leftOut: [
      ...viewed.sort.flatMap(({ by }) => (orders.includes(by) ? [] : [`sort=${by}`])),
      ...(viewed.columns ?? []).flatMap((name) => (isColumn(name) ? [] : [`cols=${name}`])),
    ],
  };
}

const BACKUPS = 'backup_infrastructure';
const isAlone = (one: ViewSelect) =>
  one.field === 'scope' && JSON.stringify(one.in) === JSON.stringify([BACKUPS]);
