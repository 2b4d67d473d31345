/** The language of the web UI's search box. */

import { expect } from 'chai';
import fc from 'fast-check';
import { exactly, nextAfter, numberOf } from '../../clients/typescript/viewAddress.ts';
import { chipText } from '../../web/present/chip.ts';
import { examplesOf } from '../../web/present/syntax.ts';
import { fieldSuggestions, valueSuggestions, wishOf } from '../../web/query/completion.ts';
import {
  closedText,
  cutOut,
  finishedPart,
  isTerm,
  meaningOf,
  parseQuery,
  quoted,
  resolved,
  type Term,
  type Vocabulary,
} from '../../web/query/language.ts';
import { rangeOf } from '../../web/query/ranges.ts';
import { nearest } from '../../web/query/spelling.ts';
import { termText } from '../../web/query/termText.ts';
import { namesLike, namesOf, vocabularyOf } from '../../web/query/vocabulary.ts';
import { textOf as textOfWords, type Words, wordsIn } from '../../web/state/searchText.ts';
import { dayOf } from '../../web/state/times.ts';
import { anyOf, type Condition } from '../../web/state/view.ts';
import { setOwnTables } from '../../web/tables/ownTables.ts';
import { tableOf } from '../../web/tables/tables.ts';
import { ownTable, useOwnTables } from './ownTable.ts';

const WORDS = vocabularyOf('tasks', 'date_queued');
const local = (year: number, month: number, day: number, hour = 0, minute = 0) =>
  new Date(year, month - 1, day, hour, minute).toISOString();

/** No double is it. */
const LARGE = '9007199254740993';

/** `things` of a definition file: all fields are texts that filters, conditions and orders take. */
function setThings(names: readonly string[], titles: readonly string[]): void {
  const fields = names.map((name, at) => [name, { type: 'string', title: titles[at]! }]);
  setOwnTables([
    ownTable(Object.fromEntries(fields), { filters: [...names], contains: [...names] }),
  ]);
}

const termsOf = (text: string) =>
  parseQuery(text, WORDS).groups.flatMap(({ members }) => members.filter(isTerm));

/** The conditions and the words of a query that is closed by a blank. */
function understood(text: string) {
  return { terms: termsOf(`${text} `).map(meaningOf), q: parseQuery(`${text} `, WORDS).q };
}

