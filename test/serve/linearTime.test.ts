/**
 * Text from outside takes time by its length, whatever it is: eight times the text, eight times the
 * time, not sixty-four. Every function that is given foreign text is run over texts that expressions
 * are known to go back and forth on.
 */
import type { IncomingMessage, ServerResponse } from 'node:http';
import { expect } from 'chai';
import Koa, { type Context } from 'koa';
import { after, describe, it } from 'mocha';
import { logLine } from '../../src/apps/admin/logs/logLine.ts';
import { ROUTING_KEYS, taskCatalogue } from '../../src/apps/admin/resources/taskTypes.ts';
import { adminTasks } from '../../src/apps/admin/resources/views.ts';
import { createLog } from '../../src/log.ts';
import { safeFileName } from '../../src/serve/answer/fileName.ts';
import { BY_CLAIMS } from '../../src/serve/auth/policy.ts';
import { Rights } from '../../src/serve/auth/rights.ts';
import { acceptedType } from '../../src/serve/request/acceptedType.ts';
import { requireType } from '../../src/serve/request/body.ts';
import { byteRange } from '../../src/serve/request/byteRange.ts';
import { isUnmodified, mayResume } from '../../src/serve/request/preconditions.ts';
import { integer, oneOf, readQuery } from '../../src/serve/request/queryParameters.ts';
import { Deadline } from '../../src/store/deadline.ts';
import { compileSearch } from '../../src/tables/explore/body.ts';
import { standardFold, wellFormed } from '../../src/textindex/caseFold.ts';
import { threadMs } from '../support/usage.ts';

const fold = standardFold();
const log = createLog('info', { write: () => undefined });
const validate = compileSearch(adminTasks);
const validators = { etag: '"a"', lastModified: new Date(0) };
const deadline = new Deadline(600_000);
const tokens = { claims: async () => ({ refused: 'no' }) };
const rights = new Rights({ tokens, policy: BY_CLAIMS });
const { labels } = taskCatalogue();

/** The context of a request with these headers. */
const contextOf = (headers: IncomingMessage['headers']) =>
  new Koa().createContext(
    { headers } as IncomingMessage,
    {} as ServerResponse,
  ) as unknown as Context;

const FUNCTIONS: Readonly<Record<string, (text: string) => unknown>> = {
  'the file name of a download': (text) => safeFileName(text, 'fallback'),
  'a line of a log': (text) => logLine({ message: text }),
  'a Range header': (text) => byteRange(text, 100),
  'a Range header after its unit': (text) => byteRange(`bytes=${text}`, 100),
  'a Content-Type header': (text) =>
    requireType('text/plain', `text/plain; charset=utf-8; a=${text}`),
  'an If-None-Match header': (text) => isUnmodified({ 'if-none-match': text }, validators),
  'an If-Modified-Since header': (text) => isUnmodified({ 'if-modified-since': text }, validators),
  'an If-Range header': (text) => mayResume({ 'if-match': text, 'if-range': text }, validators),
  'an Accept header': (text) => acceptedType(contextOf({ accept: text }), 'json', 'text/csv'),
  'an Accept-Encoding header': (text) =>
    contextOf({ 'accept-encoding': text }).acceptsEncodings('gzip', 'br', 'identity'),
  'a number in a query': (text) => integer(0, 9, '').parse(text),
  'a word in a query': (text) => oneOf(['a', 'b'], '').parse(text),
  'a field of our log': (text) => log.info({ text }, text),
  'an error in our log': (text) => log.error({ err: new Error(text, { cause: text }) }, 'failed'),
  'a folded text': (text) => fold.fold(text),
  'a text without halves of characters': (text) => wellFormed(text),
  'a filter': (text) => {
    expect(() => validate({ filters: { q: text } })).to.throw();
  },
  'an unknown member': (text) => {
    expect(() => validate({ filters: { [text]: 1 } })).to.throw();
  },
  'an unknown query parameter': (text) => {
    expect(() => readQuery({ query: { [text]: text } }, { scope: oneOf(['a'], '') })).to.throw();
  },
  'a routing key': (text) => labels[ROUTING_KEYS]!.named(text, (given) => fold.fold(given)),
  'an Authorization header': (text) => rights.claims(text).catch(() => undefined),
  'a token': (text) => rights.claims(`Bearer ${text}`).catch(() => undefined),
};

/** Texts by their length. */
const TEXTS: Readonly<Record<string, (length: number) => string>> = {
  dots: (length) => `a${'.'.repeat(length)}b`,
  spaces: (length) => `a${' '.repeat(length)}b`,
  'line ends': (length) => `a${'\r\n'.repeat(length / 2)}b`,
  'dots and spaces': (length) => `a${'. '.repeat(length / 2)}b`,
  quotes: (length) => '"'.repeat(length - 1),
  'quotes and commas': (length) => `"${'"'.repeat(length / 2)}${','.repeat(length / 2)}`,
  'quotes and semicolons': (length) => `a/b;c=${'"'.repeat(length / 2)}${';'.repeat(length / 2)}`,
  'an open quote': (length) => `"${'a'.repeat(length)}`,
  'weak tags': (length) => 'W/'.repeat(length / 2),
  'escaped quotes': (length) => `"${'\\"'.repeat(length / 2)}`,
  slashes: (length) => '/'.repeat(length),
  credentials: (length) => '//a:'.repeat(length / 4),
  'begun tokens': (length) => '-eyJa'.repeat(length / 5),
  'tokens in one': (length) => 'eyJa.'.repeat(length / 5),
  'token characters': (length) => `${'a'.repeat(length)}!`,
  'equals signs': (length) => `a${'='.repeat(length)}!`,
  digits: (length) => `${'1'.repeat(length)}-`,
  hyphens: (length) => '-'.repeat(length),
  'halves of characters': (length) => '\ud83d'.repeat(length),
  'direction marks': (length) => '\u202e'.repeat(length),
  parentheses: (length) => '('.repeat(length),
};

const SHORT = 16_384;
const TIMES = 8;
/** Time by the square of the length would be seconds: a shorter time needs no second look. */
const LOOKED_AT_MS = 500;

/** The time of a processor where the system tells it, so that a busy machine does not count. */
const clock = threadMs() > 0 ? threadMs : () => performance.now();

async function timeOf(run: (text: string) => unknown, text: string): Promise<number> {
  const started = clock();
  await run(text);
  return clock() - started;
}

describe('text from outside', function () {
  this.timeout(60_000);
  after(() => deadline.close());
  for (const [what, run] of Object.entries(FUNCTIONS)) {
    it(`takes time by its length: ${what}`, async () => {
      for (const [name, textOf] of Object.entries(TEXTS)) {
        const long = await timeOf(run, textOf(SHORT * TIMES));
        if (long < LOOKED_AT_MS) continue;
        const short = await timeOf(run, textOf(SHORT));
        expect(long / short, `${name}: ${short} and ${long} ms`).to.be.below(TIMES * 3);
      }
    });
  }
});
