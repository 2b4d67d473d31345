/** The page's texts in German: none is missing, and each keeps what stands for names and numbers. */
import { readdirSync, readFileSync } from 'node:fs';
import path from 'node:path';
import { expect } from 'chai';
import { DE } from '../../web/words/de.ts';

const WEB = path.resolve(import.meta.dirname, '../../web');

/** The texts that the source says, as they stand there: `say('…')`, and titles of columns, tables, keys, actions. */
function said(): ReadonlySet<string> {
  const texts = new Set<string>();
  for (const name of readdirSync(WEB, { recursive: true, encoding: 'utf8' })) {
    if (!/\.tsx?$/.test(name) || name.startsWith('words')) continue;
    const source = readFileSync(path.join(WEB, name), 'utf8');
    const calls = /\bsay\(\s*(?:[^'()]*\?\s*)?'((?:[^'\\]|\\.)*)'(?:\s*:\s*'((?:[^'\\]|\\.)*)')?/g;
    const titles = /(?:\bcolumn\(|\b(?:title|about|one|many):\s*)'((?:[^'\\]|\\.)*)'/g;
    for (const [, ...found] of [...source.matchAll(calls), ...source.matchAll(titles)]) {
      for (const text of found) if (text) texts.add(text);
    }
    if (!name.endsWith('actions.ts')) continue;
    for (const [, title] of source.matchAll(/title: '([^']*)'/g)) texts.add(`${title} {what}`);
    for (const [, done] of source.matchAll(/done: '([^']*)'/g)) texts.add(`{what} ${done}`);
  }
  return texts;
}

/** What is the same in every language, or names a table elsewhere. */
const SAME = new Set(['Deutsch', 'English', 'record']);

const namesIn = (text: string) => [...text.matchAll(/\{\w+\}/g)].map(String).sort();

describe("the page's words", () => {
  it('are all there in German', () => {
    const missing = [...said()].filter((text) => !SAME.has(text) && !Object.hasOwn(DE, text));
    expect(said().size).greaterThan(200);
    expect(missing).eql([]);
  });

  it('keep what stands for names and numbers', () => {
    for (const [english, german] of Object.entries(DE)) {
      expect(namesIn(german), german).eql(namesIn(english));
    }
  });
});