describe('the query language of the web UI', () => {
  useOwnTables();

  it('tells fields from text', () => {
    const text = 'status:failure time out -scope:system nope:x ';
    expect(termsOf(text).map(({ kind, not, values }) => [kind.field, not, values])).eql([
      ['status', false, ['failure']],
      ['scope', true, ['system']],
    ]);
    expect(parseQuery(text, WORDS).q).equal('time out "nope:x"');
  });

  it('excludes by the signs of other languages, takes dots of a path, and no `and` before a filter for a word', () => {
    const known = (text: string) =>
      termsOf(text).map(({ kind, not, isPart, values }) => [kind.field, not, isPart, values]);
    const failure = ['status', true, false, ['failure']];
    expect(known('status!=failure status<>failure -status:failure -status!=failure ')).eql([
      ...[failure, failure, failure],
      ['status', false, false, ['failure']],
    ]);
    expect(known('worker!~gpu ')).eql([['worker', true, true, ['gpu']]]);
    expect(known('task.type:backup ')).eql([['task_type', false, false, ['backup']]]);
    const text = 'status:failure AND worker:none and time "and" -status:retry ';
    expect(known(text).map(([field]) => field)).eql(['status', 'worker', 'status']);
    expect(parseQuery(text, WORDS).q).equal('and time and');
    expect(known('a!=b ')).eql([]);
    expect(understood('retries<>2').terms).eql(understood('-retries:2').terms);
  });

  it('takes one name of each field for what somebody may have meant', () => {
    const kind = (field: string) => WORDS.fields[field]!;
    const fields = {
      ...{ ownerId: kind('task_id'), ownerid: kind('task_id'), owner_id: kind('task_id') },
      ...{ owner_mail: kind('user_email'), folder: kind('folder') },
    };
    expect(namesLike({ fields }, 'owner')).eql(['ownerId', 'owner_mail']);
    expect(namesLike({ fields }, 'owner', 1)).eql(['ownerId']);
  });

  it('has examples for each table, in fields that the table has', () => {
    for (const table of ['tasks', 'schedules', 'users', 'projects', 'audit']) {
      const [time] = tableOf(table).description.times;
      const vocabulary = vocabularyOf(table, time);
      const { numbers, ...examples } = examplesOf(table, time);
      expect(Object.keys(examples), table).include.members(['either', 'value', 'quoted', 'date']);
      for (const text of Object.values(examples)) {
        const { groups, stranger } = parseQuery(`${text} `, vocabulary);
        const [member] = groups.flatMap(({ members }) => members.filter(isTerm));
        expect(stranger, `${table} ${text}`).equal(undefined);
        expect(meaningOf(member!), `${table} ${text}`).not.have.property('problem');
      }
    }
  });

  it('takes none for the rows without a number or date, and says that no other value stands beside it', () => {
    const [none, not, both] = understood('duration:none -queued:none execution_time:none,2m').terms;
    const values = { kind: 'values', values: [null] } as const;
    expect(none).eql({ condition: { ...values, field: 'execution_time', not: false } });
    expect(not).eql({ condition: { ...values, field: 'date_queued', not: true } });
    expect(both).eql({ problem: 'Duration takes “none” alone, or a range' });
  });

  it('takes quotes, several values, and other names of fields', () => {
    expect(
      termsOf('worker:"node 3",node-4 Person:a@b.c ').map(({ kind, values }) => [
        kind.field,
        values,
      ]),
    ).eql([
      ['worker', ['node 3', 'node-4']],
      ['user_email', ['a@b.c']],
    ]);
  });

  it('leaves alone what is still being typed, and fields within words', () => {
    const { groups, unfinished, q } = parseQuery('x status:fai', WORDS);
    expect(groups).eql([]);
    expect(unfinished?.values).eql(['fai']);
    expect(q).equal('x');
    expect(termsOf('http://status:1 ')).eql([]);
  });

  it('keeps a term open while its quote is, with the blanks in it', () => {
    const text = 'x project:"Old Town ';
    expect(parseQuery(text, WORDS).unfinished?.values).eql(['Old Town ']);
    expect(finishedPart(text, WORDS)).equal('x ');
    expect(closedText(text, WORDS)).equal('x project:"Old Town " ');
    expect(finishedPart('status:failure wor', WORDS)).equal('status:failure ');
    expect(finishedPart('project:"Old Town" ', WORDS)).equal('project:"Old Town" ');
    expect(closedText('worker:a', WORDS)).equal('worker:a ');
    // A backslash before the quote that closes it would make that a part of the value.
    for (const text of ['a\\', 'a\\\\', 'a\\\\\\']) {
      const [term] = termsOf(closedText(`worker:"${text}`, WORDS));
      expect(term?.values, text).eql([text.length < 4 ? 'a\\' : 'a\\\\']);
    }
  });

  it('leaves the blanks in quotes as they are where filters are taken out', () => {
    const text = '"a  b"  status:failure  "c  d ';
    const parts = parseQuery(text, WORDS).groups;
    expect(cutOut(text, parts)).equal('"a  b"  "c  d ');
    expect(cutOut('status:failure ', parseQuery('status:failure ', WORDS).groups)).equal('');
    expect(cutOut(' "a  b" ', [])).equal('"a  b" ');
  });

  it('finds the word at the end of a long text without reading it once a letter', () => {
    const text = `${'a'.repeat(300_000)} `;
    const began = performance.now();
    expect(finishedPart(`${text}wor`, WORDS)).equal(text);
    expect(performance.now() - began).below(5_000);
  });

  it('takes a part of a text after `~`, and of labels after a colon', () => {
    const part = (field: string, text: string, not = false) => ({
      condition: { kind: 'contains', field, not, text },
    });
    for (const [typed, meant] of [
      ['worker~gpu', part('worker', 'gpu')],
      ['-worker~"node 3"', part('worker', 'node 3', true)],
      ['worker~ none', part('worker', 'none')],
      ['worker~a,b', part('worker', 'a,b')],
      ['worker~>2', part('worker', '>2')],
      ['Person~a@b', part('user_email', 'a@b')],
      ['project_name:"Old Town"', part('project_name', 'Old Town')],
    ] as const) {
      expect(understood(typed).terms, typed).eql([meant]);
      const [{ condition }] = understood(typed).terms as [{ condition: Condition }];
      const written = termText(condition, WORDS, () => undefined);
      expect(understood(written).terms, written).eql([meant]);
    }
    expect(understood('retries~2').terms).eql([
      { problem: 'Retries is no text, of which “~” finds a part' },
    ]);
    expect(understood('~/tmp a~b worker~').terms).eql([]);
    expect(understood('worker~" "').terms, 'a blank part').eql([]);
    expect(wishOf('worker~no', WORDS)).equal(undefined);
    const suggested = fieldSuggestions('project_n', WORDS, (field) => field);
    expect(suggested.map(({ text }) => text)).eql(['project_name~']);
    expect(fieldSuggestions('worker~"node sta', WORDS, (field) => field)).eql([]);
  });

  it('takes `none` within quotes for a text', () => {
    expect(understood('worker:"none"').terms).eql([{ ask: ['none'] }]);
    expect(understood('worker:"",null').terms).eql([{ ask: ['', null] }]);
  });

  it('takes columns by their titles, another sign, and a blank behind the colon', () => {
    const failure = [{ ask: ['failure'] }];
    for (const text of ['Status: failure', 'status=failure', 'STATUS:failure']) {
      expect(understood(text).terms, text).eql(failure);
    }
    const fields = termsOf('exception:x preserved:yes Routing key:a routing_key=b retries>=2 ');
    expect(fields.map(({ kind, values }) => [kind.field, ...values])).eql([
      ['exception_type', 'x'],
      ['preserve', 'yes'],
      ['routing_key', 'a'],
      ['routing_key', 'b'],
      ['retries', '>=2'],
    ]);
    // A field without a value is text.
    expect(understood('error: -scope:system').q).equal('"error:"');
    expect(understood('a=b x>1 --verbose').q).equal('"a=b" "x>1" "--verbose"');
  });

  it('takes blanks around the sign of a bound, where a field has bounds', () => {
    const range = { kind: 'range', field: 'retries' } as const;
    expect(understood('slow retries >= 3 job')).eql({
      ...{ terms: [{ condition: { ...range, from: 3 } }], q: 'slow job' },
    });
    expect(understood('retries<= 3').terms).eql(understood('retries<=3').terms);
    // The number is still to come.
    expect(parseQuery('retries > ', WORDS).unfinished?.values).eql(['>']);
    expect(understood('retries > status:failure').terms).length(2);
    expect(understood('status < x').terms).eql([]);
    expect(understood('status:> x').q).equal('x');
    expect(understood('a > 3')).eql({ terms: [], q: 'a ">" 3' });
  });

  it('says what a range looks like', () => {
    const problemOf = (text: string) => (understood(text).terms[0] as { problem: string }).problem;
    expect(problemOf('date:31.2.2026')).equal(
      'Queued must be a date or a range, such as 2026-11-20, today, tuesday, 2h or 2026-11..2026-12',
    );
    expect(problemOf('retries:2,5')).equal(
      'Retries must be a number or a range, such as 2.5, 3..5 or >=3',
    );
    expect(problemOf('took:>1,5h')).equal(
      'Duration must be a length of time or a range, such as 90s, 2m..5m or >1.5h',
    );
  });

  it('takes no number that a request cannot hold', () => {
    for (const text of ['retries:1e400', '-retries:-1e400', 'retries:>1e400', 'took:1e400..']) {
      expect(understood(text).terms[0], text).to.have.property('problem');
    }
  });

  it('says what a field without ranges takes', () => {
    const problem = (example: string) => [
      { problem: `Worker takes no ranges, but values: ${example}` },
    ];
    expect(understood('worker:>2').terms).eql(problem('worker:2'));
    expect(understood('-worker<=2026-01-01').terms).eql(problem('-worker:2026-01-01'));
    expect(understood('task_id:2..4.5').terms).eql([
      { problem: 'Task ID takes no ranges, but values: task_id:2,4.5' },
    ]);
    // Quotes, and signs before other letters, are values.
    expect(understood('worker:">2",<module>').terms).eql([{ ask: ['>2', '<module>'] }]);
  });

  it('joins by `or` what stands beside it', () => {
    const membersOf = (text: string, joinsLast = false) =>
      parseQuery(text, WORDS, joinsLast).groups.map(({ members, joins }) => [
        joins,
        ...members.map((one) => (isTerm(one) ? one.kind.field : one.text)),
      ]);
    expect(membersOf('status:failure or worker:none x ')).eql([[false, 'status', 'worker']]);
    expect(membersOf('a status:failure OR "b c" or -d ')).eql([[false, 'status', 'b c', 'd']]);
    expect(membersOf('or worker:none ', true)).eql([[true, 'worker']]);
    expect(membersOf('or vineyard ', true)).eql([[true, 'vineyard']]);
    expect(parseQuery('a or b', WORDS)).to.deep.include({ groups: [], q: 'a or b' });
    expect(parseQuery('or a', WORDS).q).equal('"or" a');
    expect(parseQuery('or ', WORDS, true).q).equal('');
  });

  it('tells of a field that it does not know, but not of addresses', () => {
    const strangerIn = (text: string) => parseQuery(text, WORDS).stranger?.name;
    expect(strangerIn('status:failure spent:>60 nope:x')).equal('spent');
    expect(strangerIn('http://a.b 12:30 error: worker:x constructor: ')).equal(undefined);
    expect(strangerIn('constructor:x')).equal('constructor');
  });

  const FIELD = 'date_queued';
  for (const [text, range] of [
    ['2026-11-20', { from: local(2026, 11, 20), to: local(2026, 11, 21) }],
    ['2026-12', { from: local(2026, 12, 1), to: local(2027, 1, 1) }],
    ['2026', { from: local(2026, 1, 1), to: local(2027, 1, 1) }],
    ['2026-11-20..2026-11-22', { from: local(2026, 11, 20), to: local(2026, 11, 23) }],
    ['2026-11-20T14:05', { from: local(2026, 11, 20, 14, 5), to: local(2026, 11, 20, 14, 6) }],
    ['2026-11-20T14:05Z', { from: '2026-11-20T14:05:00.000Z', to: '2026-11-20T14:06:00.000Z' }],
    ['2026-11-20T14:05:30Z', { from: '2026-11-20T14:05:30.000Z', to: '2026-11-20T14:05:31.000Z' }],
    ['>2026-11-20T14:05:30+01:00', { from: '2026-11-20T13:05:31.000Z' }],
    [
      '2026-11-20T14:05:30.5Z',
      { from: '2026-11-20T14:05:30.500Z', to: '2026-11-20T14:05:30.501Z' },
    ],
    ['2026-12-31T23:59', { from: local(2026, 12, 31, 23, 59), to: local(2027, 1, 1) }],
    ['9999', { from: local(9999, 1, 1), to: local(10_000, 1, 1) }],
    ['<=2026-11-20T23:59', { to: local(2026, 11, 21) }],
    ['>=2026-11-20', { from: local(2026, 11, 20) }],
    ['>2026-11-20', { from: local(2026, 11, 21) }],
    ['<2026-11', { to: local(2026, 11, 1) }],
    ['..2026-11-20', { to: local(2026, 11, 21) }],
    ['1.11.2026', { from: local(2026, 11, 1), to: local(2026, 11, 2) }],
    ['20.11.2026..<22.11.2026', { from: local(2026, 11, 20), to: local(2026, 11, 22) }],
  ] as const) {
    it(`reads date:${text}`, () => {
      const { terms } = understood(`date:${text}`);
      expect(terms).eql([{ condition: { kind: 'range', field: FIELD, ...range } }]);
    });
  }

  it('reads years before 0 and after 9999 as cells show them, in every form', () => {
    const momentIn = (year: number, month = 0, day = 1, hour = 0, minute = 0, second = 0) => {
      const at = new Date(2000, month, day, hour, minute, second);
      at.setFullYear(year, month, day);
      return at.toISOString();
    };
    for (const year of [-44, 10_500, 200_000]) {
      const day = dayOf(new Date(momentIn(year, 2, 15)));
      for (const [text, range] of [
        [day, { from: momentIn(year, 2, 15), to: momentIn(year, 2, 16) }],
        [day.slice(0, -3), { from: momentIn(year, 2), to: momentIn(year, 3) }],
        [day.slice(0, -6), { from: momentIn(year), to: momentIn(year + 1) }],
        [`>=${day}`, { from: momentIn(year, 2, 15) }],
        [`<=${day}`, { to: momentIn(year, 2, 16) }],
        [`${day}..`, { from: momentIn(year, 2, 15) }],
        [`${day}T06:30`, { from: momentIn(year, 2, 15, 6, 30), to: momentIn(year, 2, 15, 6, 31) }],
        [
          `"${day} 06:30:05"`,
          { from: momentIn(year, 2, 15, 6, 30, 5), to: momentIn(year, 2, 15, 6, 30, 6) },
        ],
      ] as const) {
        expect(understood(`date:${text}`).terms, text).eql([
          { condition: { kind: 'range', field: FIELD, ...range } },
        ]);
      }
    }
    const year = { kind: 'range', from: momentIn(10_500), to: momentIn(10_500, 0, 2) };
    for (const text of ['10500-01-01', '1.1.10500', '+010500-01-01']) {
      expect(rangeOf('date', text), text).eql(year);
    }
    // The last moment of all is followed by none.
    expect(rangeOf('date', '+275760-09-13T00:00Z')).eql({
      ...{ kind: 'range', from: '+275760-09-13T00:00:00.000Z' },
    });
    // Its day began before the first moment of all.
    expect(rangeOf('date', '>=-271821-04-19T23:30-01:00')).eql({
      ...{ kind: 'range', from: '-271821-04-20T00:30:00.000Z' },
    });
    for (const text of ['10500', '202611', '300000-01-01', '+300000', '-44', '-000044-02-30']) {
      expect(rangeOf('date', text), text).equal(undefined);
    }
  });

  it('reads days by name, whole and as bounds, and ages as bounds', () => {
    const dayAt = (plus: number) => {
      const now = new Date();
      return new Date(now.getFullYear(), now.getMonth(), now.getDate() + plus).toISOString();
    };
    const nameOf = (plus: number, weekday: 'long' | 'short') =>
      new Date(dayAt(plus)).toLocaleDateString('en', { weekday });
    for (const ago of [0, 1, 2, 3, 4, 5, 6]) {
      for (const name of [nameOf(-ago, 'long'), nameOf(-ago, 'short').toLowerCase()]) {
        const day = { from: dayAt(-ago), to: dayAt(1 - ago) };
        expect(rangeOf('date', name), name).eql({ kind: 'range', ...day });
      }
    }
    for (const [text, range] of [
      ['>=today', { from: dayAt(0) }],
      ['>yesterday', { from: dayAt(0) }],
      ['<yesterday', { to: dayAt(-1) }],
    ] as const) {
      expect(rangeOf('date', text), text).eql({ kind: 'range', ...range });
    }
    for (const text of ['<2h', '3d..2h']) {
      const range = rangeOf('date', text);
      const { to } = range as { readonly to: string };
      expect(Date.now() - Date.parse(to), text).within(7_200_000, 7_260_000);
    }
    const [first, next] = [1, 2].map((year) => {
      const at = new Date(2000, 0);
      at.setFullYear(year);
      return at.toISOString();
    });
    expect(rangeOf('date', '0001')).eql({ kind: 'range', from: first, to: next });
    for (const text of ['tu', 'tuesdays', '1d..3d', '<0h']) {
      expect(rangeOf('date', text), text).equal(undefined);
    }
  });

  it('reads spans of time', () => {
    expect(understood('done:24h date:2h date:today').terms).eql([
      { condition: { kind: 'span', field: 'date_done', span: '24h' } },
      { condition: { kind: 'span', field: FIELD, span: '2h' } },
      { condition: { kind: 'span', field: FIELD, span: 'today' } },
    ]);
  });

  for (const [text, range] of [
    ['3', { from: 3, to: nextAfter(3) }],
    ['2..5', { from: 2, to: nextAfter(5) }],
    ['2..<5', { from: 2, to: 5 }],
    ['>=2', { from: 2 }],
    ['>2.5', { from: nextAfter(2.5) }],
    ['<=-2', { to: nextAfter(-2) }],
  ] as const) {
    it(`reads retries:${text}`, () => {
      expect(understood(`retries:${text}`).terms).eql([
        { condition: { kind: 'range', field: 'retries', ...range } },
      ]);
    });
  }

  it('reads ids as values, and as ranges', () => {
    const values = (...all: readonly (number | string)[]) => [
      { condition: { kind: 'values', field: 'id', not: false, values: all } },
    ];
    expect(understood('id:5,7').terms).eql(values(5, 7));
    expect(understood('id:9007199254740993').terms).eql(values('9007199254740993'));
    expect(understood('id:>100').terms).eql([
      { condition: { kind: 'range', field: 'id', from: nextAfter(100) } },
    ]);
  });

  it('reads durations by their units', () => {
    const range = { kind: 'range', field: 'execution_time' };
    expect(understood('took:>60s took:1m30s..2m took:<=500ms duration:1.5h').terms).eql([
      { condition: { ...range, from: nextAfter(60) } },
      { condition: { ...range, from: 90, to: nextAfter(120) } },
      { condition: { ...range, to: nextAfter(0.5) } },
      { condition: { ...range, from: 5_400, to: nextAfter(5_400) } },
    ]);
    expect(understood('took:soon').terms[0]).to.have.property('problem');
    // Texts of conditions have units where they are read with them.
    for (const text of ['took:>-5', 'took:1e-7', 'took:-1..<2s', 'took:>=1e+21', 'took:<0.5s']) {
      const [{ condition }] = understood(text).terms as [{ condition: Condition }];
      const written = termText(condition, WORDS, () => undefined);
      expect(written).equal(text);
      expect(understood(written).terms, written).eql([{ condition }]);
    }
  });

  for (const text of [
    'date:soon',
    'date:0h',
    'date:12345d',
    'date:2026-13',
    'date:2026-02-31',
    'date:2026-2-3',
    'date:2026-11-20T24:00',
    'date:2026-11-20T14:65:00',
    'date:2026-02-31T10:00:00Z',
    'date:5..3',
    'retries:many',
    'retries:5..3',
    'date:2026-11-22..2026-11-20',
    'kept:maybe',
    '-retries:many',
  ]) {
    it(`says what is wrong with ${text}`, () => {
      const [meaning] = understood(text).terms;
      expect(meaning).to.have.property('problem').that.is.a('string');
    });
  }

  it('takes what lies outside of a range, on both sides or on one', () => {
    const range = (field: string, ends: object) => ({ kind: 'range', field, ...ends });
    const [three, took, before, id] = understood(
      '-retries:3..5 -took:>60s -queued:2026-11-20 -task_id:x',
    ).terms;
    const of = [range('retries', { to: 3 }), range('retries', { from: nextAfter(5) })];
    expect(three).eql({ condition: { kind: 'any', of } });
    expect(took).eql({ condition: range('execution_time', { to: nextAfter(60) }) });
    const day = [
      range('date_queued', { to: local(2026, 11, 20) }),
      range('date_queued', { from: local(2026, 11, 21) }),
    ];
    expect(before).eql({ condition: { kind: 'any', of: day } });
    expect(id).eql({ condition: { kind: 'values', field: 'task_id', not: true, values: ['x'] } });
  });

  it('reads flags, none, and ids', () => {
    const id = 'B496822C-31B8-499C-ABA5-6C5EFF70B30D';
    const values = understood(`kept:yes worker:none task_id:${id} id:7 -preserve:no,none`).terms;
    const of = (field: string, not: boolean, ...list: unknown[]) => ({
      condition: { kind: 'values', field, not, values: list },
    });
    expect(values).eql([
      of('preserve', false, true),
      of('worker', false, null),
      of('task_id', false, id.toLowerCase()),
      of('id', false, 7),
      of('preserve', true, false, null),
    ]);
  });

  it('takes texts as they stand', () => {
    const users = vocabularyOf('users', undefined);
    const { groups } = parseQuery('email:Ana@X.example first_name:007 ', users);
    const meanings = groups.map(({ members }) => meaningOf(members[0] as Term));
    const of = (field: string, value: string) => ({
      condition: { kind: 'values', field, not: false, values: [value] },
    });
    expect(meanings).eql([of('email', 'Ana@X.example'), of('first_name', '007')]);
  });

  it('knows fields by the very names that a definition file gives them', () => {
    const names = ['createdAt', 'Case', 'case', 'line_2', 'k_2Id', 'id'];
    const titleOf = (name: string) => (name === 'createdAt' ? 'Created at' : name);
    setThings(names, names.map(titleOf));
    const things = vocabularyOf('tables/things', undefined);
    const dated = vocabularyOf('tables/things', 'createdAt');
    expect(namesOf(dated)).eql(names);
    expect(dated.fields.date!.field).equal('createdAt');
    for (const name of names) {
      const { groups } = parseQuery(`${name}:x `, things);
      expect(groups.flatMap(({ members }) => members.filter(isTerm))[0]?.kind.field).equal(name);
      const condition = { kind: 'values', field: name, not: false, values: ['x'] } as const;
      expect(termText(condition, things, () => undefined)).equal(`${name}:x`);
    }
    // Texts of a table of yours may have capitals, such as UUIDs that some programs write.
    const id = 'B496822C-31B8-499C-ABA5-6C5EFF70B30D';
    const [texts] = parseQuery(`Case:${id} `, things).groups;
    expect(meaningOf(texts!.members[0] as Term)).eql({
      condition: { kind: 'values', field: 'Case', not: false, values: [id] },
    });
    // As people type them, where no other field is called so.
    const { groups } = parseQuery('CREATEDAT:x Created at:y CASE:z ', things);
    const terms = groups.flatMap(({ members }) => members.filter(isTerm));
    expect(terms.map(({ kind }) => kind.field)).eql(['createdAt', 'createdAt', 'case']);
    const offered = (text: string) =>
      fieldSuggestions(text, things, (one) => one).map(({ box }) => box);
    expect(offered('creat')).eql(['createdAt:']);
    expect(offered('createdA')).eql(['createdAt:']);
    expect(offered('line_2')).eql(['line_2:']);
    expect(nearest('createdBt', Object.keys(things.fields))[0]).equal('createdAt');
  });

  it('takes the last words of a name that no other one ends with', () => {
    const names = [
      'ship_region',
      'ship_city',
      'bill_city',
      'lines_sku_code',
      'region_code',
      'due_date',
    ];
    setThings(names, names);
    const { fields } = vocabularyOf('tables/things', undefined);
    expect(fields.region!.field).equal('ship_region');
    expect(fields.sku_code!.field).equal('lines_sku_code');
    expect(fields).not.have.any.keys('city', 'code');
    const dated = vocabularyOf('tables/things', 'ship_region').fields;
    expect(dated.date!.field).equal('ship_region');
    const offers = fieldSuggestions('reg', { fields }, (one) => one);
    expect(offers.map(({ box }) => box)).eql(['region_code:', 'region:']);
  });

  it('takes and offers titles with any signs, in any script', () => {
    const decomposed = 'naïve'.normalize('NFD');
    const titles = [
      'E-Mail',
      'Share in %',
      'ชื่อ',
      'नाम',
      '🔥',
      decomposed,
      'A & b-c (d)',
      'a.b',
      '2024',
    ];
    const names = titles.map((_, at) => `f${at}`);
    setThings(names, titles);
    const things = vocabularyOf('tables/things', undefined);
    const fieldOf = (text: string) =>
      parseQuery(text, things).groups.flatMap(({ members }) => members.filter(isTerm))[0]?.kind
        .field;
    for (const [at, title] of titles.entries()) {
      expect(fieldOf(`${title.normalize()}:x `), title).equal(names[at]);
      const begun = title.normalize().toLowerCase().replaceAll(' ', '_').slice(0, -1);
      const [offer] = fieldSuggestions(`words ${begun || title}`, things, (one) => one);
      expect(fieldOf(`${offer!.box}x `), offer!.box).equal(names[at]);
    }
  });

  it('knows truths and numbers of a file that have no ranges', () => {
    const votes = { type: 'boolean', several: true };
    const fields = { id: { type: 'string' }, paid: { type: 'boolean' }, code: { type: 'number' } };
    setOwnTables([ownTable({ ...fields, votes }, { facets: ['code', 'votes'] })]);
    const things = vocabularyOf('tables/things', undefined);
    const meant = (text: string) =>
      meaningOf(parseQuery(`${text} `, things).groups[0]!.members[0] as Term);
    const of = (field: string, ...values: unknown[]) => ({
      condition: { kind: 'values', field, not: false, values },
    });
    expect(meant('paid:yes')).eql(of('paid', true));
    expect(meant('votes:no,none'), 'several').eql(of('votes', false, null));
    // The service compares truths that it counts with values of any type, and other truths with truths.
    const mixed = of('votes', 'yes', true, 1, null);
    expect(meant('votes:"yes",yes,1,none')).eql(mixed);
    expect(termText(mixed.condition as Condition, things, () => undefined)).equal(
      'votes:"yes",yes,1,none',
    );
    expect(meant('paid:"yes"')).eql(of('paid', true));
    expect(meant('paid:1')).eql({ problem: 'paid must be yes, no or none' });
    expect(meant('code:404,"404",none')).eql(of('code', 404, '404', null));
    expect(meant('code:many')).eql({ problem: 'code must be a number such as 3' });
    expect(meant('code:>=400')).eql({ problem: 'code takes no ranges, but values: code:400' });
    const condition = { kind: 'values', field: 'code', not: false, values: [404, '404'] } as const;
    expect(termText(condition, things, () => undefined)).equal('code:404,"404"');
    const all = { ...condition, values: [404, '404', '9007199254740993'] } as Condition;
    const { value } = chipText('tables/things', all, () => undefined);
    expect(value).equal('404, “404”, 9007199254740993');
  });

  it('asks the service for values that only it knows, and takes what is meant', () => {
    expect(understood('worker:node-3').terms).eql([{ ask: ['node-3'] }]);
    const found = [{ value: 'node-30' }, { value: 'Node-3' }, { value: 'x', label: 'Harbour' }];
    expect(resolved('node-3', found)).eql({ value: 'Node-3' });
    expect(resolved('harbour', found)).eql({ value: 'x' });
    expect(resolved('node', found.slice(0, 1))).eql({ value: 'node-30' });
    expect(resolved('no', found)).eql({ candidates: found });
    const twins = [
      { value: '1', label: 'Harbour' },
      { value: '2', label: 'Harbour' },
    ];
    expect(resolved('Harbour', twins), 'one name of two').eql({ candidates: twins });
    expect(resolved('2', twins)).eql({ value: '2' });
  });
});

