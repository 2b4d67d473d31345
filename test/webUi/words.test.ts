/**
 * The web UI's texts in German: none is missing, and each keeps the places of names and numbers.
 */
import { readdirSync, readFileSync } from 'node:fs';
import path from 'node:path';
import { expect } from 'chai';
import { PROBLEMS } from '../../src/errors.ts';
import { keysOf } from '../../web/present/keys.ts';
import { ACTIONS, TABLES, tableOf } from '../../web/tables/tables.ts';
import { DE } from '../../web/words/de.ts';
import { DE_HEARD } from '../../web/words/deHeard.ts';
import { heard, isHeard, language } from '../../web/words/words.ts';

const ROOT = path.resolve(import.meta.dirname, '../..');
const WEB = path.join(ROOT, 'web');

/** The texts that the source says, as they stand there: `say('…')`, and titles of columns, tables, keys, actions. */
function said(): ReadonlySet<string> {
  const texts = new Set<string>();
  for (const name of readdirSync(WEB, { recursive: true, encoding: 'utf8' })) {
    if (!/\.tsx?$/.test(name) || name.startsWith('words')) continue;
    const source = readFileSync(path.join(WEB, name), 'utf8');
    const calls = /\bsay\(\s*(?:[^'()]*\?\s*)?'((?:[^'\\]|\\.)*)'(?:\s*:\s*'((?:[^'\\]|\\.)*)')?/g;
    const titles =
      /(?:\bcolumn\(|\b(?:title|about|aboutOne|one|many|words|heading|button|leave):\s*)'((?:[^'\\]|\\.)*)'/g;
    for (const [, ...found] of [...source.matchAll(calls), ...source.matchAll(titles)]) {
      for (const text of found) if (text) texts.add(text);
    }
  }
  return texts;
}

/** Titles of rows with one value, names of values, and the texts of a sweep. */
const ofTables = () =>
  TABLES.map(tableOf).flatMap(({ titled = {}, looks, sweep }) => [
    ...Object.values(titled).flatMap((titles) => Object.values(titles)),
    ...Object.values(looks).flatMap(({ words = {} }) => Object.values(words)),
    ...(sweep ? [sweep.warning, sweep.done] : []),
  ]);

/** The texts that actions on rows make of theirs. */
const OF_ACTIONS = ACTIONS.flatMap(({ title, done }) => [`${title} {what}`, `{what} ${done}`]);

/** Words that are the same in every language, or that name a table elsewhere. */
const SAME = new Set(['Deutsch', 'English', 'record']);

const namesIn = (text: string) => [...text.matchAll(/\{\w+\}/g)].map(String).sort();

describe("the web UI's words", () => {
  it('are all there in German', () => {
    const ofKeys = TABLES.flatMap(keysOf).map(({ title }) => title);
    const missing = [...said(), ...OF_ACTIONS, ...ofTables(), ...ofKeys].filter(
      (text) => !SAME.has(text) && !Object.hasOwn(DE, text),
    );
    expect(said().size).greaterThan(200);
    expect(missing).eql([]);
  });

  it('are all said', () => {
    const sources = readdirSync(WEB, { recursive: true, encoding: 'utf8' })
      .filter((name) => /\.tsx?$/.test(name) && !name.startsWith('words'))
      .map((name) => readFileSync(path.join(WEB, name), 'utf8'))
      .join('\n');
    const unsaid = Object.keys(DE).filter(
      (text) => !sources.includes(text) && !OF_ACTIONS.includes(text),
    );
    expect(unsaid).eql([]);
  });

  it('keep what stands for names and numbers', () => {
    for (const [english, german] of Object.entries({ ...DE, ...DE_HEARD })) {
      expect(namesIn(german), german).eql(namesIn(english));
    }
  });

  it('stand nowhere but in `say`: no component has a sentence of its own', () => {
    const bare: string[] = [];
    const components = readdirSync(WEB, { recursive: true, encoding: 'utf8' }).filter((name) =>
      /^(parts|regions)\/.*\.tsx$/.test(name),
    );
    expect(components.length).greaterThan(40);
    for (const name of components) {
      const source = readFileSync(path.join(WEB, name), 'utf8');
      for (const [, text] of source.matchAll(/>\s*([A-Za-z][\w ,.'’…:?!-]* [\w ,.'’…:?!-]*)</g)) {
        if (text !== 'Ctrl K') bare.push(`${name}: ${text}`);
      }
    }
    expect(bare).eql([]);
  });
});

describe('what the service says, in German', () => {
  before(() => {
    language.value = 'de';
  });
  after(() => {
    language.value = 'en';
  });

  it('is known of every kind of refusal', () => {
    for (const [, title] of Object.values(PROBLEMS)) expect(isHeard(title), title).equal(true);
  });

  it('is what the service and its client say still', () => {
    const said = ['src', 'clients/typescript']
      .flatMap((folder) =>
        readdirSync(path.join(ROOT, folder), { recursive: true, encoding: 'utf8' })
          .filter((name) => name.endsWith('.ts'))
          .map((name) => readFileSync(path.join(ROOT, folder, name), 'utf8')),
      )
      .join('\n');
    for (const english of Object.keys(DE_HEARD)) {
      // The client puts its own address there, and the page has none.
      if (english === 'The service cannot be reached.') continue;
      const parts = english
        .split(/\{\w+\}/)
        .flatMap((part) => part.split(/ \(| at $|\)?: |\)?\.$/));
      for (const part of parts) expect(said, english).include(part);
    }
  });

  it('is told with what differs, and as it was said where it is not known', () => {
    expect(heard('The task has ended already: FAILURE.')).equal(
      'Die Aufgabe ist bereits beendet: FAILURE.',
    );
    expect(heard('The index is loading (42 % is there).')).equal(
      'Der Index wird geladen (42 % sind da).',
    );
    expect(heard('The index is behind: MongoNetworkError.')).equal(
      'Der Index liegt zurück: MongoNetworkError.',
    );
    expect(heard('Nobody knows this.')).equal('Nobody knows this.');
    expect(isHeard('Nobody knows this.')).equal(false);
  });
});
