/** Names of filters and fields: an unknown one is refused with the nearest and all known ones. */
import { closest } from '../../tables/query/guess.ts';
import { usage } from '../failure.ts';

/** `"emial" is unknown; did you mean "email"? Filters: q, id, email.` */
export function unknownName(name: string, known: readonly string[], what: string): string {
  const guess = closest(name, known);
  const question = guess === undefined ? '.' : `; did you mean "${guess}"?`;
  return `"${name}" is unknown${question} ${what}: ${known.join(', ') || 'none'}.`;
}

/** The member of a record; undefined for a name that every object has. */
export const under = <T>(record: Readonly<Record<string, T>> | undefined, name: string) =>
  record && Object.hasOwn(record, name) ? record[name] : undefined;

/** Reads a text that may not be empty, as an unset variable of a shell is. @throws CliError */
export const filledIn = (option: string) => (text: string) => {
  if (text.trim() !== '') return text;
  throw usage(`${option} is empty.`);
};

/** Reads an id, which becomes a step of a path. @throws CliError */
export const idIn = (option: string) => (text: string) => {
  if (/^\.{1,2}$/.test(text)) throw refused(option, text, 'no id is dots alone.');
  return filledIn(option)(text);
};

/** An option that cannot be used as it is given. */
export const refused = (option: string, given: string, why: string) =>
  usage(`${option} ${given}: ${why}`);
