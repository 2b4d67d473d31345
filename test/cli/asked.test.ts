/** Options of the command line as members of a body, without a service. */
import { expect } from 'chai';
import { type OwnTable, VIEWS } from '../../clients/typescript/index.ts';
import { facetOf, filtersOf, histogramOf, sortingOf } from '../../src/cli/asked/body.ts';
import { conditionOf } from '../../src/cli/asked/condition.ts';
import { momentOf } from '../../src/cli/asked/moment.ts';
import { pageNotes } from '../../src/cli/show/pageNote.ts';
import { tableLines } from '../../src/cli/show/rows.ts';

const NOW = Date.parse('2026-11-24T10:20:30.400Z');
const tasks = VIEWS.adminTasks;

describe('moments of the command line', () => {
  const cases: [typed: string, moment: string | undefined][] = [
    ['now', '2026-11-24T10:20:30.400Z'],
    ['today', '2026-11-24T00:00:00.000Z'],
    ['Yesterday', '2026-11-23T00:00:00.000Z'],
    ['2h', '2026-11-24T08:20:30.400Z'],
    ['7d', '2026-11-17T10:20:30.400Z'],
    ['999999999w', '1970-01-01T00:00:00.000Z'],
    ['2026-11-20', '2026-11-20T00:00:00Z'],
    ['2026-11-20 08:15', '2026-11-20T08:15:00Z'],
    ['2026-11-20T08:15:01.5+02:00', '2026-11-20T08:15:01.5+02:00'],
    ['2026-13-20', undefined],
    ['2026-02-30', undefined],
    ['2026-02-28T23:30-02:00', '2026-02-28T23:30:00-02:00'],
    ['tomorow', undefined],
    ['7', undefined],
    ['', undefined],
  ];
  for (const [typed, moment] of cases) {
    it(`"${typed}"`, () => expect(momentOf(typed, NOW)).equal(moment));
  }
});