describe('the words of a search', () => {
  const word = (text: string, not = false) => ({ kind: 'text', not, text });

  it('are looked for one by one; quotes, hyphens and `or` say otherwise', () => {
    const found = wordsIn(' vineyard "time  out" -gold red OR -"white wine" 5" ');
    expect(found).eql([
      [word('vineyard')],
      [word('time  out')],
      [word('gold', true)],
      [word('red'), word('white wine', true)],
      [word('5"')],
    ]);
    // A quote that is being typed ends without its last blank.
    expect(wordsIn('"time ')).eql([[word('time')]]);
    expect(wordsIn('or')).eql([[word('or')]]);
    expect(wordsIn('a or')).eql([[word('a')]]);
    expect(wordsIn('"a \\" b')).eql([[word('a " b')]]);
    expect(wordsIn('- -- "" "')).eql([[word('-')], [word('--')]]);
  });

  it('have no signs at their ends that nobody sees, except in quotes', () => {
    const [space, hyphen, mark] = ['\u200b', '\u00ad', '\u200e'];
    const pasted = `${space}vine${hyphen}yard${space} -${mark}gold${mark} \ufeffred "${space}x" ${space}`;
    expect(wordsIn(pasted)).eql([
      [word(`vine${hyphen}yard`)],
      [word('gold', true)],
      [word('red')],
      [word(`${space}x`)],
    ]);
    const values = (text: string) => understood(text).terms;
    expect(values(`status:${mark}FAILURE${space} `)).eql(values('status:FAILURE '));
    const kept = { kind: 'values', field: 'worker', not: false, values: [`a${space}`] } as const;
    expect(termText(kept, WORDS, () => undefined)).equal(`worker:"a${space}"`);
  });

  it('are read back from their text as they were', () => {
    const TRIMMED = fc.string({ minLength: 1 }).filter((text) => text.trim() === text);
    const one = fc.record({
      kind: fc.constant('text' as const),
      text: fc.oneof(fc.constantFrom('or', '-', '"', '\\', 'a:b', 'worker~b', 'a\u200b'), TRIMMED),
      not: fc.boolean(),
    });
    const words: fc.Arbitrary<Words> = fc.array(fc.array(one, { minLength: 1, maxLength: 3 }), {
      maxLength: 5,
    });
    fc.assert(
      fc.property(words, (all) => {
        expect(wordsIn(textOfWords(all))).eql(all);
        expect(understood(textOfWords(all)).terms).eql([]);
      }),
    );
  });

  it('that are more than a search takes are one text', () => {
    const many = Array.from({ length: 31 }, (_, at) => `w${at}`).join(' ');
    expect(wordsIn(many)).eql([[word(many)]]);
    expect(parseQuery(`status:FAILURE ${many}`, WORDS).isOneText).equal(true);
    expect(parseQuery(many.slice(4), WORDS).isOneText).equal(false);
  });
});

