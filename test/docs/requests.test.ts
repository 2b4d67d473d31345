/**
 * The requests in README.md and docs/api.md, run as they are written: by a shell, against a service with the
 * demo's data. Where a block of JSON follows, the answer must have all that it shows; `…` stands for
 * members and elements that are left out.
 */
import { readFileSync } from 'node:fs';
import { expect } from 'chai';
import { loadDemo } from '../../src/dev/fixtures/load/load.ts';
import { useDatabase } from '../support/database.ts';
import { startService, type TestService } from '../support/service.ts';
import { pasted } from '../support/shell.ts';
import { until } from '../support/until.ts';

const ADDRESS = 'http://127.0.0.1:8080';

interface Block {
  readonly title: string;
  readonly shell: string;
  /** The JSON that is shown as its answer. */
  readonly shown?: unknown;
}

/** The shell blocks of a page that send a request to the demo. */
function blocksOf(page: string): readonly Block[] {
  const text = readFileSync(new URL(`../../${page}`, import.meta.url), 'utf8');
  const blocks = [...text.matchAll(/^```(sh|json)\n(.*?)^```$/gms)];
  return blocks.flatMap(([, language, shell], i) => {
    if (language !== 'sh' || !shell!.includes(ADDRESS)) return [];
    const [, next, json] = blocks[i + 1] ?? [];
    const title = shell!.split('\n')[0]!.replace('# ', '');
    return next === 'json'
      ? [{ title, shell: shell!, shown: parsed(json!) }]
      : [{ title, shell: shell! }];
  });
}

/** JSON without the marks of omission. */
const parsed = (json: string): unknown => JSON.parse(json.replace(/,?\s*…/g, ''));

/** Compares an answer with the document's, or else with the usual one to such a request. */
function expectJson(printed: string, shell: string, shown: unknown): void {
  const answer = JSON.parse(printed);
  if (shown !== undefined) expect(shortened(answer, shown)).eql(shown);
  else if (shell.includes('/explain')) expect(answer).include({ route: 'index' });
  else if (shell.includes('/views')) expect(answer.view_id).match(/^[0-9a-f-]{36}$/);
  else expect(answer.data, printed).instanceOf(Array).not.empty;
}

/** As much of `real` as `shown` has: its members, and as many elements of its lists. */
function shortened(real: unknown, shown: unknown): unknown {
  if (Array.isArray(real) && Array.isArray(shown)) {
    return real.slice(0, shown.length).map((one, i) => shortened(one, shown[i]));
  }
  if (typeof real !== 'object' || typeof shown !== 'object' || !real || !shown) return real;
  const members = Object.entries(shown).filter(([name]) => name in real);
  return Object.fromEntries(
    members.map(([name, one]) => [name, shortened((real as Record<string, unknown>)[name], one)]),
  );
}

describe('the requests of README.md and docs/api.md', function requests() {
  this.timeout(240_000);
  const database = useDatabase();
  let service: TestService;
  let token: string;

  before(async () => {
    const now = new Date();
    await loadDemo(database.db, { tasks: 50_000, seed: 1, now });
    service = await startService(database.uri, database.name);
    token = await service.token(1, true);
    await service.live();
  });
  after(() => service.stop());

  const pages = { 'README.md': 1, 'docs/api.md': 10 };
  for (const [page, count] of Object.entries(pages)) {
    const blocks = blocksOf(page);
    it(`are there: ${page}`, () => expect(blocks).lengthOf(count));

    for (const { title, shell, shown } of blocks) {
      it(`work as written: ${page}, ${title}`, async () => {
        // A reader of events ends it by Ctrl-C.
        const ended = shell.includes('event-stream')
          ? `${shell.trimEnd()} --max-time 3 || true`
          : shell;
        const ask = () => pasted(ended.replaceAll(ADDRESS, service.url), { TOKEN: token });
        let printed = await ask();
        if (shell.includes('/explain')) {
          // On a busy machine the index may be behind its store for a moment.
          await until(async () => {
            if (JSON.parse(printed).route === 'index') return true;
            printed = await ask();
            return false;
          }, 'the index does not answer');
        }
        if (shell.includes('text/csv')) {
          const [head, ...rows] = printed.trimEnd().split('\r\n');
          expect(head).equal('task_id,status,date_queued');
          expect(rows.length).greaterThan(3);
        } else if (shell.includes('event-stream')) {
          expect(printed).match(/^event: answer\nid: \d+\.\d+\ndata: \{"data":\[/m);
        } else {
          expectJson(printed, shell, shown);
        }
      });
    }
  }
});
