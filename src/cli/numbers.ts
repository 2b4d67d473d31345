/** Numbers of the command line. */
import { CliError, EXIT } from './failure.ts';

/** Reads the whole number of an option. @throws CliError */
export const wholeNumber = (option: string) => (text: string) => {
  if (/^\d{1,9}$/.test(text)) return Number(text);
  throw new CliError(`${option} ${text} is no whole number.`, EXIT.usage);
};
