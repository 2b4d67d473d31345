/** From bodies of explores to plans and refusals, as tables; and the calendar's buckets. */
import { expect } from 'chai';
import { describe, it } from 'mocha';
import { taskCatalogue } from '../../../src/apps/admin/resources/taskTypes.ts';
import { adminTasks } from '../../../src/apps/admin/resources/views.ts';
import { compileExplore, parseExplore } from '../../../src/tables/explore/body.ts';
import {
  Calendar,
  calendarOf,
  INTERVALS,
  type Interval,
} from '../../../src/tables/explore/calendar.ts';
import { bucketsFor } from '../../../src/tables/explore/counts.ts';
import { printCondition, printExplore } from '../../../src/tables/explore/plan.ts';
import { dateTime } from '../../../src/tables/query/dateTime.ts';
import { ANY_ADMIN } from '../../model/asks.ts';
import { refusal } from './refusal.ts';

const settings = {
  labels: taskCatalogue().labels,
  fold: (text: string) => text.toLowerCase(),
  maxPerPage: 100,
};
const view = adminTasks;
const validate = compileExplore(view);

function parse(body: unknown) {
  return parseExplore(view, validate(body), ANY_ADMIN, settings);
}

/** The lines after the search's own. */
const PLANS: readonly (readonly [object, string])[] = [
  [{}, ''],
  [
    { select: [{ field: 'status', in: ['FAILURE', null, 'FAILURE'] }] },
    'select status in ["FAILURE",null]',
  ],
  [
    {
      select: [
        { field: 'worker', not_in: [' w '] },
        { field: 'retries', from: 1 },
        { field: 'date_done', from: '2026-11-20T01:00:00+01:00', to: '2026-11-21t00:00:00.5Z' },
        { field: 'task_id', in: ['x'] },
      ],
    },
    'select not worker in [" w "], retries from 1, ' +
      'date_done from 2026-11-20T00:00:00.000Z to 2026-11-21T00:00:00.500Z, task_id in ["x"]',
  ],
  [
    { facets: [{ field: 'status' }, { field: 'folder', limit: 3, contains: ' Ab ' }] },
    'facet status (10)\n  facet folder ~ "Ab" (3)',
  ],
  [
    {
      select: [
        { field: 'worker', not_contains: ' gpu ' },
        {
          any: [
            { field: 'routing_label', contains: 'LDAP' },
            { field: 'id', in: [5] },
          ],
        },
      ],
      baseline: [{ field: 'project_name', contains: 'x' }],
      facets: [{ field: 'worker', order: 'lift', by: 'status' }],
    },
    'select not worker ~ "gpu", (task_type = "sync_ldap" or id in [5])\n' +
      '  baseline project_name ~ "x"\n' +
      '  facet worker (10) by lift, at least 5 each, split by status',
  ],
  [
    { baseline: [], facets: [{ field: 'status', order: 'value' }] },
    'baseline all\n  facet status (10) by value',
  ],
  [
    { histogram: { field: 'date_queued', by: 'status', time_zone: 'Europe/Berlin' } },
    'histogram date_queued by auto in Europe/Berlin, at most 60, split by status',
  ],
  [{ select: [{ field: 'id', not_in: [1, 2] }] }, 'select not id in [1,2]'],
  [
    // No stored date lies within a millisecond: the bound is the next one.
    {
      select: [
        {
          field: 'date_done',
          from: '2026-11-20T00:00:00.1230001Z',
          to: '2026-11-20T23:59:59.9991Z',
        },
        { field: 'eta', from: '1969-12-31T23:59:59.9985Z', to: '2026-11-20T00:00:00.123000Z' },
      ],
    },
    'select date_done from 2026-11-20T00:00:00.124Z to 2026-11-21T00:00:00.000Z, ' +
      'eta from 1969-12-31T23:59:59.999Z to 2026-11-20T00:00:00.123Z',
  ],
  [
    { histogram: { field: 'date_queued', interval: 'P1D', to: '2026-01-01T00:00:00Z' } },
    'histogram date_queued to 2026-01-01T00:00:00.000Z by P1D in UTC',
  ],
];

/** As many as a request may have, and as many as a condition may list. */
const CONDITIONS = Array.from({ length: 50 }, (_, i) => ({ field: 'status', not_in: [`s${i}`] }));
const VALUES = Array.from({ length: 1_000 }, (_, i) => `s${i}`);

