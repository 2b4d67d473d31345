/** README.md's block for running the service, as written except for the build, on a test database. */
import { readFileSync } from 'node:fs';
import path from 'node:path';
import { expect } from 'chai';
import { useDatabase } from '../support/database.ts';
import { useFolder } from '../support/folder.ts';
import { freePort } from '../support/freePort.ts';
import { pasted } from '../support/shell.ts';
import { SERVICE, TABLE_SEARCH } from '../support/tableSearch.ts';
import { ROOT } from './reader.ts';

describe('the block of README.md that runs the service', function running() {
  this.timeout(120_000);
  const database = useDatabase();
  const folder = useFolder('running');

  it('works as written: data, service, a token that it accepts, an answer', async () => {
    const text = readFileSync(path.join(ROOT, 'README.md'), 'utf8');
    const [, block = ''] = /^```sh\n(# [^\n]+\nnpm run build\n.*?)^```$/ms.exec(text) ?? [];
    const quoted = (words: readonly string[]) => words.map((word) => `'${word}'`).join(' ');
    const lines = block
      .replace('npm run build\n', '')
      .replaceAll('node dist/cli/main.js', quoted(TABLE_SEARCH))
      .replace('node dist/main.js', quoted(SERVICE))
      .replaceAll('8081', String(await freePort()));
    const env = { MONGODB_URI: database.uri, MONGODB_DB: database.name };
    // A service that outlives its shell would keep its pipes open.
    const ending =
      "SERVICE=''; trap 'test -z \"$SERVICE\" || kill $SERVICE 2>/dev/null || true' EXIT";
    const printed = await pasted(`${ending}\ncd '${folder}'\n${lines}`, env);
    const answer = printed.split('\n').find((line) => line.startsWith('{"data"')) ?? printed;
    const { data, meta } = JSON.parse(answer);
    expect(data).not.empty;
    expect(meta.applied_filters).eql({ active: true });
  });
});
