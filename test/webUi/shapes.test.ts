/** From answers to what the web UI shows: questions, bars, marks, and rows that stay where they are. */
import { expect } from 'chai';
import fc from 'fast-check';
import { ApiError, viewOf } from '../../clients/typescript/index.ts';
import { boundsOf } from '../../clients/typescript/viewAddress.ts';
import { askedAt } from '../../src/cli/asked/viewAddress.ts';
import { bucketsFor } from '../../src/tables/explore/counts.ts';
import { chipText } from '../../web/present/chip.ts';
import { waitAfter } from '../../web/present/failureText.ts';
import { finderOf, partsOf } from '../../web/present/highlight.ts';
import { begun, kept, merged } from '../../web/present/merge.ts';
import { seriesOf, toneOf } from '../../web/present/status.ts';
import {
  bucketAt,
  byFrequency,
  layersOf,
  outlineOf,
  rangeOf,
  SPAN_CHOICES,
  ticksOf,
} from '../../web/present/timeline.ts';
import { type Branch, treeOf } from '../../web/present/tree.ts';
import {
  baselineQuestion,
  isComparedWithItself,
  questionOf,
  wanted,
} from '../../web/query/question.ts';
import { rangeOf as typedRange } from '../../web/query/ranges.ts';
import { addressOf } from '../../web/state/address.ts';
import {
  ageOf,
  bytesOf,
  changeOf,
  datesText,
  durationOf,
  earlierThan,
  momentOf,
  moneyOf,
  shareOf,
  whenOf,
} from '../../web/state/times.ts';
import { type Condition, initialView } from '../../web/state/view.ts';
import { setOwnTables } from '../../web/tables/ownTables.ts';
import { addressFields, TABLES, tableOf } from '../../web/tables/tables.ts';
import { language } from '../../web/words/words.ts';
import { ownTable, useOwnTables } from './ownTable.ts';

const ADMIN = true;
const MEMBER = false;
const NOW = new Date('2026-11-20T12:00:00Z');
const axis = (interval: string, ...bounds: readonly string[]) => ({
  interval,
  buckets: bounds.slice(1).map((end, at) => ({ start: bounds[at]!, end })),
});
const CIRCUMSTANCES = { facets: [], timeZone: 'UTC', now: NOW, buckets: 60 };

