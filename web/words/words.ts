/** The web UI's texts. The code has the English ones; they are the keys to those of other languages, which are data. */
import { signal } from '@preact/signals';
import { DE } from './de.ts';
import { DE_HEARD } from './deHeard.ts';

/** The UI's name in every language. */
export const BRAND = 'Table search';

export const LANGUAGES = ['en', 'de'] as const;
export type Language = (typeof LANGUAGES)[number];

/** The first language of the browser that the UI has. */
export function spoken(): Language {
  const { navigator } = globalThis as { navigator?: { readonly languages?: readonly string[] } };
  const wanted = navigator?.languages ?? [];
  for (const one of wanted) {
    const found = LANGUAGES.find((language) => one.toLowerCase().startsWith(language));
    if (found) return found;
  }
  return 'en';
}

export const language = signal<Language>(spoken());

const TEXTS: Readonly<Record<Language, Readonly<Record<string, string>>>> = { en: {}, de: DE };

/**
 * The text in the chosen language, with the values of its `{names}`.
 *
 * @param text English; where a language lacks it, it shows as it is
 */
export function say(text: string, values?: Readonly<Record<string, string | number>>): string {
  const known = TEXTS[language.value];
  const said = Object.hasOwn(known, text) ? known[text]! : text;
  return values ? filled(said, values) : said;
}

const filled = (text: string, values: Readonly<Record<string, string | number>>) =>
  text.replace(/\{(\w+)\}/g, (all, name: string) => String(values[name] ?? all));

const HEARD: Readonly<Record<Language, Readonly<Record<string, string>>>> = {
  en: {},
  de: DE_HEARD,
};

/** For texts of the service with `{names}`: the pattern that finds them, and their translation. */
const PATTERNS: Readonly<Record<Language, readonly (readonly [RegExp, string])[]>> = {
  en: [],
  de: patternsOf(DE_HEARD),
};

function patternsOf(
  known: Readonly<Record<string, string>>,
): readonly (readonly [RegExp, string])[] {
  return Object.entries(known)
    .filter(([english]) => english.includes('{'))
    .map(([english, own]) => [patternOf(english), own]);
}

function patternOf(english: string): RegExp {
  const literal = english.replace(/[.()]/g, '\\$&').replace(/\{(\w+)\}/g, '(?<$1>.+?)');
  return new RegExp(`^${literal}$`);
}

/** A text of the service in the UI's language; unknown ones stay as they are. */
export function heard(text: string): string {
  const known = HEARD[language.value];
  if (Object.hasOwn(known, text)) return known[text]!;
  for (const [pattern, own] of PATTERNS[language.value]) {
    const values = pattern.exec(text)?.groups;
    if (!values) continue;
    const parts = Object.entries(values).map(([name, value]) => [name, known[value] ?? value]);
    return filled(own, Object.fromEntries(parts));
  }
  return say(text);
}

/** A title within a sentence: English writes it small. */
export const inSentence = (title: string) =>
  language.value === 'en' ? title.toLowerCase() : title;

/** Whether the text is in the language of the UI. */
export const isHeard = (text: string): boolean => language.value === 'en' || heard(text) !== text;
