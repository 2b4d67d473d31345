/** What `table-search` says of itself, and how shells complete it. */
import { execFileSync } from 'node:child_process';
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
      'search explore watch export tail mcp demo serve token fixtures bench completion'.split(' '),
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
        if (name === 'bench') continue;
        for (const [option] of rest!.matchAll(/(?<=\s)--?[a-z][\w-]*/g)) {
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
    [
      ['search', 'users', '--sort', 'em'],
      ['email', 'email:asc'],
    ],
    [['search', 'users', '-c', 'id,em'], ['id,email']],
    [['search', 'tasks', '-p', 'x', '-f', 'pro'], []],
    [['search', 'tasks', '-f', 'project_n'], ['project_name=']],
    [
      ['explore', 'tasks', '-s', 'stat'],
      ['status=', 'status!='],
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
  ];
  for (const [typed, found] of cases) {
    it(`of ${typed.join(' ')}|`, () => expect(words(...typed)).eql(found));
  }

  it('works in bash, words with = and : included', async function bash() {
    this.timeout(60_000);
    const { out: script } = await run(['completion', 'bash'], {});
    const folder = mkdtempSync(path.join(tmpdir(), 'completion-'));
    const file = path.join(folder, 'table-search');
    const quoted = TABLE_SEARCH.map((word) => `'${word}'`).join(' ');
    writeFileSync(file, `#!/bin/sh\nexec ${quoted} "$@"\n`);
    chmodSync(file, 0o755);
    const complete = (line: string) => {
      const lines = [
        script,
        `COMP_LINE='${line}'; COMP_POINT=\${#COMP_LINE}`,
        '_table_search; printf "%s\\n" "${COMPREPLY[@]}"',
      ];
      const env = { ...process.env, PATH: `${folder}:${process.env.PATH}` };
      const options = { env, encoding: 'utf8' } as const;
      return execFileSync('bash', ['--norc', '-c', lines.join('\n')], options)
        .trim()
        .split('\n');
    };
    try {
      expect(complete('table-search fix')).eql(['fixtures']);
      expect(complete('table-search search users -f active=t')).eql(['true']);
      expect(complete('table-search explore audit --histogram at:P1D')).eql(['P1D']);
      expect(complete('table-search search ')).include.members(['tasks', 'audit']);
    } finally {
      rmSync(folder, { recursive: true });
    }
  });

  for (const shell of ['zsh', 'fish']) {
    it(`has a script for ${shell}, which asks the command`, async () => {
      const { code, out } = await run(['completion', shell], {});
      expect(code).equal(0);
      expect(out).include('table-search').include(' complete -- ');
    });
  }
});