describe("the web UI's question", () => {
  useOwnTables();

  it('goes where the asker may ask', () => {
    const tasks = initialView('tasks');
    expect(questionOf(tasks, ADMIN, CIRCUMSTANCES)?.view).equal('adminTasks');
    expect(questionOf(tasks, MEMBER, CIRCUMSTANCES)).equal(undefined);
    const project = { ...tasks, project: '0993998b-42f5-49de-a4db-b30aa9798041' };
    expect(questionOf(project, MEMBER, CIRCUMSTANCES)).to.include({ view: 'projectTasks' });
    expect(questionOf(initialView('projects'), MEMBER, CIRCUMSTANCES)?.view).equal('ownProjects');
    expect(questionOf(initialView('audit'), MEMBER, CIRCUMSTANCES)).equal(undefined);
  });

  it('has the filters of the search that it goes to', () => {
    const columns = Object.keys(tableOf('tasks').description.columns);
    const project = '0993998b-42f5-49de-a4db-b30aa9798041';
    const ofAll = { ...initialView('tasks'), q: 'gpu', columns };
    const filters = (view: typeof ofAll) => questionOf(view, ADMIN, CIRCUMSTANCES)!.body.filters;
    expect(filters(ofAll)).eql({ q: 'gpu', get_artifacts_metadata: true });
    expect(filters({ ...ofAll, project })).eql({ q: 'gpu' });
  });

  it('asks the built-in tables for doubles around a number of more digits, and own tables for the number', () => {
    const select = (table: string, text: string) => {
      const range = typedRange('number', text) as { from?: string; to?: string };
      const view = { ...initialView(table), conditions: [{ field: 'retries', ...range }] };
      const { field: _, ...ends } = wanted(view as never, 'adminTasks', NOW).select[0]!;
      return ends;
    };
    const digits = '9007199254740993';
    expect(select('tables/orders', `>=${digits}`)).eql({ from: digits });
    const even = 9007199254740992;
    expect(select('tasks', '>=3')).eql({ from: 3 });
    expect(select('tasks', `>=${digits}`)).eql({ from: even });
    expect(select('tasks', `<${digits}`)).eql({ to: even + 2 });
    expect(select('tasks', `<=${digits}`)).eql({ to: even + 2 });
    expect(select('tasks', digits)).eql({ from: even, to: even + 2 });
    expect(select('tasks', String(even))).eql({ from: even, to: even + 2 });
    expect(select('tasks', `-${digits}`)).eql({ from: -even - 2, to: -even });
    expect(select('tasks', `${digits}..9007199254740995`)).eql({ from: even, to: even + 4 });
    // No stored number has more than 34 digits.
    for (const table of ['tasks', 'tables/orders']) {
      expect(select(table, `<=0.${'1'.repeat(35)}`)).eql({ to: 0.11111111111111112 });
      expect(select(table, `>=${'1'.repeat(40)}`)).eql({ from: Number('1'.repeat(40)) });
    }
  });

  it('asks own tables for the next decimal after a whole number, by an address of doubles', () => {
    const types = ['decimal', 'number', 'seconds'];
    const fields = types.map((type) => [type, { type, uses: ['range'] }]);
    const own = ownTable(Object.fromEntries(fields), {
      ...{ name: 'orders', path: '/api/v2/tables/orders/search' },
      ...{ values: [], ranges: Object.fromEntries(types.map((type) => [type, 'number'])) },
    });
    setOwnTables([own]);
    const select = (field: string, text: string) => {
      const condition = { field, ...typedRange('number', text) } as Condition;
      const view = { ...initialView('tables/orders'), conditions: [condition] };
      const address = addressOf(view, addressFields);
      const { select } = wanted(view, 'tables/orders', NOW);
      const description = { ...viewOf(own), fields: own.fields };
      const ofView = askedAt(address.split('?')[1]!, description, NOW);
      expect(ofView.select, 'on the command line').eql(select);
      const { field: _, ...ends } = select[0]!;
      return { address: decodeURIComponent(address.split('=').slice(1).join('=')), ...ends };
    };
    const after100 = `100.${'0'.repeat(30)}1`;
    expect(select('decimal', '>100')).eql({ address: '>100..', from: after100 });
    expect(select('number', '<=100')).eql({ address: '..=100', to: after100 });
    expect(select('number', '100')).eql({ address: '100', from: 100, to: after100 });
    // Here the next double is a whole number.
    expect(select('decimal', '>4503599627370497')).include({
      address: '>4503599627370497..',
      from: `4503599627370497.${'0'.repeat(17)}1`,
    });
    expect(select('decimal', '<-100')).include({ to: -100 });
    expect(select('decimal', '>-100')).include({ from: `-99.${'9'.repeat(32)}` });
    const after01 = `0.1${'0'.repeat(32)}1`;
    expect(select('decimal', '>0.1')).include({ from: after01 });
    expect(select('decimal', '0.1')).include({ from: 0.1, to: after01 });
    expect(select('number', '>0.1')).include({ from: 0.10000000000000002 });
    expect(select('decimal', '>0')).include({ from: Number.MIN_VALUE });
    expect(select('seconds', '>100')).include({ from: 100.00000000000001 });
  });

  it('zooms the timeline to the range that is chosen', () => {
    const view = {
      ...initialView('tasks'),
      conditions: [{ kind: 'span', field: 'date_queued', span: '24h' } as const],
    };
    const body = questionOf(view, ADMIN, CIRCUMSTANCES)!.body;
    const from = '2026-11-19T12:00:00.000Z';
    expect(body.select).eql([{ field: 'date_queued', from }]);
    expect(body.histogram).to.include({ field: 'date_queued', from, by: 'status' });
  });

  it('lets bars of today reach until now, and rows until the day ends', () => {
    const view = {
      ...initialView('tasks'),
      conditions: [{ kind: 'span', field: 'date_queued', span: 'today' } as const],
    };
    const { select, histogram } = questionOf(view, ADMIN, CIRCUMSTANCES)!.body;
    const [{ to }] = select as [{ to: string }];
    const { until } = histogram as { until: string };
    const { now } = CIRCUMSTANCES;
    expect(new Date(to).getTime()).greaterThan(now.getTime());
    expect(histogram).not.have.property('to');
    expect(new Date(until).getTime() - now.getTime()).equal(60_000);
  });

  it('compares a range with the one before, its other conditions the same', () => {
    const view = {
      ...initialView('tasks'),
      q: 'gpu',
      conditions: [
        { kind: 'values', field: 'status', not: false, values: ['FAILURE'] } as const,
        { kind: 'span', field: 'date_queued', span: '6h' } as const,
      ],
      compare: 'before' as const,
    };
    const status = { field: 'status', in: ['FAILURE'] };
    const [from, to] = ['2026-11-20T00:00:00.000Z', '2026-11-20T06:00:00.000Z'];
    const facets = [{ field: 'status' }];
    const { body } = questionOf(view, ADMIN, { ...CIRCUMSTANCES, facets })!;
    expect(body.filters).eql({ q: 'gpu' });
    expect(body.select).eql([status, { field: 'date_queued', from: to }]);
    expect(body.baseline).eql([status, { field: 'date_queued', from, to }]);
    expect(body.facets).eql(facets);
    // Bars reach until the minute ends, also where nothing has come lately.
    expect(body.histogram).to.include({ from: to, until: '2026-11-20T12:01:00.000Z' });
    const earlier = baselineQuestion(view, ADMIN, CIRCUMSTANCES, axis('PT5M'))!.body;
    expect(earlier.filters).eql({ q: 'gpu' });
    expect(earlier.select).eql([status, { field: 'date_queued', from, to }]);
    expect(earlier.histogram).to.include({ interval: 'PT5M', from, to });
  });

  it('compares with other filters over the same time, in the buckets that show', () => {
    const values = (field: string, value: string) =>
      ({ kind: 'values', field, not: false, values: [value] }) as const;
    const span = { kind: 'span', field: 'date_queued', span: '6h' } as const;
    const view = {
      ...initialView('tasks'),
      q: 'gpu',
      conditions: [values('status', 'FAILURE'), span],
      compare: 'with-ranked' as const,
      // Dates of its own do not count.
      other: { q: 'cpu', conditions: [values('worker', 'w1'), { ...span, span: '7d' } as const] },
    };
    const from = '2026-11-20T06:00:00.000Z';
    const facets = [{ field: 'status' }];
    const { body } = questionOf(view, ADMIN, { ...CIRCUMSTANCES, facets })!;
    expect(body.filters).eql({});
    expect(body.select).eql([
      { text: 'gpu' },
      { field: 'status', in: ['FAILURE'] },
      { field: 'date_queued', from },
    ]);
    expect(body.baseline).eql([
      { text: 'cpu' },
      { field: 'worker', in: ['w1'] },
      { field: 'date_queued', from },
    ]);
    expect(body.facets).eql([{ field: 'status', order: 'lift' }]);
    const other = baselineQuestion(view, ADMIN, CIRCUMSTANCES, axis('PT5M', 'a', 'b', 'c'))!.body;
    expect(other.filters).eql({ q: 'cpu' });
    expect(other.select).eql(body.baseline!.slice(1));
    expect(other.histogram).to.include({ interval: 'PT5M', from: 'a', to: 'c' });
    // Backups are rows that a filter alone shows: no baseline can have them beside others.
    const backups = { q: '', conditions: [values('scope', 'backup_infrastructure')] };
    const apart = questionOf({ ...view, other: backups }, ADMIN, { ...CIRCUMSTANCES, facets })!;
    expect(apart.body).not.property('baseline');
    expect(apart.body.facets).eql(facets);
    const alike = { ...view, ...backups, other: backups };
    expect(questionOf(alike, ADMIN, { ...CIRCUMSTANCES, facets })!.body).deep.include({
      filters: { scope: 'backup_infrastructure' },
      baseline: [],
    });
  });

  it('knows a facet that leaves out all that differs from the baseline', () => {
    const [failed, done] = ['FAILURE', 'SUCCESS'].map((one) => ({ field: 'status', in: [one] }));
    const range = { field: 'date_queued', from: '2026-11-20T06:00:00.000Z' };
    const either = { any: [failed!, { field: 'status', not_in: ['RETRY'] }] };
    const mixed = { any: [failed!, { field: 'worker', in: ['w1'] }] };
    const compares = (select: object[], baseline: object[] | undefined, field = 'status') =>
      isComparedWithItself({ select, ...(baseline && { baseline }) } as never, field);
    expect(compares([failed!, range], [range, done!])).equal(true);
    expect(compares([either, range], [range]), 'alternatives on one field').equal(true);
    expect(compares([failed!, range], [done!, range], 'worker')).equal(false);
    expect(compares([failed!, range], [done!]), 'another difference').equal(false);
    expect(compares([mixed], []), 'alternatives on two fields').equal(false);
    expect(compares([range], [range]), 'no difference').equal(false);
    expect(compares([failed!], undefined), 'no baseline').equal(false);
  });

  it('compares nothing without a range that has begun', () => {
    const from = '2026-11-21T00:00:00.000Z';
    for (const conditions of [
      [],
      [{ kind: 'range', field: 'date_queued', to: from } as const],
      [{ kind: 'range', field: 'date_queued', from } as const],
      [{ kind: 'span', field: 'date_done', span: '6h' } as const],
      // A week before this one there was no moment.
      [{ kind: 'range', field: 'date_queued', from: '-271821-04-21T00:00:00.000Z' } as const],
    ]) {
      const view = { ...initialView('tasks'), conditions, compare: 'week' as const };
      expect(questionOf(view, ADMIN, CIRCUMSTANCES)!.body).not.property('baseline');
      expect(baselineQuestion(view, ADMIN, CIRCUMSTANCES, axis('P1D'))).equal(undefined);
    }
  });

  it('asks for backups by the filter that alone shows them', () => {
    const scope = { kind: 'values', field: 'scope', not: false } as const;
    const view = {
      ...initialView('tasks'),
      conditions: [{ ...scope, values: ['backup_infrastructure'] }],
    };
    const { filters, select } = questionOf(view, ADMIN, CIRCUMSTANCES)!.body;
    expect([filters, select]).eql([{ scope: 'backup_infrastructure' }, []]);
  });
});

