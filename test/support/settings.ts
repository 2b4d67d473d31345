/** The configuration of a test: settings by the names of their variables, bounds by their members. */
import { type Bounds, type Config, readConfig } from '../../src/config.ts';

export type TestSettings = Readonly<Record<Uppercase<string>, string>> & Partial<Bounds>;

export function configOf(settings: TestSettings): Config {
  const isVariable = ([name]: readonly [string, unknown]) => name === name.toUpperCase();
  const all = Object.entries(settings);
  const env = Object.fromEntries(all.filter(isVariable)) as Record<string, string>;
  return readConfig(env, Object.fromEntries(all.filter((one) => !isVariable(one))));
}