const REFUSED: readonly (readonly [string, object, readonly string[]])[] = [
  ['an unknown field', { select: [{ field: 'nope', in: [1] }] }, ['/select/0/field']],
  ['a field that cannot be counted', { facets: [{ field: 'task_id' }] }, ['/facets/0/field']],
  ['a field without a range', { select: [{ field: 'status', from: 1 }] }, ['/select/0/from']],
  ['a field with a range alone', { select: [{ field: 'retries', in: [1] }] }, ['/select/0/in']],
  ['two forms', { select: [{ field: 'status', in: ['a'], not_in: ['b'] }] }, ['/select/0']],
  ['no form', { select: [{ field: 'status' }] }, ['/select/0']],
  ['no values', { select: [{ field: 'status', in: [] }] }, ['/select/0/in']],
  ['an object as a value', { select: [{ field: 'status', in: [{ $ne: 1 }] }] }, ['/select/0/in/0']],
  ['half a letter', { select: [{ field: 'status', in: ['\ud83d'] }] }, ['/select/0/in/0']],
  ['a number as a date', { select: [{ field: 'date_done', from: 5 }] }, ['/select/0/from']],
  ['a text as a number', { select: [{ field: 'retries', to: '5' }] }, ['/select/0/to']],
  ['bounds in no order', { select: [{ field: 'retries', from: 5, to: 5 }] }, ['/select/0/from']],
  [
    'a day without an offset',
    { select: [{ field: 'date_done', from: '2026-01-01T00:00:00' }] },
    ['/select/0/from'],
  ],
  [
    'moments past the last date',
    {
      select: [
        { field: 'date_done', to: '+275760-09-13T00:00:01Z' },
        { field: 'date_done', to: '+275760-09-13T00:00:00.0001Z' },
        { field: 'date_done', from: '-271821-04-20T00:00:00+01:00' },
      ],
      histogram: { field: 'date_done', until: '+275760-09-13T00:00:00-01:00' },
    },
    ['/histogram/until', '/select/0/to', '/select/1/to', '/select/2/from'],
  ],
  [
    'a field twice',
    { facets: [{ field: 'status' }, { field: 'status', limit: 2 }] },
    ['/facets/1/field'],
  ],
  ['too long a list', { facets: [{ field: 'status', limit: 1_001 }] }, ['/facets/0/limit']],
  ['no field', { histogram: {} }, ['/histogram/field']],
  ['a histogram of numbers', { histogram: { field: 'retries' } }, ['/histogram/field']],
  [
    'an unknown zone and an unknown interval',
    { histogram: { field: 'date_done', time_zone: 'Mars/Olympus', interval: 'P5D' } },
    ['/histogram/interval'],
  ],
  [
    'an unknown zone',
    { histogram: { field: 'date_done', time_zone: 'Mars/Olympus' } },
    ['/histogram/time_zone'],
  ],
  [
    'an offset as a zone',
    { histogram: { field: 'date_done', time_zone: '+01:00' } },
    ['/histogram/time_zone'],
  ],
  [
    'several problems',
    {
      select: [{ field: 'status' }, { field: 'retries', from: 'x' }],
      histogram: { field: 'date_done', from: '2026-02-30T00:00:00Z' },
    },
    ['/histogram/from', '/select/0', '/select/1/from'],
  ],
  ['too many conditions', { select: Array(51).fill({ field: 'status', in: [1] }) }, ['/select']],
  [
    'too many conditions, those of any counted',
    { select: [...CONDITIONS.slice(1), { any: CONDITIONS.slice(0, 2) }] },
    ['/select'],
  ],
  ['too many of a baseline', { baseline: [...CONDITIONS, ...CONDITIONS] }, ['/baseline']],
  ['too many alternatives', { select: [{ any: CONDITIONS.slice(0, 21) }] }, ['/select/0/any']],
  [
    'too many values',
    { select: [{ field: 'status', not_in: [...VALUES, 'one more'] }] },
    ['/select/0/not_in'],
  ],
  ['too many facets', { facets: Array(21).fill({ field: 'status' }) }, ['/facets']],
  ['too many statistics', { stats: Array(11).fill({ field: 'retries' }) }, ['/stats']],
  [
    'numbers out of their bounds',
    {
      baseline: [],
      facets: [
        { field: 'status', limit: 0 },
        { field: 'worker', order: 'lift', min_count: 0 },
      ],
      histogram: { field: 'date_done', min_buckets: 0, max_buckets: 501 },
    },
    ['/facets/0/limit', '/facets/1/min_count', '/histogram/max_buckets', '/histogram/min_buckets'],
  ],
];