describe('a failure', () => {
  it('of the store is tried again each 8 s, and one of the service itself each minute', () => {
    const waits = (code: string, status: number, headers = {}) => {
      const error = new ApiError({ code, status, title: '', detail: '' }, new Headers(headers));
      return [0, 1, 2, 3, 4, 5, 6, 99].map((tries) => waitAfter(error, tries));
    };
    const first = [1_000, 2_000, 4_000, 8_000];
    expect(waits('StoreUnavailable', 503)).eql([...first, 8_000, 8_000, 8_000, 8_000]);
    expect(waits('Internal', 500)).eql([...first, 16_000, 32_000, 60_000, 60_000]);
    expect(waits('Overloaded', 503, { 'retry-after': '5' }).slice(0, 4)).eql([
      5_000, 5_000, 5_000, 8_000,
    ]);
    expect(waits('NotFound', 404)[0]).equal(undefined);
  });
});

describe('tones of states', () => {
  it('are those of whole words, from their beginning', () => {
    for (const [tone, words] of [
      [
        'success',
        'paid SUCCESS Succeeded order_delivered OrderPaid ok ACTIVE On time completed published online solved merged',
      ],
      ['failure', 'FAILURE failed PaymentError rejected unsuccessful critical FATAL declined'],
      ['revoked', 'REVOKED cancelled inactive deactivated refunded void suspended offline'],
      ['started', 'STARTED in-progress running shipped processing assigned'],
      ['retry', 'RETRY delayed partially-paid'],
      ['pending', 'PENDING waiting awaiting on-hold queued invited todo'],
      [
        'rest',
        'unpaid unpublished incomplete undelivered unresolved unassigned latest news brunch not-paid NeverStarted',
      ],
    ] as const) {
      for (const word of words.replace('On time', 'On-time').split(' ')) {
        expect(toneOf(word.replace('-', ' ')), word).equal(`tone-${tone}`);
      }
    }
    expect([toneOf(null), toneOf(7), toneOf('')]).eql(['tone-rest', 'tone-rest', 'tone-rest']);
    // The badge of a truth has the colour of its bars.
    for (const by of ['states', 'values'] as const) {
      const bars = seriesOf(by, [true, false]).map(({ value, tone }) => [value, tone]);
      expect(bars).deep.include.members([
        [true, toneOf(true)],
        [false, toneOf(false)],
      ]);
    }
    expect([toneOf(true), toneOf(false)]).eql(['tone-success', 'tone-revoked']);
  });

  it('are those of other values where no word is known', () => {
    const tones = (values: readonly string[]) => seriesOf('states', values).map(({ tone }) => tone);
    expect(tones(['red', 'blue'])).eql(['tone-0', 'tone-1', 'tone-rest']);
    expect(tones(['red', 'paid'])).eql(['tone-rest', 'tone-success', 'tone-rest shade-1']);
  });

  it('have shades where two values have one tone', () => {
    const tones = (by: 'states' | 'values', values: readonly string[]) =>
      seriesOf(by, values).map(({ tone }) => tone);
    const late = ['tone-retry', 'tone-retry shade-1', 'tone-success', 'tone-rest'];
    expect(tones('states', ['on time', 'late', 'diverted'])).eql(late);
    const ten = tones('values', Array.from('abcdefghij'));
    expect(new Set(ten).size, 'a histogram has ten values and the rest').equal(11);
  });
});

