/** The log as people read it: a line is a line, and nothing that was logged steers a terminal. */
import { expect } from 'chai';
import { createLog } from '../src/log.ts';
import { readableLine } from '../src/readableLog.ts';
import { run, runInTerminal } from './support/tableSearch.ts';

const HOSTILE = 'a\r\nb\u001b[31m\u009b31m\u0085\u2028\u202e\u2066\u200f\ufeff\u007f\0z';
const UNSAFE = /[\0-\x09\x0b-\x1f\x7f-\x9f\u061c\u200e\u200f\u2028-\u202e\u2066-\u2069\ufeff]/;
// biome-ignore lint/complexity/useRegexLiterals: no control characters in a source file
const STYLE = new RegExp('\\u001b\\[\\d+m', 'g');

describe('readable lines of the log', () => {
  let written: string;
  const log = createLog('trace', {
    write(line) {
      written = line;
    },
  });
  const shown = (coloured = false) => readableLine(written, coloured);

  it('show a request at a glance', () => {
    const fields = { request_id: 'x', method: 'POST', route: '/api/v2/users/search', status: 200 };
    log.info({ ...fields, ms: 3.0812, user_id: 1, search: 'index' }, 'request');
    expect(shown()).match(
      /^\d\d:\d\d:\d\d\.\d{3} info {2}POST \/api\/v2\/users\/search 200 3\.1 ms {2}user 1, index\n$/,
    );
    log.info({ method: 'GET', route: null, path: '/nowhere', status: 404, ms: 1, user_id: null });
    expect(shown(), 'what is no request keeps its fields').include('status=404');
    const refused = { method: 'GET', route: null, path: '/nowhere', status: 404, ms: 1, code: 'X' };
    log.info(refused, 'request');
    expect(shown()).match(/ GET \/nowhere 404 1\.0 ms {2}code="X"\n$/);
  });

  it('show messages with their fields, and errors with their causes', () => {
    log.warn({ reason: 'failed', searches: 3 }, 'the index left searches');
    expect(shown()).match(/ warn {2}the index left searches {2}reason="failed" searches=3\n$/);
    const cause = new Error('mongodb://user:sesame@host refused');
    log.error({ err: new Error('away', { cause }) }, 'failed');
    expect(shown()).match(
      / error failed\n {4}Error: away\n {4} +at .+\n[\s\S]*caused by Error: mongodb/,
    );
    expect(shown()).not.include('sesame');
  });

  it('let nothing through that steers a terminal', () => {
    log.error({ text: HOSTILE, [HOSTILE]: [HOSTILE], err: new Error(HOSTILE) }, HOSTILE);
    expect(shown()).not.match(UNSAFE);
    expect(shown(true).replace(STYLE, '')).equal(shown());
    expect(shown(true)).match(STYLE);
    log.info({ method: HOSTILE, route: HOSTILE, status: 200, ms: 1, search: HOSTILE }, 'request');
    expect(shown()).not.match(UNSAFE);
    expect(shown()).match(/^[^\n]*\n$/);
  });

  it('leave what is no line of the log as it is', () => {
    for (const text of ['', 'plain\n', '7\n', 'null\n'])
      expect(readableLine(text, true)).equal(text);
  });

  it('stand on a terminal; a pipe gets JSON, unless it is told otherwise', async function pipes() {
    this.timeout(60_000);
    // It cannot start, and says so by its log.
    const env = { AUTH_JWT_SECRET: 'too short', NO_COLOR: '1' };
    const [pipe, terminal] = await Promise.all([
      run(['serve'], env),
      runInTerminal(['serve'], env),
    ]);
    expect(pipe.code).equal(1);
    expect(JSON.parse(pipe.out)).include({ level: 'fatal' });
    expect(terminal.code).equal(1);
    expect(terminal.text).match(/^\d\d:\d\d:\d\d\.\d{3} fatal .*AUTH_JWT_SECRET/);
  });
});
