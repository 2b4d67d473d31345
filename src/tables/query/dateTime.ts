/** Date-times of RFC 3339, as bodies have them; and as answers show years before 0 and after 9999: with a sign and six digits. */

const DATE_TIME =
  /^((?:\d{4}|[+-]\d{6})-\d\d-(\d\d))[Tt ]((?:[01]\d|2[0-3]):[0-5]\d:)([0-5]\d|60)(\.\d{1,9})?([Zz]|[+-](?:[01]\d|2[0-3]):[0-5]\d)$/;

/** A date-time of RFC 3339; undefined for any other text, such as the 30th of February. */
export function dateTime(text: string): Date | undefined {
  const parts = DATE_TIME.exec(text);
  if (!parts) return undefined;
  const [, day, dayOfMonth, minute, second, fraction = '', zone] = parts;
  // JavaScript takes the 30th of February for a day of March.
  if (new Date(`${day}T00:00Z`).getUTCDate() !== Number(dayOfMonth)) return undefined;
  // A leap second counts as the last second of its minute, as on a computer's clock.
  const clock = `${minute}${second === '60' ? '59' : second}${fraction}`;
  const date = new Date(`${day}T${clock}${zone!.toUpperCase()}`);
  // The last day of a JavaScript Date is only its midnight.
  return Number.isNaN(date.getTime()) ? undefined : date;
}

/**
 * The first millisecond that is no earlier than a date-time, as the bound of a range. The store has no parts of
 * milliseconds: from there on, and before it, lie the dates from the date-time on, and before it.
 */
export function millisecondFrom(text: string): Date | undefined {
  const date = dateTime(text);
  if (!date || !/\.\d{3}\d*[1-9]/.test(text)) return date;
  const next = new Date(date.getTime() + 1);
  return Number.isNaN(next.getTime()) ? undefined : next;
}
