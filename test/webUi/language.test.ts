/** What the search box of the web UI understands. */
import { expect } from 'chai';
import { fieldSuggestions, valueSuggestions, wishOf } from '../../web/query/completion.ts';
import { meaningOf, parseQuery, quoted, resolved } from '../../web/query/language.ts';
import { vocabularyOf } from '../../web/query/vocabulary.ts';

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
    expect(understood('done:24h date:today').terms).eql([
      { condition: { kind: 'span', field: 'date_done', span: '24h' } },
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
    expect(resolved('no', found)).eql({ candidates: ['node-30', 'Node-3', 'Harbour'] });
  });
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
    const found = [{ value: 'node 3', count: 1_200 }];
    expect(valueSuggestions(wish, found)).eql([
      { text: 'node 3', hint: '1,200', box: 'a worker:x,"node 3" ', whole: true },
    ]);
  });

  it('knows times by itself', () => {
    const wish = wishOf('date:y', WORDS)!;
    expect(valueSuggestions(wish, []).map(({ text }) => text)).eql(['yesterday']);
  });

  it('quotes what would not be read back', () => {
    for (const text of ['a b', 'a,b', 'say "hi"', 'back\\slash x']) {
      const { terms } = parseQuery(`worker:${quoted(text)} `, WORDS);
      expect(terms[0]?.values).eql([text]);
    }
  });
});
