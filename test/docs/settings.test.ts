/**
 * docs/settings.md, made from the definitions in src/config.ts.
 * `UPDATE_DOCS=1 npx mocha test/docs/settings.test.ts` writes it again.
 */
import { readFileSync, writeFileSync } from 'node:fs';
import { expect } from 'chai';
import { SETTING_GROUPS, SETTINGS } from '../../src/config.ts';
import type { Setting } from '../../src/settings.ts';

const FILE = new URL('../../docs/settings.md', import.meta.url);

const HEAD = `# Settings

The service reads its settings from the environment when it starts. A bad value stops it, with one line that names
every bad setting and the reason. An empty variable counts as unset. Sizes take the units \`kb\`, \`mb\` and \`gb\`,
powers of 1024. Options such as \`serve --port\` set the same: see [cli.md](cli.md).

A test keeps this page equal to the definitions in \`src/config.ts\`.
`;

const GROUPS: Readonly<Record<keyof typeof SETTING_GROUPS, string>> = {
  needed: `## Needed

The store, and exactly one way to check tokens.`,
  usual: '## Usual',
  rare: `## Rare

Defaults that fit most machines. [operations.md](operations.md#sizing) says how the memory settings add up, and
[security.md](security.md) which limits protect callers from each other.`,
};

function table(settings: Readonly<Record<string, Setting<unknown>>>): string {
  const rows = Object.values(settings).map(({ name, kind, preset, about }) => {
    const shown = preset === undefined ? 'unset' : `\`${preset}\``;
    return `| \`${name}\` | ${kind.takes.replaceAll('|', '\\|')} | ${shown} | ${about} |`;
  });
  return ['| setting | takes | default | meaning |', '|---|---|---|---|', ...rows].join('\n');
}

function textOf(): string {
  const parts = Object.entries(SETTING_GROUPS).map(
    ([name, settings]) => `${GROUPS[name as keyof typeof GROUPS]}\n\n${table(settings)}\n`,
  );
  return [HEAD, ...parts].join('\n');
}

describe('docs/settings.md', () => {
  it('is what the definitions say', () => {
    if (process.env.UPDATE_DOCS === '1') writeFileSync(FILE, textOf());
    expect(readFileSync(FILE, 'utf8')).equal(textOf());
  });

  it('has a row for each setting, once', () => {
    const rows = readFileSync(FILE, 'utf8').match(/^\| `[A-Z_]+` \|.+\|.+\|.+\|$/gm) ?? [];
    const names = rows.map((row) => /`([A-Z_]+)`/.exec(row)![1]);
    expect(names).have.members(Object.values(SETTINGS).map(({ name }) => name));
  });

  it('has 36 rows at most: an operator can hold no more in mind', () => {
    expect(Object.keys(SETTINGS).length).at.most(36);
  });
});
