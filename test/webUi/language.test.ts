/** What the search box of the web UI understands. */
import { expect } from 'chai';
import fc from 'fast-check';
import { fieldSuggestions, valueSuggestions, wishOf } from '../../web/query/completion.ts';
import {
  closedText,
  finishedPart,
  meaningOf,
  parseQuery,
  quoted,
  resolved,
} from '../../web/query/language.ts';
import { nearest } from '../../web/query/spelling.ts';
import { termText } from '../../web/query/termText.ts';
import { vocabularyOf } from '../../web/query/vocabulary.ts';
import type { Condition } from '../../web/state/view.ts';

const WORDS = vocabularyOf('tasks', 'date_queued');
const local = (year: number, month: number, day: number, hour = 0, minute = 0) =>
  new Date(year, month - 1, day, hour, minute).toISOString();

/** The conditions and the text of a query that is closed by a blank. */
function understood(text: string) {
  const { terms, rest } = parseQuery(`${text} `, WORDS);
  return { terms: terms.map(meaningOf), rest: rest.trim() };
}

describe('the query language of the web UI', () => {
  it('tells fields from text', () => {
    const { terms, rest } = parseQuery('status:failure time out -scope:system nope:x ', WORDS);
    expect(terms.map(({ kind, not, values }) => [kind.field, not, values])).eql([
      ['status', false, ['failure']],
      ['scope', true, ['system']],
    ]);
    expect(rest.trim()).equal('time out nope:x');
  });

  it('takes quotes, several values, and other names of fields', () => {
    const { terms } = parseQuery('worker:"node 3",node-4 Person:a@b.c ', WORDS);
    expect(terms.map(({ kind, values }) => [kind.field, values])).eql([
      ['worker', ['node 3', 'node-4']],
      ['user_email', ['a@b.c']],
    ]);
  });

  it('leaves alone what is still being typed, and fields within words', () => {
    const { terms, unfinished, rest } = parseQuery('x status:fai', WORDS);
    expect(terms).eql([]);
    expect(unfinished?.values).eql(['fai']);
    expect(rest).equal('x ');
    expect(parseQuery('http://status:1 ', WORDS).terms).eql([]);
  });

  it('keeps a term open while its quote is, with the blanks in it', () => {
    const text = 'x project:"Old Town ';
    expect(parseQuery(text, WORDS).unfinished?.values).eql(['Old Town ']);
    expect(finishedPart(text, WORDS)).equal('x ');
    expect(closedText(text, WORDS)).equal('x project:"Old Town " ');
    expect(finishedPart('status:failure wor', WORDS)).equal('status:failure ');
    expect(finishedPart('project:"Old Town" ', WORDS)).equal('project:"Old Town" ');
    expect(closedText('worker:a', WORDS)).equal('worker:a ');
  });

  it('finds the word at the end of a long text without reading it once a letter', () => {
    const text = `${'a'.repeat(100_000)} `;
    const began = performance.now();
    expect(finishedPart(`${text}wor`, WORDS)).equal(text);
    expect(performance.now() - began).below(1_000);
  });

  it('takes `none` within quotes for a text', () => {
    expect(understood('worker:"none"').terms).eql([{ ask: ['none'] }]);
    expect(understood('worker:"",null').terms).eql([{ ask: ['', null] }]);
  });

  it('leaves a field without a value in the text', () => {
    expect(understood('error: timeout')).eql({ terms: [], rest: 'error: timeout' });
  });

  it('tells of a field that it does not know, but not of addresses', () => {
    const strangerIn = (text: string) => parseQuery(text, WORDS).stranger?.name;
    expect(strangerIn('status:failure took:>60 nope:x')).equal('took');
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
    ['>=2026-11-20', { from: local(2026, 11, 20) }],
    ['>2026-11-20', { from: local(2026, 11, 21) }],
    ['<2026-11', { to: local(2026, 11, 1) }],
    ['..2026-11-20', { to: local(2026, 11, 21) }],
  ] as const) {
    it(`reads date:${text}`, () => {
      const { terms } = understood(`date:${text}`);
      expect(terms).eql([{ condition: { kind: 'range', field: FIELD, ...range } }]);
    });
  }

  it('reads spans of time', () => {
    expect(understood('done:24h date:2h date:today').terms).eql([
      { condition: { kind: 'span', field: 'date_done', span: '24h' } },
      { condition: { kind: 'span', field: FIELD, span: '2h' } },
      { condition: { kind: 'span', field: FIELD, span: 'today' } },
    ]);
  });

  for (const [text, range] of [
    ['3', { from: 3, to: 4 }],
    ['2..5', { from: 2, to: 6 }],
    ['>=2', { from: 2 }],
    ['>2', { from: 3 }],
    ['<=2', { to: 3 }],
  ] as const) {
    it(`reads retries:${text}`, () => {
      expect(understood(`retries:${text}`).terms).eql([
        { condition: { kind: 'range', field: 'retries', ...range } },
      ]);
    });
  }

  for (const text of [
    'date:soon',
    'date:0h',
    'date:12345d',
    'date:2026-13',
    'date:2026-02-31',
    'date:5..3',
    'retries:many',
    'retries:5..3',
    'date:2026-11-22..2026-11-20',
    'kept:maybe',
  ]) {
    it(`says what is wrong with ${text}`, () => {
      const [meaning] = understood(text).terms;
      expect(meaning).to.have.property('problem').that.is.a('string');
    });
  }

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

describe('conditions as text', () => {
  const textOf = (one: Condition) => termText(one, WORDS, () => undefined);

  it('are short where there is a short way', () => {
    const days = { from: local(2026, 11, 20), to: local(2026, 11, 23) };
    const texts: [Condition, string][] = [
      [{ kind: 'values', field: 'status', not: true, values: ['A', null] }, '-status:A,none'],
      [{ kind: 'values', field: 'preserve', not: false, values: [true] }, 'kept:yes'],
      [{ kind: 'span', field: 'date_queued', span: '2h' }, 'date:2h'],
      [{ kind: 'range', field: 'date_done', ...days }, 'done:2026-11-20..2026-11-22'],
      [{ kind: 'range', field: 'date_done', from: days.from }, 'done:>=2026-11-20'],
      [{ kind: 'range', field: 'retries', from: 2, to: 3 }, 'retries:2'],
    ];
    for (const [condition, text] of texts) expect(textOf(condition)).equal(text);
    const label = termText(
      { kind: 'values', field: 'project_id', not: false, values: ['b7'] },
      WORDS,
      () => 'Old Town',
    );
    expect(label).equal('project:"Old Town"');
  });

  it('are read back as they were', () => {
    const bound = fc
      .date({ min: new Date(2000, 0), max: new Date(2100, 0), noInvalidDate: true })
      .chain((at) =>
        fc.constantFrom(at, new Date(at.setMilliseconds(0)), new Date(at.setSeconds(0))),
      )
      .map((at) => at.toISOString());
    const dates = fc
      .tuple(bound, bound)
      .filter(([from, to]) => from < to)
      .chain(([from, to]) => fc.constantFrom({ from, to }, { from }, { to }))
      .map((range): Condition => ({ kind: 'range', field: 'date_queued', ...range }));
    const text = fc.oneof(fc.string(), fc.constantFrom('none', 'NULL', null));
    const values = fc
      .uniqueArray(text, { minLength: 1, maxLength: 3 })
      .map((all): Condition => ({ kind: 'values', field: 'worker', not: false, values: all }));
    fc.assert(
      fc.property(fc.oneof(dates, values), (condition) => {
        const [term] = parseQuery(`${textOf(condition)} `, WORDS).terms;
        const meaning = meaningOf(term!);
        if ('ask' in meaning) expect({ ...condition, values: meaning.ask }).eql(condition);
        else expect(meaning).eql({ condition });
      }),
    );
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
    const named = [{ value: null, label: 'No worker', count: 1 }];
    expect(valueSuggestions(wish, named).map(({ box }) => box)).eql(['worker:none ']);
  });

  it('knows times by itself', () => {
    const wish = wishOf('date:y', WORDS)!;
    expect(valueSuggestions(wish, []).map(({ text }) => text)).eql(['yesterday']);
  });

  it('quotes what would not be read back', () => {
    for (const text of ['a b', 'a,b', 'say "hi"', 'back\\slash x', 'none', 'Null', '']) {
      const { terms } = parseQuery(`worker:${quoted(text)} `, WORDS);
      expect(terms[0]?.values).eql([text]);
    }
  });
});
