/** Numbers of the command line. */
import { usage } from './failure.ts';

/** A count as people read it: `1,234`. */
export const grouped = (count: number): string => count.toLocaleString('en-US');

/** Reads the whole number of an option. @throws CliError */
export const wholeNumber =
  (option: string, least = 0, most?: number) =>
  (text: string) => {
    const number = Number(text);
    if (/^\d{1,9}$/.test(text) && number >= least && number <= (most ?? number)) return number;
    const range = most === undefined ? least : `${least} to ${most}`;
    throw usage(`${option} ${text}: give a whole number from ${range}.`);
  };
