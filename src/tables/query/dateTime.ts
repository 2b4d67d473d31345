/** Date-times of RFC 3339, as bodies have them. */

const DATE_TIME =
  /^(\d{4})-(\d\d)-(\d\d)[Tt ](\d\d):(\d\d):(\d\d)(?:\.(\d{1,9}))?(?:[Zz]|([+-])(\d\d):(\d\d))$/;

/** A date-time of RFC 3339; undefined for any other text, such as the 30th of February. */
export function dateTime(text: string): Date | undefined {
  const parts = DATE_TIME.exec(text);
  if (!parts) return undefined;
  const [
    ,
    year,
    month,
    day,
    hour,
    minute,
    second,
    fraction = '',
    sign,
    hours = '0',
    minutes = '0',
  ] = parts;
  const numbers = [year, month, day, hour, minute, second].map(Number) as [
    number,
    number,
    number,
    number,
    number,
    number,
  ];
  const ms = Number(fraction.slice(0, 3).padEnd(3, '0'));
  const clock = new Date(0);
  clock.setUTCFullYear(numbers[0], numbers[1] - 1, numbers[2]);
  clock.setUTCHours(numbers[3], numbers[4], Math.min(numbers[5], 59), ms);
  const same =
    clock.getUTCMonth() === numbers[1] - 1 &&
    clock.getUTCDate() === numbers[2] &&
    clock.getUTCHours() === numbers[3] &&
    clock.getUTCMinutes() === numbers[4];
  // A leap second counts as the last second of its minute, as on a computer's clock.
  if (!same || numbers[5] > 60 || Number(hours) > 23 || Number(minutes) > 59) return undefined;
  const offset = (Number(hours) * 60 + Number(minutes)) * 60_000;
  return new Date(clock.getTime() - (sign === '-' ? -offset : offset));
}
