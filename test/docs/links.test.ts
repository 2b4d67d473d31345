/** Every relative link of a Markdown file leads to a file, and to a heading of it where it names one. */
import { execFileSync } from 'node:child_process';
import { existsSync, readFileSync, statSync } from 'node:fs';
import path from 'node:path';
import { expect } from 'chai';

const ROOT = path.resolve(import.meta.dirname, '../..');

const pages = execFileSync('git', ['ls-files', '-co', '--exclude-standard', '*.md'], { cwd: ROOT })
  .toString()
  .split('\n')
  .filter((name) => name !== '' && existsSync(path.join(ROOT, name)));

/** A page without its blocks of code, whose brackets and `#` mean other things. */
const textOf = (name: string) =>
  readFileSync(path.join(ROOT, name), 'utf8').replace(/^```[\s\S]*?^```$/gm, '');

/** Anchors as GitHub makes them: letters, digits and hyphens of the heading; `-1` for a second one. */
function anchorsOf(text: string): ReadonlySet<string> {
  const anchors = new Set<string>();
  for (const [, heading] of text.matchAll(/^#{1,6} (.+)$/gm)) {
    const shown = heading!.replace(/\[([^\]]*)\]\([^)]*\)/g, '$1');
    const plain = shown.toLowerCase().replace(/[^\p{L}\p{N} _-]/gu, '');
    const anchor = plain.replaceAll(' ', '-');
    let name = anchor;
    for (let n = 1; anchors.has(name); n++) name = `${anchor}-${n}`;
    anchors.add(name);
  }
  for (const [, name] of text.matchAll(/<a (?:id|name)="([^"]+)"/g)) anchors.add(name!);
  return anchors;
}

/** Targets in this repository of the links and pictures of a page. */
function linksOf(text: string): readonly string[] {
  const withoutCode = text.replace(/`[^`\n]*`/g, '`');
  return [
    ...withoutCode.matchAll(/\]\(([^)\s]+)(?:\s+"[^"]*")?\)/g),
    ...withoutCode.matchAll(/<(?:a|img|source)\s[^>]*?(?:href|src|srcset)="([^"]+)"/g),
    ...withoutCode.matchAll(/^\[[^\]]+\]:\s+(\S+)/gm),
  ]
    .map(([, target]) => target!)
    .filter((target) => !/^[a-z][a-z+.-]*:/i.test(target));
}

/** Why a link of a page leads nowhere; undefined where it leads somewhere. */
function faultOf(page: string, target: string): string | undefined {
  const [file = '', anchor] = target.split('#');
  const name = file === '' ? page : path.join(path.dirname(page), decodeURI(file));
  if (name.startsWith('..')) return 'leaves the repository';
  const full = path.join(ROOT, name);
  if (!existsSync(full)) return 'no such file';
  if (anchor === undefined) return undefined;
  if (statSync(full).isDirectory() || !name.endsWith('.md')) return undefined;
  return anchorsOf(textOf(name)).has(decodeURI(anchor)) ? undefined : 'no such heading';
}

describe('links of the documents', () => {
  it('lead to files and headings that are there', () => {
    const wrong = pages.flatMap((page) =>
      linksOf(textOf(page)).flatMap((target) => {
        const fault = faultOf(page, target);
        return fault === undefined ? [] : [`${page}: ${target} (${fault})`];
      }),
    );
    expect(wrong).to.deep.equal([]);
  });

  it('are found, and told from those that lead nowhere', () => {
    const links = pages.flatMap((page) => linksOf(textOf(page)));
    expect(links.length).greaterThan(40);
    expect(faultOf('docs/cli.md', 'absent.md')).equal('no such file');
    expect(faultOf('docs/cli.md', '../SECURITY.md#absent')).equal('no such heading');
    expect(faultOf('docs/cli.md', '../../README.md')).equal('leaves the repository');
    expect(
      linksOf('[a](b.md#c) `[x](y)` ![d](e.png "f") <img src="g.svg"> [h](https://i)'),
    ).members(['b.md#c', 'e.png', 'g.svg']);
    expect([...anchorsOf('# A `b`, c\n## The [d](e) – f\n## A b c')]).members([
      'a-b-c',
      'the-d--f',
      'a-b-c-1',
    ]);
  });
});