describe('bars of the timeline', () => {
  const buckets = [
    { start: 'a', end: 'b', count: 10, counts: [8, 2], rest: 0 },
    { start: 'b', end: 'c', count: 0, counts: [0, 0], rest: 0 },
    { start: 'c', end: 'd', count: 1, counts: [0, 1], rest: 0 },
  ];
  const box = { width: 300, height: 100 };

  it('are stacked from the axis, failures first, and small ones still show', () => {
    const series = seriesOf('states', ['SUCCESS', 'FAILURE']);
    expect(series.map(({ value }) => value)).eql(['FAILURE', 'SUCCESS', 'rest']);
    const layers = layersOf(buckets, series, box);
    expect(layers.map(({ series: { value } }) => value)).eql(['FAILURE', 'SUCCESS']);
    const named = byFrequency(layers).map(({ series: { value } }) => value);
    expect(named, 'the most frequent is named first').eql(['SUCCESS', 'FAILURE']);
    expect(layers[0]!.path.match(/M/g)).length(2);
    expect(layers[0]!.path).match(/^M1 80\.4h98V100H1z/);
    expect(layers[1]!.path).equal('M1 2h98V80.4H1z');
  });

  it('are outlined by those they are compared with, as far as both reach', () => {
    const other = [5, 20, 0, 7].map((count) => ({ count }));
    expect(outlineOf(other, 3, box, 20)).equal('M0 100V75.5h100V2h100V100h100V100');
  });

  it('are 60 to 120 for each span on offer, wherever its latest row is', () => {
    const at = fc.record({
      now: fc.date({
        min: new Date('2026-01-01'),
        max: new Date('2027-01-01'),
        noInvalidDate: true,
      }),
      latest: fc.double({ min: 0, max: 1, noNaN: true }),
      timeZone: fc.constantFrom('UTC', 'Europe/Berlin', 'Asia/Kolkata'),
      span: fc.constantFrom(...SPAN_CHOICES),
    });
    fc.assert(
      fc.property(at, ({ now, latest, timeZone, span }) => {
        now.setSeconds(0, 0);
        const { from } = boundsOf(span, now);
        const first = from.getTime();
        // Rows of the minute that has begun are there already.
        const last = first + latest * (now.getTime() + 59_999 - first);
        const plan = { field: 'at', interval: 'auto', minBuckets: 60, maxBuckets: 120 } as const;
        const until = new Date(now.getTime() + 60_000);
        const { boundaries } = bucketsFor({ ...plan, timeZone, from, until }, { first, last });
        // The first hour of today has fewer minutes.
        const least = Math.min(60, Math.floor((until.getTime() - first) / 60_000));
        expect(boundaries.length - 1).within(least, 120);
        expect(boundaries.at(-1)).least(until.getTime());
      }),
    );
  });

  it('are found by place, in either direction', () => {
    expect([-1, 0, 0.34, 0.99, 2].map((x) => bucketAt(buckets, x))).eql([0, 0, 1, 2, 2]);
    expect(rangeOf(buckets, 2, 1)).eql({ from: 'b', to: 'd' });
  });
});