describe('explore', () => {
  for (const [body, lines] of PLANS) {
    it(`plans ${lines || 'a search'}`, () => {
      const printed = printExplore(parse(body).plan).split('\n  ');
      expect(printed.slice(1).join('\n  ')).to.equal(lines);
    });
  }

  it('takes as many conditions, values and buckets as there may be', () => {
    const any = CONDITIONS.slice(0, 20);
    const { conditions } = parse({ select: [...CONDITIONS.slice(0, 30), { any }] }).plan;
    expect(conditions).length(31);
    const { plan } = parse({
      select: [{ field: 'status', in: VALUES }],
      baseline: CONDITIONS,
      facets: [{ field: 'status', limit: 1_000, order: 'lift', min_count: 1 }],
      histogram: { field: 'date_done', min_buckets: 1, max_buckets: 500 },
    });
    expect(plan.baseline).length(50);
    expect(plan.conditions).nested.property('[0].values').length(1_000);
  });

  it('counts from the next millisecond on, in buckets from that of the moment itself', () => {
    const [from, to] = ['2026-01-01T00:59:59.9995Z', '2026-01-01T01:59:59.9995Z'];
    const { plan } = parse({ histogram: { field: 'eta', interval: 'PT1H', from, to } });
    const { histogram } = plan;
    expect(histogram?.from?.toISOString()).to.equal('2026-01-01T01:00:00.000Z');
    const { boundaries } = bucketsFor(histogram!, undefined);
    expect(boundaries.map((at) => new Date(at).toISOString().slice(11, 16))).to.eql([
      ...['00:00', '01:00', '02:00'],
    ]);
  });

  it('names the forms of conditions that a field takes, where another is given', () => {
    const given = [
      { field: 'retries', not_in: [1] },
      { field: 'retries', not_in: [null, 1] },
      { field: 'datamimic_status', contains: 'x' },
      { field: 'worker', from: 1 },
    ];
    const detail = (condition: object) => refusal(parse, { select: [condition] }).errors[0]?.detail;
    expect(given.map(detail)).eql([
      'A condition on the field retries takes "from", "to", "in" and "not_in" with null alone.',
      'A condition on the field retries takes "from", "to", "in" and "not_in" with null alone.',
      'A condition on the field datamimic_status takes "in", "not_in".',
      'A condition on the field worker takes "in", "not_in", "contains", "not_contains".',
    ]);
  });

  it('takes null alone in lists of a field with ranges', () => {
    const select = [{ field: 'retries', not_in: [null, null] }];
    expect(parse({ select }).appliedSelect).eql([{ field: 'retries', not_in: [null] }]);
  });

  for (const [name, body, pointers] of REFUSED) {
    it(`refuses ${name}`, () => {
      const { code, errors } = refusal(parse, body);
      expect(code).to.equal('ValidationFailed');
      expect([...new Set(errors.map(({ pointer }) => pointer))].sort()).to.deep.equal(pointers);
    });
  }

  it('repeats the conditions as it understood them', () => {
    const { appliedSelect, plan } = parse({
      select: [
        { field: 'status', in: ['a', 'a'] },
        { field: 'date_done', to: '2026-01-01T00:00:00+02:00' },
      ],
    });
    expect(appliedSelect).to.deep.equal([
      { field: 'status', in: ['a'] },
      { field: 'date_done', to: '2025-12-31T22:00:00.000Z' },
    ]);
    expect(plan.conditions.map(printCondition)).to.have.length(2);
  });

  it('reads the date-times of RFC 3339', () => {
    const read = (text: string) => dateTime(text)?.toISOString();
    expect(read('1985-04-12T23:20:50.52Z')).to.equal('1985-04-12T23:20:50.520Z');
    expect(read('1996-12-19T16:39:57-08:00')).to.equal('1996-12-20T00:39:57.000Z');
    expect(read('1990-12-31T23:59:60Z')).to.equal('1990-12-31T23:59:59.000Z');
    expect(read('1937-01-01T12:00:27.87+00:20')).to.equal('1937-01-01T11:40:27.870Z');
    // As answers show them.
    for (const far of ['+010000-01-01T00:00:00.000Z', '-002001-12-31T23:06:32.000Z']) {
      expect(read(far)).to.equal(far);
    }
    for (const bad of [
      '+275760-09-13T00:00:00.001Z',
      '-000000-01-01T00:00:00Z',
      '2026-13-01T00:00:00Z',
      '2026-01-01T24:00:00Z',
      '2026-01-01',
      'now',
    ]) {
      expect(read(bad), bad).to.equal(undefined);
    }
  });
});

