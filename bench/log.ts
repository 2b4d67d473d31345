/** The product's log in a bench: warnings and errors on standard error, each error with its stack. */
import { inspect } from 'node:util';

const say = (fields: object, message: string) => console.error(message, inspect(fields));

export const LOG = { info: () => {}, warn: say, error: say };
