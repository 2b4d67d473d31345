/** Numbers of the command line. */
import { CliError, EXIT } from './failure.ts';

/** Reads the whole number of an option. @throws CliError */
export const wholeNumber =
  (option: string, least = 0) =>
  (text: string) => {
    if (/^\d{1,9}$/.test(text) && Number(text) >= least) return Number(text);
    throw new CliError(`${option} ${text}: give a whole number from ${least}.`, EXIT.usage);
  };
