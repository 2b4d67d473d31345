/** Explore: buckets of every length in zones whose clocks change, and in odd zones. */
import { conform } from './conform.ts';
import { task } from './documents.ts';
import { at, bucketsTo, explored } from './exploreCases.ts';

/** A zone, an interval and dates; below, the buckets with their counts, and where the last one ends. */
const CLOCKS = `
Europe/Berlin P1D 2026-10-24T22:00Z 2026-10-25T22:59Z 2026-10-25T23:00Z
  2026-10-24T22:00Z=2 2026-10-25T23:00Z=1 2026-10-26T23:00Z
Europe/Berlin PT1H 2026-03-29T00:30Z 2026-03-29T01:30Z
  2026-03-29T00:00Z=1 2026-03-29T01:00Z=1 2026-03-29T02:00Z
America/New_York PT1H 2026-11-01T05:30Z 2026-11-01T06:30Z
  2026-11-01T05:00Z=1 2026-11-01T06:00Z=1 2026-11-01T07:00Z
Asia/Kathmandu P1D 2026-01-01T18:14Z 2026-01-01T18:15Z
  2025-12-31T18:15Z=1 2026-01-01T18:15Z=1 2026-01-02T18:15Z
Pacific/Apia P1D 2011-12-30T09:59Z 2011-12-30T10:00Z
  2011-12-29T10:00Z=1 2011-12-30T10:00Z=1 2011-12-31T10:00Z
Europe/Berlin P1W 2026-03-22T22:59Z 2026-03-22T23:00Z 2026-03-29T21:59Z
  2026-03-15T23:00Z=1 2026-03-22T23:00Z=2 2026-03-29T22:00Z
America/New_York P1M 2026-03-01T04:59Z 2026-03-01T05:00Z
  2026-02-01T05:00Z=1 2026-03-01T05:00Z=1 2026-04-01T04:00Z
Europe/Berlin PT6H 2026-10-24T22:00Z 2026-10-25T04:59Z 2026-10-25T05:00Z
  2026-10-24T22:00Z=2 2026-10-25T05:00Z=1 2026-10-25T11:00Z
Europe/Berlin PT6H 2026-03-28T23:00Z 2026-03-29T03:59Z 2026-03-29T04:00Z
  2026-03-28T23:00Z=2 2026-03-29T04:00Z=1 2026-03-29T10:00Z
Europe/Berlin PT15M 2026-10-25T00:45Z 2026-10-25T01:00Z
  2026-10-25T00:45Z=1 2026-10-25T01:00Z=1 2026-10-25T01:15Z
America/New_York P1D 2026-03-08T05:00Z 2026-03-09T03:59Z 2026-03-09T04:00Z
  2026-03-08T05:00Z=2 2026-03-09T04:00Z=1 2026-03-10T04:00Z
America/New_York P1Y 2026-01-01T04:59Z 2026-01-01T05:00Z
  2025-01-01T05:00Z=1 2026-01-01T05:00Z=1 2027-01-01T05:00Z
Asia/Kathmandu PT1H 2026-01-01T00:14Z 2026-01-01T00:15Z
  2025-12-31T23:15Z=1 2026-01-01T00:15Z=1 2026-01-01T01:15Z
Asia/Kathmandu P1M 2026-01-31T18:14Z 2026-01-31T18:15Z
  2025-12-31T18:15Z=1 2026-01-31T18:15Z=1 2026-02-28T18:15Z
Pacific/Apia P1W 2011-12-26T10:00Z 2012-01-01T09:59Z 2012-01-01T10:00Z
  2011-12-26T10:00Z=2 2012-01-01T10:00Z=1 2012-01-08T10:00Z
Pacific/Apia P1M 2011-12-30T09:59Z 2011-12-30T10:00Z
  2011-12-01T10:00Z=2 2011-12-31T10:00Z
`;
const CASES = CLOCKS.trim()
  .split(/\n(?! )/)
  .map((lines) => {
    const [[time_zone, interval, ...dates], shown] = lines
      .split('\n')
      .map((line) => line.trim().split(' ')) as [string[], string[]];
    const starts = shown.slice(0, -1).map((one): [string, number] => {
      const [start, count] = one.split('=');
      return [start!, Number(count)];
    });
    return { time_zone, interval, dates, buckets: bucketsTo(shown.at(-1)!, ...starts) };
  });

conform(
  'explore: clocks',
  {
    tasks: CASES.flatMap(({ dates }, n) =>
      dates.map((text, i) => task(n * 10 + i, { date_done: at(text), worker: `case ${n}` })),
    ),
  },
  CASES.map(({ time_zone, interval, dates, buckets }, n) => {
    const histogram = { field: 'date_done', time_zone, interval };
    return explored(
      `${interval} in ${time_zone}, ${dates[0]}`,
      'admin tasks',
      { histogram, select: [{ field: 'worker', in: [`case ${n}`] }] },
      {
        ids: dates.map((_, i) => n * 10 + i).reverse(),
        histogram: { ...histogram, missing: 0, buckets },
      },
    );
  }),
);
