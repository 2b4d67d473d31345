/** Looks now and then, for as long as the process has anything else to do. */
export const lookEvery = (ms: number, look: () => void): NodeJS.Timeout =>
  setInterval(look, ms).unref();

/** How often open answers are looked at, milliseconds. */
export const ANSWERS_MS = 400;