describe('conditions of the command line', () => {
  const cases: [typed: string, condition: object][] = [
    ['status=FAILURE,null', { field: 'status', in: ['FAILURE', null] }],
    ['worker!=worker-3', { field: 'worker', not_in: ['worker-3'] }],
    ['worker~gpu 1', { field: 'worker', contains: 'gpu 1' }],
    ['project_name!~=a', { field: 'project_name', not_contains: '=a' }],
    ['preserve=true', { field: 'preserve', in: [true] }],
    ['folder="a, b","\\u00e9"', { field: 'folder', in: ['a, b', 'é'] }],
    ['date_done>=yesterday', { field: 'date_done', from: '2026-11-23T00:00:00.000Z' }],
    ['date_done<2026-11-20', { field: 'date_done', to: '2026-11-20T00:00:00Z' }],
    [
      'date_done=2026-11-20',
      { field: 'date_done', from: '2026-11-20T00:00:00Z', to: '2026-11-21T00:00:00.000Z' },
    ],
    [
      'date_done=today',
      { field: 'date_done', from: '2026-11-24T00:00:00.000Z', to: '2026-11-25T00:00:00.000Z' },
    ],
    ['date_done=2d..', { field: 'date_done', from: '2026-11-22T10:20:30.400Z' }],
    [
      'task_id=B496822C-31B8-499C-ABA5-6C5EFF70B30D',
      { field: 'task_id', in: ['b496822c-31b8-499c-aba5-6c5eff70b30d'] },
    ],
    [
      'date_done=2026-11-20 08:00:01.5',
      { field: 'date_done', from: '2026-11-20T08:00:01.5Z', to: '2026-11-20T08:00:01.501Z' },
    ],
    ['retries=1..3', { field: 'retries', from: 1, to: 3 }],
    ['retries=3', { field: 'retries', from: 3, to: 3.0000000000000004 }],
    ['execution_time=2m', { field: 'execution_time', from: 120, to: 120.00000000000001 }],
    ['retries>3', { field: 'retries', from: 3.0000000000000004 }],
    ['retries>0.1', { field: 'retries', from: 0.10000000000000002 }],
    ['retries>1e-7', { field: 'retries', from: 1.0000000000000001e-7 }],
    ['retries>=1.5e+300', { field: 'retries', from: 1.5e300 }],
    ['retries<=0', { field: 'retries', to: Number.MIN_VALUE }],
    ['retries>0.0000001', { field: 'retries', from: 1.0000000000000001e-7 }],
    ['retries>9007199254740993', { field: 'retries', from: `9007199254740993.${'0'.repeat(17)}1` }],
    ['execution_time<=2m', { field: 'execution_time', to: 120.00000000000001 }],
    ['id=5,7', { field: 'id', in: [5, 7] }],
    ['id!=9007199254740993', { field: 'id', not_in: ['9007199254740993'] }],
    ['id=5..7', { field: 'id', from: 5, to: 7 }],
    // Names that every object has are left to the service, as all that it does not know.
    ['constructor=x', { field: 'constructor', in: ['x'] }],
  ];
  for (const [typed, condition] of cases) {
    it(typed, () => expect(conditionOf(tasks, typed, NOW)).eql(condition));
  }

  it('take ids as numbers, also where records show none', () => {
    expect(conditionOf(VIEWS.adminProjects, 'id=5', NOW)).eql({ field: 'id', in: [5] });
  });

  const wrong: [typed: string, says: RegExp][] = [
    ['date_done>=yesterdy', /write a moment as 2026-11-20, .*\+010000-01-01 .*yesterday/],
    ['date_done=2d', /date_done takes a range: date_done>=from/],
    [
      'date_done!=today',
      /date_done has ranges alone, and no !=; write date_done<… or date_done>=…/,
    ],
    ['retries!=3', /retries has ranges alone, and no !=; write retries<3 or retries>3/],
    ['retries=3,4', /retries takes one number here/],
    ['execution_time>=abc', /execution_time takes seconds, such as 90/],
    ['status>=FAILURE', /status takes no range; write status=value or status!=value\./],
    ['date_done>2d', /a range includes its start and excludes its end; write date_done>=…/],
    ['retries>many', /retries takes one number/],
    [`retries>1.${'9'.repeat(34)}`, /34 digits are the most/],
    ['retries=..', /retries takes a range/],
    ['retries~3', /retries takes no ~; write retries>=from, retries<to or retries=from\.\.to\./],
    ['preserve!~tr', /preserve takes no !~; write preserve=value or preserve!=value\./],
    ['project_name=a', /project_name has no values to compare; write project_name~text or /],
    ['status==FAILURE', /write status=FAILURE; a value that begins with = is in quotes/],
    ['date_done>=2026-02-30', /write a moment as/],
    ['date_done=2026-11', /takes a range: .*, or a day such as 2026-11-20\./],
    ['preserve=yes', /write true or false/],
    ['folder="a', /is no JSON text/],
    ['folder="a"b', /^--select folder="a"b: "a"b is no JSON text/],
    ['status', /write one of {2}field=value/],
    ['status=', /a value must follow =; null and "" are values, too/],
  ];
  for (const [typed, says] of wrong) {
    it(`refuses ${typed}`, () => {
      expect(() => conditionOf(tasks, typed, NOW)).throw(says);
      expect(() => conditionOf(tasks, typed, NOW)).throw(`--select ${typed}: `);
      const baseline = () => conditionOf(tasks, typed, NOW, '--baseline');
      expect(baseline).throw(`--baseline ${typed}: `);
    });
  }
});

