/** Completion of what only the service knows, and of a line as bash itself completes it. */
import { execFile } from 'node:child_process';
import { chmodSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { type AddressInfo, createServer } from 'node:net';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { promisify } from 'node:util';
import { expect } from 'chai';
import { useWorld } from '../client/world.ts';
import { ANA, uuid } from '../conformance/documents.ts';
import { pressed, run, TABLE_SEARCH } from '../support/tableSearch.ts';

describe('completion of values', function values() {
  this.timeout(90_000);
  const world = useWorld();
  let env: Record<string, string>;
  before(async () => {
    const token = await world.service.token(1, true);
    env = { TABLE_SEARCH_URL: world.service.url, TABLE_SEARCH_TOKEN: token };
    const tasks = world.database.db.collection<{ _id: number }>('tasks');
    // Text that a shell would run, or split.
    await tasks.updateOne({ _id: 5 }, { $set: { worker: 'worker-$(touch /tmp/x)' } });
    await tasks.updateOne({ _id: 6 }, { $set: { worker: 'worker 6' } });
  });

  const complete = async (words: readonly string[], change: Record<string, string> = {}) => {
    const { code, out, err } = await run(['complete', '--', ...words], { ...env, ...change });
    expect({ code, err }).eql({ code: 0, err: '' });
    return out
      .split('\n')
      .slice(0, -1)
      .map((line) => line.split('\t') as [string, string]);
  };
  /** Of a service that has some. */
  const some = (words: readonly string[], change?: Record<string, string>) =>
    pressed(
      () => complete(words, change),
      (found) => found.length > 0,
    );
  const wordsOf = async (...typed: string[]) => (await some(typed)).map(([word]) => word);

  it('offers values of a field, in any case, and none that a shell would read as more', async () => {
    const [all, another, excluded, second, safe] = await Promise.all([
      wordsOf('search', 'tasks', '-s', 'status='),
      wordsOf('search', 'tasks', '-s', 'status=fail'),
      wordsOf('explore', 'tasks', '--select', 'status!=ST'),
      wordsOf('watch', 'tasks', '-s', 'status=FAILURE,'),
      wordsOf('search', 'tasks', '-s', 'worker=worker'),
    ]);
    expect(all).have.members(['status=FAILURE', 'status=SUCCESS', 'status=STARTED']);
    expect(another).eql(['status=FAILURE']);
    expect(excluded).eql(['status!=STARTED']);
    expect(second).have.members(['status=FAILURE,SUCCESS', 'status=FAILURE,STARTED']);
    expect(safe).have.members([0, 1, 2, 3, 4].map((n) => `worker=worker-${n}`));
  });

  it('offers projects, tasks and values of filters with their meaning', async () => {
    const ofAna = { TABLE_SEARCH_TOKEN: await world.service.token(ANA) };
    const [projects, tasks, filters] = await Promise.all([
      some(['search', 'tasks', '-p', ''], ofAna),
      some(['tail', uuid(7).slice(0, 8)]),
      wordsOf('search', 'tasks', '-f', 'user_email='),
    ]);
    expect(projects.map(([word]) => word)).eql([uuid(1)]);
    expect(projects[0]![1]).match(/\w/);
    expect(Object.fromEntries(tasks)[uuid(7)]).equal('STARTED');
    for (const one of filters) expect(one).match(/^user_email=\S+@\S+$/);
  });

  it('offers nothing, without a word, where no service answers or the token is bad', async () => {
    const asked = ['search', 'tasks', '-s', 'status='];
    expect(await complete(asked, { TABLE_SEARCH_URL: 'http://127.0.0.1:1' })).eql([]);
    expect(await complete(asked, { TABLE_SEARCH_URL: 'nonsense' })).eql([]);
    expect(await complete(asked, { TABLE_SEARCH_TOKEN: 'x' })).eql([]);
  });

  it('gives up a service that does not answer, so that no Tab hangs', async () => {
    const silent = createServer(() => {});
    await new Promise<void>((resolve) => silent.listen(0, '127.0.0.1', resolve));
    try {
      const { port } = silent.address() as AddressInfo;
      const there = { TABLE_SEARCH_URL: `http://127.0.0.1:${port}` };
      expect(await complete(['tail', ''], there)).eql([]);
    } finally {
      silent.close();
    }
  });

  it('works in bash for a name, a path and npx', async () => {
    const folder = mkdtempSync(path.join(tmpdir(), 'completion-'));
    try {
      const program = path.join(folder, 'table-search');
      const quoted = TABLE_SEARCH.map((word) => `'${word}'`).join(' ');
      writeFileSync(program, `#!/bin/sh\nexec ${quoted} "$@"\n`);
      const npx = '[ "$1 $2" = "--no table-search" ] && shift 2 && exec table-search "$@"';
      writeFileSync(path.join(folder, 'npx'), `#!/bin/sh\n${npx}\n`);
      for (const name of ['table-search', 'npx']) chmodSync(path.join(folder, name), 0o755);
      const typed = async (line: string) => {
        const PATH = `${folder}:${process.env.PATH}`;
        const { stdout } = await promisify(execFile)('python3', ['-c', TYPED_IN_BASH, line], {
          cwd: folder,
          env: { ...process.env, ...env, HOME: folder, PATH },
          timeout: 40_000,
        });
        return stdout.trim();
      };
      const asked = 'search tasks -s status=fail';
      for (const called of [
        'table-search',
        './table-search',
        '~/table-search',
        'npx table-search',
      ]) {
        const whole = `${called} search tasks -s status=FAILURE`;
        const line = await pressed(
          () => typed(`${called} ${asked}`),
          (found) => found === whole,
        );
        expect(line).equal(whole);
      }
    } finally {
      rmSync(folder, { recursive: true, force: true });
    }
  });
});

/** Types a line and Tab into a bash of its own, and prints what the line has become. */
const TYPED_IN_BASH = String.raw`
import os, pty, re, sys
child, terminal = pty.fork()
if child == 0:
    os.execvp('bash', ['bash', '--norc', '--noprofile', '-i'])
seen = b''
def until(what):
    global seen
    while not re.search(what, seen):
        seen += os.read(terminal, 65536)
def typed(text):
    global seen
    seen = b''
    os.write(terminal, text.encode())
typed("PS1='rea''dy> '; bind 'set enable-bracketed-paste off'\n")
until(rb'ready> ')
typed('source <(table-search completion bash) && echo lo""aded\n')
until(rb'loaded')
typed('''bind -x '"\\C-x": printf "line""=[%s]\\n" "$READLINE_LINE"' && echo bo""und\n''')
until(rb'bound')
typed(sys.argv[1] + '\t\x18')
until(rb'line=\[[^\]]*\]')
print(re.search(rb'line=\[([^\]]*)\]', seen)[1].decode().strip())
os.kill(child, 9)
`;
