/** Cells of the calendar, asked of `Intl` one date at a time. */

const formats = new Map<string, Intl.DateTimeFormat>();

/** What the clock of the zone shows, cut to the interval; up to an hour with its distance from UTC. */
export function cellOf(interval: string, zone: string, time: number): string {
  let format = formats.get(zone);
  if (!format) {
    format = new Intl.DateTimeFormat('en-US', {
      timeZone: zone,
      hourCycle: 'h23',
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
  const { year, month, day, hour, minute, timeZoneName } = parts;
  const midnight = Date.parse(`${year}-${month}-${day}T00:00:00Z`);
  switch (interval) {
    case 'P1Y':
      return `${year}`;
    case 'P1M':
      return `${year}-${month}`;
    case 'P1W': {
      const weekday = (new Date(midnight).getUTCDay() + 6) % 7;
      return String(midnight - weekday * 86_400_000);
    }
    case 'P1D':
      return `${year}-${month}-${day}`;
    case 'PT6H':
      return `${year}-${month}-${day} ${Math.floor(Number(hour) / 6)}`;
    default: {
      const size = { PT1M: 1, PT5M: 5, PT15M: 15, PT1H: 60 }[interval]!;
      const minutes = Number(hour) * 60 + Number(minute);
      return `${year}-${month}-${day} ${Math.floor(minutes / size)} ${timeZoneName}`;
    }
  }
}
