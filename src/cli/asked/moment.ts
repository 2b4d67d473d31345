/**
 * Moments as people type them, in UTC as a terminal shows them.
 *
 *     7d                      ──►  seven days ago; also s, m, h, w
 *     now, today, yesterday   ──►  a day is its midnight
 *     2026-11-20              ──►  its midnight
 *     +010000-01-01           ──►  a year after 9999 or before 0, as answers write it
 *     2026-11-20 08:00        ──►  the form of tables; `T`, seconds and a zone are optional
 */

export const MOMENTS =
  '2026-11-20, 2026-11-20T08:00Z, +010000-01-01 (after 9999), 24h or 7d (ago), yesterday, today or now';

const UNIT_S: Readonly<Record<string, number>> = {
  ...{ s: 1, m: 60, h: 3_600, d: 86_400, w: 604_800 },
};
const DAY_MS = 86_400_000;
/** The last moment of a JavaScript Date. */
const LAST = 8.64e15;

const DATE_TIME =
  /^((?:\d{4}|[+-]\d{6})-\d\d-\d\d)(?:[T ](\d\d:\d\d)(:\d\d(?:\.\d{1,9})?)?(Z|[+-]\d\d:\d\d)?)?$/i;

/** The moment as RFC 3339 has it; undefined for any other text. */
export function momentOf(text: string, now: number): string | undefined {
  const word = text.trim().toLowerCase();
  const midnight = now - (now % DAY_MS);
  if (word === 'now') return iso(now);
  if (word === 'today') return iso(midnight);
  if (word === 'yesterday') return iso(midnight - DAY_MS);
  const [, count, unit] = /^(\d{1,9})([smhdw])$/.exec(word) ?? [];
  if (count !== undefined) return iso(Math.max(0, now - Number(count) * UNIT_S[unit!]! * 1_000));
  const [, day, time = '00:00', seconds = ':00', zone = 'Z'] = DATE_TIME.exec(text.trim()) ?? [];
  const moment = `${day}T${time}${seconds}${zone.toUpperCase()}`;
  if (day === undefined || Number.isNaN(Date.parse(moment))) return undefined;
  // JavaScript takes the 30th of February for a day of March.
  return iso(Date.parse(day)).startsWith(day) ? moment : undefined;
}

/** The day that the text names, from its midnight to the next; undefined for any other text. */
export function dayOf(text: string, now: number): { from: string; to: string } | undefined {
  const from = DAY.test(text.trim()) ? momentOf(text, now) : undefined;
  const next = Date.parse(from ?? '') + DAY_MS;
  return from !== undefined && next <= LAST ? { from, to: iso(next) } : undefined;
}

/** The millisecond that the text names by its date; undefined for any other text. */
export function instantOf(text: string): { from: string; to: string } | undefined {
  const moment = DATE_TIME.test(text.trim()) ? momentOf(text, 0) : undefined;
  const at = Date.parse(moment ?? '');
  if (moment === undefined || at === LAST) return undefined;
  // To the service, a moment within a millisecond lies after it.
  return { from: /\.\d{4}/.test(moment) ? iso(at) : moment, to: iso(at + 1) };
}

const DAY = /^((?:\d{4}|[+-]\d{6})-\d\d-\d\d|today|yesterday)$/i;

const iso = (at: number) => new Date(at).toISOString();