describe('conditions on fields of a file', () => {
  const field = (type: string) => ({ type, uses: ['filter'] });
  const fields = { day: field('date'), gap: field('seconds') } as unknown as OwnTable['fields'];
  const description = { ...tasks, fields, values: ['day'], ranges: { day: 'date', gap: 'number' } };
  const read = (typed: string) => conditionOf(description as never, typed, NOW);

  it('take a day as a whole, and alone', () => {
    expect(read('day=2026-11-20')).include({ from: '2026-11-20T00:00:00Z' });
    expect(read('day!=2026-11-20T08:00Z')).eql({ field: 'day', not_in: ['2026-11-20T08:00:00Z'] });
    for (const typed of ['day!=2026-11-20', 'day=2026-11-20,2026-11-21', 'day!=today']) {
      expect(() => read(typed), typed).throw(/is a day; write a moment, as 2026-11-20T08:00Z/);
    }
  });

  it('take names in any script', () => {
    expect(read('возраст>=3')).eql({ field: 'возраст', from: 3 });
    const named = { filters: { 商品名: { takes: 'text' } }, conditions: [] } as never;
    expect(filtersOf(named, ['商品名=键盘'], undefined)).eql({ 商品名: '键盘' });
  });

  it('take years of more digits as answers write them', () => {
    const moment = '+010000-01-01T00:00:00.000Z';
    expect(read(`day>=${moment}`)).eql({ field: 'day', from: moment });
    const to = '+010000-01-01T00:00:00.001Z';
    const alone = { ...description, values: [] };
    const one = (typed: string) => conditionOf(alone as never, typed, NOW);
    expect(one(`day=${moment}`)).eql({ field: 'day', from: moment, to });
    expect(() => one('day=+275760-09-13T00:00:00.000Z')).throw(/day takes a range/);
    expect(() => one('day=+275760-09-13')).throw(/day takes a range/);
    const day = { from: '+010000-01-01T00:00:00Z', to: '+010000-01-02T00:00:00.000Z' };
    expect(one('day=+010000-01-01')).eql({ field: 'day', ...day });
    expect(() => read('day!=+010000-01-01')).throw(/is a day; write a moment/);
  });

  it('find the whole millisecond of a moment with more digits', () => {
    const within = { from: '2026-11-20T08:00:00.123Z', to: '2026-11-20T08:00:00.124Z' };
    const alone = { ...description, values: [] } as never;
    const one = conditionOf(alone, 'day=2026-11-20T08:00:00.123456Z', NOW);
    expect(one).eql({ field: 'day', ...within });
  });

  it('leave out no number between a bound and the next double', () => {
    const numbers = { amount: field('decimal'), size: field('number') };
    const ranges = { amount: 'number', size: 'number' };
    const bound = (typed: string) =>
      conditionOf({ ...description, fields: numbers, ranges } as never, typed, NOW);
    const beside = (number: string) => number.padEnd(34 + 1, '0').replace(/0$/, '1');
    for (const [typed, ends] of [
      ['amount>100', { from: beside('100.') }],
      ['size>9007199254740992', { from: beside('9007199254740992.') }],
      ['size<=3', { to: beside('3.') }],
      // Below a power of ten numbers have a place more.
      ['amount>-1', { from: `-0.${'9'.repeat(34)}` }],
      ['size<=-100', { to: `-99.${'9'.repeat(32)}` }],
      ['amount>=0.1', { from: 0.1 }],
      ['amount>0.1', { from: `0.${'0'.repeat(33).replace(/^0/, '1')}1` }],
      ['amount<=19.99', { to: beside('19.99') }],
      ['amount=-0.7', { from: -0.7, to: `-0.6${'9'.repeat(33)}` }],
      ['amount>=0.30000000000000004', { from: 0.30000000000000004 }],
      [
        'amount=0.30000000000000004',
        { from: 0.30000000000000004, to: '0.3000000000000000400000000000000001' },
      ],
      ['amount=1..2.5', { from: 1, to: 2.5 }],
      ['size>0.1', { from: 0.10000000000000002 }],
      ['amount>0', { from: Number.MIN_VALUE }],
      ['amount=100', { from: 100, to: beside('100.') }],
      ['size=9007199254740993', { from: '9007199254740993', to: beside('9007199254740993.') }],
    ] as const) {
      expect(bound(typed), typed).include(ends);
    }
  });

  it('take numbers and truths for what texts look like as well, where values are counted', () => {
    const code = { type: 'string', uses: ['filter', 'facet'] };
    const fields = { code, name: field('string') };
    const of = { ...description, fields, values: ['code', 'name'], ranges: {} };
    const listed = (typed: string) => conditionOf(of as never, typed, NOW);
    expect(listed('code=7,"7",007,true,x')).eql({
      field: 'code',
      in: ['7', 7, '7', '007', 'true', true, 'x'],
    });
    expect(listed('code!=-0.5')).eql({ field: 'code', not_in: ['-0.5', -0.5] });
    expect(listed('code=1e+308')).eql({ field: 'code', in: ['1e+308', 1e308] });
    expect(listed('name=7')).eql({ field: 'name', in: ['7'] });
  });

  it('keep all digits of a decimal with a power of ten', () => {
    const total = { type: 'decimal', uses: ['filter'] };
    const of = { ...description, fields: { total }, values: ['total'], ranges: {} };
    const listed = (typed: string) => conditionOf(of as never, `total=${typed}`, NOW).in;
    expect(listed('1.23456789012345678901E+50')).eql(['1.23456789012345678901E+50']);
    expect(listed('1.5E+50')).eql([1.5e50]);
    expect(listed('1.7976931348623157e+308')).eql([Number.MAX_VALUE]);
  });

  it('find rows without a value where a field has ranges alone', () => {
    expect(read('gap=null')).eql({ field: 'gap', in: [null] });
    expect(read('gap!=null')).eql({ field: 'gap', not_in: [null] });
  });
});