/** The time zone of the process, for a suite. */
function useZone(zone: string): void {
  const { TZ } = process.env;
  before(() => {
    process.env.TZ = zone;
  });
  after(() => {
    if (TZ === undefined) delete process.env.TZ;
    else process.env.TZ = TZ;
  });
}

describe('a range of dates, to people', () => {
  // The 6th of September begins at 01:00 there.
  useZone('America/Santiago');
  const text = (from: string, to: string) => {
    const ends = { from: new Date(from).toISOString(), to: new Date(to).toISOString() };
    const shown = datesText(ends.from, ends.to);
    const chip = chipText('tasks', { kind: 'range', field: 'date_queued', ...ends }, () => '');
    expect(chip.value).equal(shown);
    return shown;
  };

  it('names whole days, the last one too', () => {
    expect(text('2026-11-26T00:00', '2026-11-27T00:00')).equal('2026-11-26');
    expect(text('2026-11-01T00:00', '2026-12-01T00:00')).equal('2026-11-01 – 2026-11-30');
    expect(text('2026-09-05T00:00', '2026-09-06T01:00')).equal('2026-09-05');
    expect(text('2026-09-06T01:00', '2026-09-07T00:00')).equal('2026-09-06');
    expect(text('0090-01-01T00:00', '0091-01-01T00:00')).equal('0090-01-01 – 0090-12-31');
  });

  it('has times where it needs them', () => {
    expect(text('2026-11-26T10:00', '2026-11-27T00:00')).equal('2026-11-26 10:00 – 2026-11-27');
    expect(text('2026-11-26T00:00:15', '2026-11-26T09:00')).equal(
      '2026-11-26 00:00 – 2026-11-26 09:00',
    );
    expect(text('2026-11-26T10:00:01', '2026-11-26T10:00:02')).equal(
      '2026-11-26 10:00:01 – 2026-11-26 10:00:02',
    );
  });
});

