/** Settings as a service with this environment has them, for commands that need not read all. */
import { type Kind, type Setting, textIn } from '../../settings.ts';
import { usage } from '../failure.ts';

/** @throws CliError */
export const settingNow = <T>({ name, kind, preset }: Setting<T>): T =>
  taken(kind, textIn(process.env, name) ?? preset!, name);

/** @param named where the text stands. @throws CliError for a text that the kind does not take */
export function taken<T>(kind: Kind<T>, text: string, named: string): T {
  try {
    return kind.parse(text);
  } catch (error) {
    throw usage(`${named} ${(error as Error).message}.`);
  }
}