describe('conditions as text', () => {
  const textOf = (one: Condition) => termText(one, WORDS, () => undefined);

  it('are short where there is a short way', () => {
    const days = { from: local(2026, 11, 20), to: local(2026, 11, 23) };
    const early = rangeOf('date', '0090') as { from: string; to: string };
    const texts: [Condition, string][] = [
      [{ kind: 'values', field: 'status', not: true, values: ['A', null] }, '-status:A,none'],
      [{ kind: 'values', field: 'preserve', not: false, values: [true] }, 'kept:yes'],
      [{ kind: 'span', field: 'date_queued', span: '2h' }, 'date:2h'],
      [{ kind: 'range', field: 'date_done', ...days }, 'done:2026-11-20..2026-11-22'],
      [{ kind: 'range', field: 'date_done', from: days.from }, 'done:>=2026-11-20'],
      [{ kind: 'range', field: 'date_done', ...early }, 'done:0090-01-01..0090-12-31'],
      [{ kind: 'range', field: 'retries', from: 2, to: nextAfter(2) }, 'retries:2'],
      [{ kind: 'range', field: 'retries', from: nextAfter(2) }, 'retries:>2'],
      [{ kind: 'range', field: 'retries', ...exactly(LARGE) }, `retries:${LARGE}`],
      [{ kind: 'range', field: 'retries', from: 2, to: nextAfter(LARGE) }, `retries:2..${LARGE}`],
      [{ kind: 'range', field: 'retries', from: nextAfter(LARGE) }, `retries:>${LARGE}`],
      [{ kind: 'range', field: 'retries', to: `-${LARGE}` }, `retries:<-${LARGE}`],
    ];
    for (const [condition, text] of texts) expect(textOf(condition)).equal(text);
    const label = termText(
      { kind: 'values', field: 'project_id', not: false, values: ['b7'] },
      WORDS,
      () => 'Old Town',
    );
    expect(label).equal('project:"Old Town"');
    const failure: Condition = { kind: 'values', field: 'status', not: false, values: ['F'] };
    const either = anyOf([failure, { kind: 'text', not: true, text: 'old town' }]);
    expect(textOf(either)).equal('status:F or -"old town"');
    expect(anyOf([failure, { ...failure, values: ['G'] }])).eql({ ...failure, values: ['F', 'G'] });
  });

  it('are read back as they were', () => {
    const near = fc.date({ min: new Date(2000, 0), max: new Date(2100, 0), noInvalidDate: true });
    const bound = fc
      .oneof(near, fc.date({ min: new Date(-8.6e15), max: new Date(8.6e15), noInvalidDate: true }))
      .chain((at) =>
        fc.constantFrom(at, new Date(at.setMilliseconds(0)), new Date(at.setSeconds(0))),
      )
      .map((at) => at.toISOString());
    const dates = fc
      .tuple(bound, bound)
      .filter(([from, to]) => Date.parse(from) < Date.parse(to))
      .chain(([from, to]) => fc.constantFrom({ from, to }, { from }, { to }))
      .map((range): Condition => ({ kind: 'range', field: 'date_queued', ...range }));
    // Not -0, which texts write as 0.
    const number = fc
      .oneof(
        fc.integer(),
        fc.double({ noNaN: true, noDefaultInfinity: true, min: -1e30, max: 1e30 }),
      )
      // Records show integers past 2^53 as text.
      .map((one) => numberOf(String(one + 0)));
    const numbers = fc
      .tuple(number, number)
      .filter(([from, to]) => Number(from) < Number(to))
      .chain(([from, to]) =>
        fc.constantFrom(
          { from, to },
          { from },
          { to },
          { from, to: nextAfter(from) },
          { to: nextAfter(to) },
        ),
      )
      .map((range): Condition => ({ kind: 'range', field: 'retries', ...range }));
    const text = fc.oneof(fc.string(), fc.constantFrom('none', 'NULL', null));
    const values = fc
      .uniqueArray(text, { minLength: 1, maxLength: 3 })
      .map((all): Condition => ({ kind: 'values', field: 'worker', not: false, values: all }));
    fc.assert(
      fc.property(fc.oneof(dates, numbers, values), (condition) => {
        const [term] = termsOf(`${textOf(condition)} `);
        const meaning = meaningOf(term!);
        if ('ask' in meaning) expect({ ...condition, values: meaning.ask }).eql(condition);
        else expect(meaning).eql({ condition });
      }),
    );
  });

  it('are read back as they were where clocks are changed', () => {
    const { TZ } = process.env;
    process.env.TZ = 'Europe/Berlin';
    try {
      for (const change of ['2026-03-29T01:00Z', '2026-10-25T01:00Z', '2026-11-20T23:00Z']) {
        // Each minute of four hours around it.
        const at = (minute: number) =>
          new Date(Date.parse(change) + (minute - 120) * 60_000).toISOString();
        for (let minute = 0; minute < 240; minute++) {
          for (const length of [1, 30, 60, 90]) {
            const range = { from: at(minute), to: at(minute + length) };
            const condition: Condition = { kind: 'range', field: 'date_queued', ...range };
            const text = textOf(condition);
            expect(meaningOf(termsOf(`${text} `)[0]!), text).eql({ condition });
          }
        }
      }
    } finally {
      if (TZ === undefined) delete process.env.TZ;
      else process.env.TZ = TZ;
    }
  });

  it('tell texts of a field of numbers from these', () => {
    const pieces = {
      field: 'pieces',
      title: 'pieces',
      takes: 'number',
      isCounted: true,
      isListed: true,
      hasText: false,
    } as const;
    const words: Vocabulary = { fields: { pieces } };
    for (const [not, text] of [
      [false, 'pieces:"3",3,none,"none"'],
      [true, '-pieces:"3"'],
      [false, 'pieces:"2026-01-01.."'],
    ] as const) {
      const { groups } = parseQuery(`${text} `, words);
      const [term] = groups.flatMap(({ members }) => members.filter(isTerm));
      const meaning = meaningOf(term!);
      if (!('condition' in meaning)) throw new Error(text);
      expect(meaning.condition).include({ kind: 'values', field: 'pieces', not });
      expect(termText(meaning.condition, words, () => undefined)).equal(text);
    }
    // Where they are not counted the service takes the digits of a number alone.
    const uncounted: Vocabulary = { fields: { pieces: { ...pieces, isCounted: false } } };
    const meant = ['pieces:"n/a" ', 'pieces:"0.1" '].map((text) => {
      const [term] = parseQuery(text, uncounted).groups.flatMap(({ members }) => members);
      return meaningOf(term as Term);
    });
    expect(meant[0])
      .have.property('problem')
      .match(/^pieces must be a number/);
    expect(meant[1]).have.nested.property('condition.values').eql(['0.1']);
  });
});

