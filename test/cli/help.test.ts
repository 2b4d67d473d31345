/** What `table-search` says of itself, and how shells complete it. */
import { execFileSync, spawnSync } from 'node:child_process';
import { chmodSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { expect } from 'chai';
import { candidatesOf } from '../../src/cli/complete/candidates.ts';
import { program } from '../../src/cli/program.ts';
import { run, TABLE_SEARCH } from '../support/tableSearch.ts';

const root = program(() => {});
const shown = root
  .createHelp()
  .visibleCommands(root)
  .map((command) => command.name());

describe('table-search --help', function help() {
  this.timeout(60_000);

  it('is there for all of it, and for each command, with examples', async () => {
    expect(shown).include.members(
      'search explore watch export tail mcp demo serve token fixtures completion'.split(' '),
    );
    const [all, none, ...each] = await Promise.all([
      run(['--help'], {}),
      run([], {}),
      ...['search', 'demo', 'mcp'].map((name) => run([name, '--help'], {})),
    ]);
    expect(all).include({ code: 0, err: '' });
    expect(none).eql(all);
    for (const name of shown) expect(all.out).match(new RegExp(`^  ${name}\\b`, 'm'));
    expect(all.out).include('Exit codes: 0 done').include('TABLE_SEARCH_TOKEN');
    for (const { code, out, err } of each) {
      expect({ code, err }).eql({ code: 0, err: '' });
      expect(out).match(/^Examples:\n( {2}\S.*\n {4}(\$|\{).*\n)+/m);
    }
  });

  it('has examples that are commands: each option in them is there', () => {
    for (const command of root.commands.filter((one) => shown.includes(one.name()))) {
      if (command.name() === 'help') continue;
      let text = '';
      const writeOut = (some: string) => {
        text += some;
      };
      command.configureOutput({ writeOut });
      command.outputHelp();
      const lines = text.replaceAll(/\\\n\s+/g, '').match(/^ {4}.*\$ .*$/gm) ?? [];
      const calls = lines.flatMap((line) => [...line.matchAll(/table-search (\w+)([^|>)$]*)/g)]);
      if (!['mcp'].includes(command.name())) expect(calls.length, command.name()).greaterThan(0);
      for (const [, name, rest] of calls) {
        const called = root.commands.find((one) => one.name() === name);
        expect(called, `${command.name()}: ${name}`).not.equal(undefined);
        // The value of an order may begin with a hyphen, too.
        for (const [option] of rest!
          .replace(/--sort \S+/g, '--sort')
          .matchAll(/(?<=\s)--?[a-z][\w-]*/g)) {
          const known = called!.options.some((one) => one.short === option || one.long === option);
          expect(known, `${name} ${option}`).equal(true);
        }
      }
    }
  });
});

describe('completion', () => {
  const words = (...typed: string[]) => candidatesOf(root, typed).map(({ word }) => word);

  const cases: [typed: string[], found: string[]][] = [
    [['se'], ['search', 'serve']],
    [
      ['search', ''],
      ['tasks', 'schedules', 'users', 'projects', 'audit'],
    ],
    [['search', 'users', '--fi'], ['--filter']],
    [['search', 'users', '-f', 'a'], ['active=']],
    [
      ['search', 'users', '-f', 'active='],
      ['active=true', 'active=false'],
    ],
    [['search', 'users', '--filter', 'match_type=e'], ['match_type=exact']],
    [['search', 'users', '--sort', 'em'], ['email']],
    [['search', 'users', '--sort', '-em'], ['-email']],
    [['search', 'users', '--sort', 'id,-em'], ['id,-email']],
    [['search', 'users', '--sort', '-email,-em'], []],
    [['search', 'users', '--sort', 'email,-em'], []],
    [['explore', 'tasks', '--stats', 'exec'], ['execution_time']],
    [['search', 'users', '-c', 'id,em'], ['id,email']],
    [['search', 'tasks', '-p', 'x', '-f', 'pro'], []],
    [['search', 'tasks', '-f', 'project_n'], ['project_name=']],
    [
      ['explore', 'tasks', '-s', 'stat'],
      ['status=', 'status!=', 'status~', 'status!~'],
    ],
    [
      ['explore', 'audit', '--facet', 'act'],
      ['actor', 'action'],
    ],
    [
      ['explore', 'audit', '--histogram', 'at:P1'],
      ['at:P1D', 'at:P1W', 'at:P1M'],
    ],
    [
      ['completion', ''],
      ['bash', 'zsh', 'fish'],
    ],
    [['tail', ''], []],
    [['explore', 'tasks', '--time-zone', 'Europe/Berl'], ['Europe/Berlin']],
    // Values of fields are the service's to tell.
    [['search', 'tasks', '-s', 'status='], []],
  ];
  for (const [typed, found] of cases) {
    it(`of ${typed.join(' ')}|`, () => expect(words(...typed)).eql(found));
  }

  describe('in the shells themselves', function shells() {
    this.timeout(60_000);
    let folder: string;
    let env: NodeJS.ProcessEnv;
    before(() => {
      folder = mkdtempSync(path.join(tmpdir(), 'completion-'));
      const file = path.join(folder, 'table-search');
      const quoted = TABLE_SEARCH.map((word) => `'${word}'`).join(' ');
      writeFileSync(file, `#!/bin/sh\nexec ${quoted} "$@"\n`);
      chmodSync(file, 0o755);
      env = { ...process.env, PATH: `${folder}:${process.env.PATH}`, HOME: folder };
    });
    after(() => rmSync(folder, { recursive: true, force: true }));

    const ran = (command: string, ...args: string[]) =>
      execFileSync(command, args, { env, encoding: 'utf8' }).trim().split('\n');
    const isThere = (shell: string) =>
      spawnSync(shell, ['-c', 'exit 0'], { stdio: 'ignore' }).status === 0;

    it('bash, words with = and : included', async () => {
      const { out: script } = await run(['completion', 'bash'], {});
      const complete = (line: string) => {
        const lines = [
          script,
          `COMP_LINE='${line}'; COMP_POINT=\${#COMP_LINE}`,
          '_table_search; printf "%s\\n" "${COMPREPLY[@]}"',
        ];
        return ran('bash', '--norc', '-c', lines.join('\n'));
      };
      expect(complete('table-search fix')).eql(['fixtures']);
      expect(complete('table-search search users -f active=t')).eql(['true']);
      expect(complete('table-search explore audit --histogram at:P1D')).eql(['P1D']);
      expect(complete('table-search search ')).include.members(['tasks', 'audit']);
    });

    it('fish', function fish() {
      if (!isThere('fish')) return this.skip();
      const complete = (line: string) => {
        const script = 'table-search completion fish | source; complete -C $argv[1]';
        return ran('fish', '-c', script, line).map((one) => one.split('\t')[0]);
      };
      expect(complete('table-search fix')).eql(['fixtures']);
      expect(complete('table-search search users -f active=t')).eql(['active=true']);
      expect(complete('table-search search ')).include.members(['tasks', 'audit']);
    });

    it('zsh, as keys are typed', function zsh() {
      if (!isThere('zsh')) return this.skip();
      const complete = (typed: string) => ran('python3', '-c', TYPED_IN_ZSH, typed).at(-1);
      expect(complete('table-search fix')).equal('table-search fixtures');
      expect(complete('table-search search users -f active=t')).match(/ -f active=true$/);
      expect(complete('table-search explore audit --histogram at:P1D')).match(/ at:P1D$/);
    });
  });

  for (const shell of ['zsh', 'fish']) {
    it(`has a script for ${shell}, which asks the command`, async () => {
      const { code, out } = await run(['completion', shell], {});
      expect(code).equal(0);
      expect(out).include('table-search').include(' complete -- ');
    });
  }
});

/** Types a line and Tab into a zsh of its own, and prints what the line has become. */
const TYPED_IN_ZSH = String.raw`
import os, pty, re, sys
child, terminal = pty.fork()
if child == 0:
    os.execvp('zsh', ['zsh', '-f', '-i'])
seen = b''
def until(what):
    global seen
    while not re.search(what, seen):
        seen += os.read(terminal, 65536)
def typed(text):
    global seen
    seen = b''
    os.write(terminal, text.encode())
typed("PS1='rea''dy> '\n")
until(rb'ready> ')
typed('autoload -Uz compinit && compinit -u -D && source <(table-search completion zsh)\n')
typed('shown() { print; print -r -- "line"=[$BUFFER]; BUFFER=; zle accept-line }\n')
typed("zle -N shown && bindkey '^X' shown && print lo''aded\n")
until(rb'loaded')
typed(sys.argv[1] + '\t\x18')
until(rb'line=\[[^\]]*\]')
print(re.search(rb'line=\[([^\]]*)\]', seen)[1].decode().strip())
os.kill(child, 9)
`;
