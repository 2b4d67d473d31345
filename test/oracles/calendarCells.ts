/** Cells of the calendar, asked of `Intl` one date at a time. */

const formats = new Map<string, Intl.DateTimeFormat>();

/** The zone's clock, cut to the interval; up to an hour with its distance from UTC. */
export function cellOf(interval: string, zone: string, time: number): string {
  let format = formats.get(zone);
  if (!format) {
    format = new Intl.DateTimeFormat('en-US', {
      timeZone: zone,
      hourCycle: 'h23',
      era: 'short',
      year: 'numeric',
      month: '2-digit',
      day: '2-digit',
      hour: '2-digit',
      minute: '2-digit',
      timeZoneName: 'longOffset',
    });
    formats.set(zone, format);
  }
  const parts = Object.fromEntries(
    format.formatToParts(time).map(({ type, value }) => [type, value]),
  );
  const { era, month, day, hour, minute, timeZoneName } = parts;
  // The year before the first is 0.
  const year = era === 'BC' ? 1 - Number(parts.year) : Number(parts.year);
  const midnight = new Date(0).setUTCFullYear(year, Number(month) - 1, Number(day));
  const [, isClock, count, unit] = /^P(T?)(\d+)([MHDWY])$/.exec(interval)!;
  const n = Number(count);
  const days = midnight / 86_400_000;
  switch (`${isClock}${unit}`) {
    case 'Y':
      return String(Math.floor(year / n));
    case 'M':
      return `${year} ${Math.floor((Number(month) - 1) / n)}`;
    case 'W':
      // 1970 began on a Thursday.
      return String(Math.floor((days - 4) / (7 * n)));
    case 'D':
      return String(Math.floor(days / n));
    default: {
      const size = unit === 'H' ? n * 60 : n;
      const minutes = Number(hour) * 60 + Number(minute);
      const cell = `${days} ${Math.floor(minutes / size)}`;
      return size > 60 ? cell : `${cell} ${timeZoneName}`;
    }
  }
}
