/** The latest searches of a table, kept in this browser for the signed-in user. */
import { prefer, preferences } from '../preferences.ts';
import { session } from '../service/session.ts';
import { table } from '../store.ts';

const MOST = 5;

const key = () => `${session.peek()?.userId} ${table.peek().name}`;

/** The latest first, as texts of the search box. */
export const latestSearches = (): readonly string[] => preferences.peek().searches[key()] ?? [];

export function keepSearch(text: string): void {
  const known = latestSearches();
  if (text === '' || text === known[0]) return;
  const next = [text, ...known.filter((one) => one !== text)].slice(0, MOST);
  prefer({ searches: { ...preferences.peek().searches, [key()]: next } });
}