describe('a chip', () => {
  it('says that a field has any value where it excludes that it has none', () => {
    const condition = { kind: 'values', field: 'worker', not: true, values: [null] } as const;
    const text = chipText('tasks', condition, () => undefined);
    expect(text).eql({ field: 'Worker', is: '', value: 'Any value' });
  });
});

describe('a mistyped word', () => {
  const STATES = ['SUCCESS', 'FAILURE', 'REVOKED', 'STARTED', 'RETRY', 'RECEIVED', 'PENDING'];
  for (const [typed, meant] of [
    ['failrue', ['FAILURE']],
    ['fail', ['FAILURE']],
    ['sucess', ['SUCCESS']],
    ['re', ['REVOKED', 'RETRY', 'RECEIVED']],
    ['foo', []],
    ['x', []],
  ] as const) {
    it(`may mean: ${typed}`, () => expect(nearest(typed, STATES)).eql(meant));
  }
});

describe('completion in the search box', () => {
  it('offers fields by what is typed, each once', () => {
    const offered = fieldSuggestions('x sta', WORDS, (field) => field);
    expect(offered.map(({ box }) => box)).eql(['x started:', 'x status:']);
    const without = fieldSuggestions('-sco', WORDS, (field) => field);
    expect(without.map(({ box, hint }) => [box, hint])).eql([['-scope:', 'without scope']]);
    expect(fieldSuggestions('', WORDS, (field) => field)).eql([]);
  });

  it('offers values, and keeps what stands before them', () => {
    const wish = wishOf('a worker:x,"no', WORDS)!;
    expect([wish.kind.field, wish.contains, wish.before]).eql(['worker', 'no', 'a worker:x,']);
    const comma = wishOf('worker:x,"a, b', WORDS)!;
    expect([comma.contains, comma.before]).eql(['a, b', 'worker:x,']);
    expect(wishOf('worker:"a\\"b', WORDS)!.contains).equal('a"b');
    const found = [{ value: 'node 3', count: 1_200 }];
    expect(valueSuggestions(wish, found)).eql([
      { text: 'node 3', hint: '1,200', box: 'a worker:x,"node 3" ', whole: true },
    ]);
  });

  it('offers rows without a value, and a value that is called so', () => {
    const wish = wishOf('worker:no', WORDS)!;
    const found = [null, 'none'].map((value) => ({ value, count: 1 }));
    const boxes = valueSuggestions(wish, found).map(({ box }) => box);
    expect(boxes).eql(['worker:none ', 'worker:"none" ']);
    const empty = valueSuggestions(wish, [{ value: '', count: 1 }]);
    expect(empty.map(({ text, box }) => [text, box])).eql([['Empty text', 'worker:"" ']]);
    const named = [{ value: null, label: 'No worker', count: 1 }];
    expect(valueSuggestions(wish, named).map(({ box }) => box)).eql(['worker:none ']);
  });

  it('knows times by itself', () => {
    const wish = wishOf('date:y', WORDS)!;
    expect(valueSuggestions(wish, []).map(({ text }) => text)).eql(['yesterday']);
    for (const one of ['date:n', 'retries:', 'duration:no']) {
      const none = valueSuggestions(wishOf(one, WORDS)!, []).map(({ box }) => box);
      expect(none, one).eql([`${one.replace(/:.*/, '')}:none `]);
    }
  });

  it('quotes what would not be read back', () => {
    for (const text of ['a b', 'a,b', 'say "hi"', 'back\\slash x', 'none', 'Null', '']) {
      expect(termsOf(`worker:${quoted(text)} `)[0]?.values).eql([text]);
    }
    const code = { ...WORDS.fields.worker!, takes: 'numbers' } as const;
    const known = [404, '404'].map((value) => ({ value, count: 1 }));
    const boxes = valueSuggestions({ kind: code, contains: '', before: 'code:' }, known);
    expect(boxes.map(({ box }) => box)).eql(['code:404 ', 'code:"404" ']);
  });
});