describe('other options of the command line', () => {
  it('have the types of their filters', () => {
    const asked = (...given: string[]) => filtersOf(VIEWS.users, given, undefined);
    expect(asked('id=7', 'active=true', 'email=7')).eql({ id: 7, active: true, email: '7' });
    // The service refuses these.
    expect(asked('id=abc', 'nope=x')).eql({ id: 'abc', nope: 'x' });
    expect(asked('constructor=x')).eql({ constructor: 'x' });
    expect(filtersOf(tasks, ['routing_keys=a,b', 'routing_keys=c'], 'x')).eql({
      q: 'x',
      routing_keys: ['a', 'b', 'c'],
    });
  });

  it('order rows by fields, and count their values', () => {
    const [done, slow] = [{ sort_by: 'date_done' }, { sort_by: 'execution_time' }];
    for (const [given, sorting] of [
      ['date_done', { ...done, sort_order: 'asc' }],
      ['date_done:asc', { ...done, sort_order: 'asc' }],
      ['-date_done', { ...done, sort_order: 'desc' }],
      ['date_done:desc', { ...done, sort_order: 'desc' }],
      // No search sorts by these.
      ['-execution_time', [{ ...slow, sort_order: 'desc' }]],
      [
        'date_done, -execution_time',
        [
          { ...done, sort_order: 'asc' },
          { ...slow, sort_order: 'desc' },
        ],
      ],
    ] as const) {
      expect(sortingOf(tasks, given), given).eql(sorting);
    }
    expect(sortingOf(tasks, 'a\nb')).eql([{ sort_by: 'a\nb', sort_order: 'asc' }]);
    for (const given of ['id:up', '-id:asc']) {
      expect(() => sortingOf(tasks, given)).throw(
        `--sort ${given}: write id, or -id for descending.`,
      );
    }
    expect(facetOf('worker:5')).eql({ field: 'worker', limit: 5 });
    expect(() => facetOf('worker:0')).throw(/such as worker:20/);
  });
});

describe('the time zone of a histogram', () => {
  const before = process.env.TZ;
  after(() => {
    if (before === undefined) delete process.env.TZ;
    else process.env.TZ = before;
  });
  for (const [zone, asked] of [
    ['Europe/Berlin', 'Europe/Berlin'],
    ['', 'UTC'],
    ['Nonsense', 'UTC'],
  ] as const) {
    it(`is ${asked} where TZ is "${zone}"`, () => {
      process.env.TZ = zone;
      expect(histogramOf({ histogram: 'date_done' })).eql({ field: 'date_done', time_zone: asked });
    });
  }
});

describe('moments in a table', () => {
  it('have a sign and six digits before 0 and after 9999, as in the web UI', () => {
    const at = [
      '-000044-03-15T12:30:05.000Z',
      '0044-03-15T12:30:05.000Z',
      '+010500-01-01T00:00:00.000Z',
    ];
    const drawing = { paint: (_: unknown, text: string) => text, width: 80 };
    const { text } = tableLines(
      at.map((one) => ({ at: one })),
      ['at'],
      drawing,
    );
    expect(text).equal('at\n-000044-03-15 12:30:05\n0044-03-15 12:30:05\n+010500-01-01 00:00:00\n');
  });
});

describe('notes on a page', () => {
  const form = 'plain';
  const pagination = (total: number, current = 1) => ({
    ...{ total_items: total, total_pages: Math.ceil(total / 100), current_page: current },
    ...{ per_page: 100, next_page_num: null, prev_page_num: null },
  });

  it('tell of a page that the service cut, and of one that does not exist', () => {
    expect(pageNotes({ form, page: 1, perPage: 1_000 }, pagination(5_123))).eql([
      'Showing 100 of 5,123 rows: the service limits a page to 100.',
      '`table-search export` writes all rows of one moment.',
    ]);
    expect(pageNotes({ form, page: 9, perPage: 100 }, pagination(250, 3))).eql([
      'Page 9 does not exist; showing page 3.',
    ]);
  });

  it('are left out where nothing is missing', () => {
    expect(pageNotes({ form, page: 1, perPage: 1_000 }, pagination(100))).eql([]);
    expect(pageNotes({ form, page: 3, perPage: 100 }, pagination(250, 3))).eql([]);
    expect(pageNotes({ form, page: 2, perPage: 20 }, pagination(0))).eql([]);
  });
});
