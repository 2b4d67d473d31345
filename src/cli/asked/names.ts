/** Options that cannot be used as they are given. */
import { CliError, EXIT } from '../failure.ts';

/** Reads a text that may not be empty, as an unset variable of a shell is. @throws CliError */
export const filledIn = (option: string) => (text: string) => {
  if (text.trim() !== '') return text;
  throw new CliError(`${option} is empty.`, EXIT.usage);
};

/** An option that cannot be used as it is given. */
export const refused = (option: string, given: string, why: string) =>
  new CliError(`${option} ${given}: ${why}`, EXIT.usage);
