/** The help of `table-search` and of its commands. */
import { expect } from 'chai';
import { program } from '../../src/cli/program.ts';
import { run } from '../support/tableSearch.ts';

const root = program(() => {});
const shown = root
  .createHelp()
  .visibleCommands(root)
  .map((command) => command.name());

describe('table-search --help', function help() {
  this.timeout(60_000);

  it('is there for all of it, and for each command, with examples', async () => {
    expect(shown).include.members(
      'search explore watch export tail mcp demo serve token fixtures'.split(' '),
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