describe('an earlier range', () => {
  useZone('Europe/Berlin');
  const local = (text: string) => new Date(text);
  const texts = (from: string, to: string, days?: number) => {
    const earlier = earlierThan({ from: local(from), to: local(to) }, days);
    return [earlier.from, earlier.to].map((at) => at.getTime());
  };
  const times = (...all: string[]) => all.map((text) => local(text).getTime());

  it('is as long and ends where the later one begins', () => {
    expect(texts('2026-11-20T10:00', '2026-11-20T12:30')).eql(
      times('2026-11-20T07:30', '2026-11-20T10:00'),
    );
  });

  it('has whole days where the later one has, also across a change of the clocks', () => {
    // In Berlin the 25th of October has 25 hours, and the 29th of March has 23.
    for (const [before, from, to] of [
      ['2026-10-24', '2026-10-25', '2026-10-26'],
      ['2026-10-25', '2026-10-26', '2026-10-27'],
      ['2026-03-23', '2026-03-26', '2026-03-29'],
      ['2026-03-22', '2026-03-29', '2026-04-05'],
    ].map((all) => all.map((day) => `${day}T00:00`)) as [string, string, string][]) {
      expect(texts(from, to)).eql(times(before, from));
    }
    expect(texts('2026-10-26T08:00', '2026-10-26T09:00', 7)).eql(
      times('2026-10-19T08:00', '2026-10-19T09:00'),
    );
  });

  it('has its counts told beside the later ones', () => {
    const told = [
      ...[changeOf(112, 100), changeOf(915, 1_000), changeOf(300, 100), changeOf(5, 0)],
      ...[changeOf(7, 7), changeOf(0, 4), changeOf(12_345, 1), changeOf(100_001, 100_000)],
    ];
    expect(told).eql(['+12 %', '−8.5 %', '×3.0', 'new', '±0 %', '−100 %', '×12,345', '+0.1 %']);
    expect([changeOf(199, 100), changeOf(99_999, 100_000)]).eql(['+99 %', '−0.1 %']);
    expect([changeOf(97, 100), changeOf(9_003, 10_000)]).eql(['−3.0 %', '−10 %']);
  });
});

describe('marks on the axis of the timeline', () => {
  /** Buckets of so many hours from a moment of this machine's zone: days begin at midnight where clocks change, too. */
  const marks = (from: string, hours: number, count: number) => {
    const at = (n: number) => {
      const date = new Date(from);
      date.setMinutes(date.getMinutes() + n * hours * 60);
      return date.toISOString();
    };
    const buckets = Array.from({ length: count }, (_, n) => ({
      ...{ start: at(n), end: at(n + 1), count: 1 },
    }));
    return ticksOf(buckets, 8).map(({ text }) => text);
  };

  it('stand at round times, and say days and years where they change', () => {
    expect(marks('2024-10-14T00:00:00', 24, 120)).eql(['Nov 2024', 'Dec', 'Jan 2025', 'Feb']);
    expect(marks('2025-11-19T20:00:00', 1, 40)).eql([
      '20 Nov 2025',
      '06:00',
      '12:00',
      '18:00',
      '21 Nov',
      '06:00',
    ]);
  });

  it('say round years over centuries', () => {
    const at = (year: number) => new Date(year, 0).toISOString();
    const years = (first: number, length: number, count: number) => {
      const buckets = Array.from({ length: count }, (_, n) => first + n * length).map((year) => ({
        ...{ start: at(year), end: at(year + length), count: 1 },
      }));
      return ticksOf(buckets, 8).map(({ text }) => text);
    };
    expect(years(1898, 2, 65)).eql(['1900', '1920', '1940', '1960', '1980', '2000', '2020']);
    expect(years(2000, 100, 81)).eql(['2000', '4000', '6000', '8000', '10000']);
  });

  it('are never more than there is room for', () => {
    fc.assert(
      fc.property(
        fc.constantFrom(1 / 60, 1 / 12, 1 / 4, 1, 6, 24, 168, 8_766, 876_600),
        fc.integer({ min: 1, max: 120 }),
        (hours, count) => {
          expect(marks('2021-03-04T10:00:00', hours, count).length).at.most(8);
        },
      ),
    );
  });
});

