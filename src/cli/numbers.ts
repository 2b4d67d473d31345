/** Numbers of the command line. */
import { usage } from './failure.ts';

/** A count as people read it: `1,234`. */
export const grouped = (count: number): string => count.toLocaleString('en-US');

/** Reads the whole number of an option. @throws CliError */
export const wholeNumber =
  (option: string, least = 0, most = 999_999_999) =>
  (text: string) => {
    const number = Number(text);
    if (/^\d+$/.test(text) && number >= least && number <= most) return number;
    throw usage(`${option} ${text}: give a whole number from ${least} to ${most}.`);
  };