/**
 * A line has the zone, the interval, the first moment and the last one. Then it has the beginnings of the
 * buckets, and the end of the last one. 1 January 1970 began a cell of two days, of four, and the year.
 */
const BUCKETS = `
  Europe/Berlin PT1H 2026-10-25T00:30Z 2026-10-25T02:30Z 10-25T00:00 10-25T01:00 10-25T02:00 10-25T03:00
  Europe/Berlin PT6H 2026-10-25T02:30Z 2026-10-25T06:30Z 10-24T22:00 10-25T05:00 10-25T11:00
  Europe/Berlin P1D 2026-03-28T23:00Z 2026-03-29T22:00Z 03-28T23:00 03-29T22:00 03-30T22:00
  Asia/Kathmandu PT1H 2026-01-01T00:14Z 2026-01-01T00:14Z 12-31T23:15 01-01T00:15
  Pacific/Apia P1D 2011-12-30T09:59Z 2011-12-30T10:00Z 12-29T10:00 12-30T10:00 12-31T10:00
  America/Havana P1D 2026-11-01T05:30Z 2026-11-01T05:30Z 11-01T04:00 11-02T05:00
  America/Sao_Paulo P1D 2018-11-04T03:00Z 2018-11-04T03:00Z 11-04T03:00 11-05T02:00
  Australia/Lord_Howe PT1H 2026-04-04T14:30Z 2026-04-04T15:30Z 04-04T14:00 04-04T15:00 04-04T15:30 04-04T16:30
  UTC P4D 1970-01-04T00:00Z 1970-01-05T00:00Z 01-01T00:00 01-05T00:00 01-09T00:00
  UTC P3M 2026-05-09T00:00Z 2026-07-01T00:00Z 04-01T00:00 07-01T00:00 10-01T00:00
  Europe/Berlin PT2H 2026-03-29T00:30Z 2026-03-29T01:30Z 03-28T23:00 03-29T01:00 03-29T02:00
  UTC P1W 2026-11-22T23:59Z 2026-11-22T23:59Z 11-16T00:00 11-23T00:00
  America/New_York P1Y 2026-06-01T00:00Z 2026-06-01T00:00Z 01-01T05:00 01-01T05:00
`;

type Line = [zone: string, interval: Interval, first: string, last: string, ...string[]];