describe('marks in cells', () => {
  it('are made in the columns that the text search looks into', () => {
    for (const name of TABLES) {
      const { columns, searched } = tableOf(name).description;
      expect(columns, name).include.keys(...searched);
      expect(searched.length, name).greaterThan(2);
    }
  });

  it('are where the text is, in any case and script', () => {
    expect(partsOf('Timeout: TIMEOUT', finderOf('timeout'))).eql([
      { text: 'Timeout', hit: true },
      { text: ': ', hit: false },
      { text: 'TIMEOUT', hit: true },
    ]);
    expect(partsOf('ΒΙΒΛΙΟΘΉΚΗ', finderOf('βιβλιοθήκη'))).eql([{ text: 'ΒΙΒΛΙΟΘΉΚΗ', hit: true }]);
    expect(partsOf('a.b', finderOf('.')).map(({ hit }) => hit)).eql([false, true, false]);
    expect(partsOf('', finderOf('x'))).eql([{ text: '', hit: false }]);
  });

  it('take every text as it stands', () => {
    for (const text of ['(', '[', '\\', 'a-b', '$&', '{1}', '/', '?']) {
      expect(partsOf(`x${text}y`, finderOf(text))[1]).eql({ text, hit: true });
    }
  });
});

describe('the tree of a document', () => {
  it('takes members for types of values only where they are', () => {
    const tree = treeOf('', { at: { $oid: 'a' }, of: { constructor: 1 } });
    expect(tree).nested.include({ 'children[0].type': 'ObjectId', 'children[1].kind': 'branch' });
  });

  it('tells texts from values that have none, with the same letters', () => {
    const { children } = treeOf('', { a: '6', b: 6, c: { $oid: '6' }, d: null }) as Branch;
    expect(children.map((one) => one.kind === 'leaf' && [one.text, one.isText])).eql([
      ['6', true],
      ['6', false],
      ['6', false],
      ['null', false],
    ]);
  });
});

describe('a later answer', () => {
  const keyOf = ({ id }: Readonly<Record<string, unknown>>) => String(id);
  const held = [
    { id: 2, status: 'STARTED' },
    { id: 1, status: 'STARTED' },
  ];

  it('changes cells in place, and tells how many rows are new', () => {
    const latest = [
      { id: 3, status: 'PENDING' },
      { id: 2, status: 'SUCCESS' },
    ];
    const { rows, count, same, flash } = merged(held, latest, keyOf);
    expect(rows).eql([{ id: 2, status: 'SUCCESS' }, held[1]]);
    expect([count, same]).eql([1, false]);
    expect([...flash].map(([key, members]) => [key, [...members]])).eql([['2', ['status']]]);
  });

  it('counts no row as new that moved up from the next page', () => {
    const rowsOf = (ids: readonly number[]) => ids.map((id) => ({ id }));
    const countOf = (before: readonly number[], after: readonly number[]) =>
      merged(rowsOf(before), rowsOf(after), keyOf).count;
    expect(countOf([9, 8, 7], [9, 7, 6]), 'one was deleted').equal(0);
    expect(countOf([9, 8, 7], [9, 8, 6]), 'the last one was').equal(0);
    expect(countOf([9, 8, 7], [10, 9, 7]), 'one was, and another came').equal(1);
    expect(countOf([7, 8], [7, 8, 9]), 'the oldest first').equal(1);
    expect(countOf([9, 8, 7], [10, 9, 8]), 'one came').equal(1);
    expect(countOf([9, 8, 7], [12, 11, 10]), 'a whole page came').equal(3);
    expect(countOf([], [1]), 'the first one').equal(1);
  });

  it('that has a member less changes that row', () => {
    const latest = [{ id: 2 }, held[1]!];
    const { rows, flash } = merged(held, latest, keyOf);
    expect(rows).eql(latest);
    expect([...flash.get('2')!]).eql(['status']);
    expect(kept(held, latest, keyOf)).eql(latest);
  });

  it('stands as far as it fits, and no row stands twice', () => {
    const rowsOf = (ids: readonly number[]) => ids.map((id) => ({ id }));
    expect(begun(rowsOf([1, 2, 3, 4]), rowsOf([5, 6, 7, 2]), 2, keyOf)).eql(rowsOf([1, 2, 7, 4]));
    const ids = fc.uniqueArray(fc.nat(12), { maxLength: 8 });
    fc.assert(
      fc.property(ids, ids, fc.nat(9), (latest, before, fits) => {
        const rows = begun(rowsOf(latest), rowsOf(before), fits, keyOf);
        expect(rows.slice(0, fits)).eql(rowsOf(latest.slice(0, fits)));
        expect(new Set(rows.map(keyOf)).size).equal(rows.length);
        expect(rows.length).at.most(latest.length);
      }),
    );
  });

  it('that is the same changes nothing', () => {
    const { rows, same, flash } = merged(held, structuredClone(held), keyOf);
    expect([same, flash.size]).eql([true, 0]);
    expect(rows[0]).equal(held[0]);
  });
});