describe('calendar', () => {
  for (const line of BUCKETS.trim().split('\n')) {
    const [zone, interval, first, last, ...expected] = line.trim().split(' ') as Line;
    it(`${zone} ${interval} from ${first}`, () => {
      const found = calendarOf(zone).boundaries(interval, Date.parse(first), Date.parse(last), 500);
      const shown = (found as readonly number[]).map((ms) =>
        new Date(ms).toISOString().slice(5, 16),
      );
      expect(shown).to.deep.equal(expected);
    });
  }

  it('has an interval for any two dates, such as a birthday and the end of 9999', () => {
    const plan = { field: 'at', interval: 'auto', timeZone: 'Europe/Berlin' } as const;
    for (const [first, last, interval, least] of [
      ['1900-03-01', '2026-11-27', 'P2Y', 45],
      ['2020-03-01', '9999-12-31', 'P100Y', 45],
      // Microseconds that were stored as milliseconds.
      ['1970-01-01', '+056000-01-01', 'P1000Y', 45],
      ['-271821-04-20', '+275760-09-13', 'P10000Y', 45],
    ] as const) {
      const extent = { first: Date.parse(first), last: Date.parse(last) };
      const found = bucketsFor({ ...plan, minBuckets: 45, maxBuckets: 90 }, extent);
      expect(found.interval, first).equal(interval);
      expect(found.boundaries.length - 1).within(least, 90);
      expect(found.boundaries[0]).most(extent.first);
      expect(found.boundaries.at(-1)).least(extent.last);
    }
    const found = bucketsFor(
      { ...plan, maxBuckets: 20, interval: 'P10Y', timeZone: 'UTC' },
      { first: Date.parse('-000003-01-01'), last: Date.parse('0015-06-01') },
    );
    const years = found.boundaries.map((at) => new Date(at).getUTCFullYear());
    expect(years).eql([-10, 0, 10, 20]);
  });

  it('has 60 to 120 buckets for every span from an hour to ten years', () => {
    const plan = { field: 'at', interval: 'auto', timeZone: 'Europe/Berlin' } as const;
    const numbers = new Set<string>();
    for (let ms = 3_600_000; ms <= 10 * 366 * 86_400_000; ms *= 1.004) {
      for (const first of ['2014-01-01T00:00Z', '2015-03-29T00:37Z', '2016-06-15T13:31Z']) {
        const extent = { first: Date.parse(first), last: Date.parse(first) + Math.floor(ms) };
        const found = bucketsFor({ ...plan, minBuckets: 60, maxBuckets: 120 }, extent);
        const n = found.boundaries.length - 1;
        numbers.add(found.interval);
        expect(n, `${ms / 3_600_000} h from ${first}: ${found.interval}`).within(60, 120);
      }
    }
    const longest = INTERVALS.indexOf('P2M') + 1;
    expect([...numbers], 'all up to two months').have.members(INTERVALS.slice(0, longest));
  });

  it('takes the plain interval where that has enough buckets', () => {
    const plan = { field: 'at', interval: 'auto', timeZone: 'UTC', maxBuckets: 120 } as const;
    const [first, day] = [Date.UTC(2026, 0, 1), 86_400_000];
    const intervalOf = (days: number, minBuckets?: number) => {
      const least = minBuckets === undefined ? {} : { minBuckets };
      return bucketsFor({ ...plan, ...least }, { first, last: first + days * day - 1 }).interval;
    };
    expect([7, 60, 365].map((days) => intervalOf(days))).eql(['PT6H', 'P1D', 'P1W']);
    expect([7, 60, 365].map((days) => intervalOf(days, 60))).eql(['PT2H', 'P1D', 'P4D']);
    expect(intervalOf(60, 61)).equal('PT12H');
  });

  it('ends at the ends of what a date can be', () => {
    for (const edge of [8.64e15, -8.64e15]) {
      for (const interval of ['PT1M', 'P1D', 'P1Y', 'P1000Y'] as const) {
        for (const zone of ['Asia/Kathmandu', 'America/New_York']) {
          const found = calendarOf(zone).boundaries(interval, edge, edge, 500) as number[];
          expect(found).to.be.an('array').with.length.within(2, 3);
          expect(found[0], `${zone} ${interval}`).at.most(edge);
        }
      }
    }
  });

  it('says about how many buckets there would be', () => {
    const [first, last] = [Date.parse('2000-01-01'), Date.parse('2026-01-01')];
    const found = calendarOf('UTC').boundaries('P1D', first, last, 500);
    expect(found).to.have.property('tooMany').that.is.within(9_400, 9_600);
  });

  it('remembers as much of a zone as one histogram needs, and not all that was ever asked', () => {
    const { prototype } = Intl.DateTimeFormat;
    const format = Object.getOwnPropertyDescriptor(prototype, 'format')!;
    let asked = 0;
    Object.defineProperty(prototype, 'format', {
      ...format,
      get(this: Intl.DateTimeFormat) {
        asked += 1;
        return format.get!.call(this);
      },
    });
    try {
      const calendar = new Calendar('America/Lima');
      const months = (year: number) => {
        asked = 0;
        calendar.boundaries('P1M', Date.UTC(year, 0, 1), Date.UTC(year + 40, 0, 1), 500);
        return asked;
      };
      expect(months(1_800)).above(5_000);
      expect(months(1_800)).equal(0);
      for (let year = 1_840; year < 2_000; year += 40) months(year);
      expect(months(1_800)).above(5_000);
    } finally {
      Object.defineProperty(prototype, 'format', format);
    }
  });
});