describe('times', () => {
  const now = Date.parse('2026-11-20T12:00:00Z');

  it('are ages', () => {
    expect(ageOf('2026-11-20T09:00:00Z', now)).equal('3h ago');
    expect(ageOf('2026-11-20T12:00:00Z', now)).equal('now');
    expect(ageOf('2026-11-20T12:05:00Z', now)).match(/5/);
    // A row that has just come is not in the future.
    expect(ageOf('2026-11-20T12:00:04Z', now)).equal('now');
    expect(ageOf('2026-11-20T12:00:14Z', now)).equal('now');
    expect(ageOf('2026-11-20T12:00:20Z', now)).equal('in 20s');
    expect(ageOf('2026-11-20T11:59:56Z', now)).equal('4s ago');
  });

  it('are days where they are a year away', () => {
    expect(whenOf('2026-01-20T12:00:00Z', now)).equal('9mo ago');
    expect(whenOf('2025-11-21T12:00:00Z', now)).equal('11mo ago');
    expect(whenOf('2025-11-18T12:00:00Z', now)).equal('2025-11-18');
    expect(whenOf('1970-01-01T12:00:00Z', now)).equal('1970-01-01');
    expect(whenOf('9999-12-31T12:00:00Z', now)).equal('9999-12-31');
  });

  it('have years before 0 and after 9999 as answers have them', () => {
    const texts = [-44, -1, 0, 44, 10_500].map((year) => {
      const at = new Date(2000, 2, 15, 12);
      at.setFullYear(year);
      return momentOf(at.toISOString());
    });
    const days = ['-000044', '-000001', '0000', '0044', '+010500'].map((year) => `${year}-03-15`);
    expect(texts).eql(days.map((day) => `${day} 12:00:00`));
    expect(whenOf(`${days[0]}T12:00:00Z`, now)).match(/^-000044-03-1[56]$/);
  });

  it('are durations', () => {
    expect([0.85, 0.9996, 12.34, 59.96, 185, 7_800, -185].map(durationOf)).eql([
      '850 ms',
      '1.0 s',
      '12.3 s',
      '1 min 00 s',
      '3 min 05 s',
      '2 h 10 min',
      '-3 min 05 s',
    ]);
  });

  it('are sizes', () => {
    expect([0, 999, 1_000, 999_999, 2_500_000, 3e9, 4e15].map(bytesOf)).eql([
      ...['0 B', '999 B', '1.0 kB', '1.0 MB', '2.5 MB', '3.0 GB', '4000.0 TB'],
    ]);
  });

  it('are amounts, or all digits of a decimal', () => {
    const amounts = [29.5, '1234.567', `0.${'1'.repeat(20)}`, `0.${'1'.repeat(21)}`, '1E+3'];
    expect(amounts.map((one) => moneyOf(one))).eql([
      ...['€29.50', '€1,234.567', `€0.${'1'.repeat(20)}`, undefined, undefined],
    ]);
  });

  it('and shares have a German comma', () => {
    const texts = () => [durationOf(12.34), bytesOf(2_500), shareOf(4, 900), shareOf(1, 9_000)];
    expect(texts()).eql(['12.3 s', '2.5 kB', '0.4 %', '<0.1 %']);
    language.value = 'de';
    try {
      expect(texts()).eql(['12,3 s', '2,5 kB', '0,4 %', '<0,1 %']);
    } finally {
      language.value = 'en';
    }
  });
});
