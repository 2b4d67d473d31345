/** Command lines that ask for rows, without a process: by the functions that all these commands share. */
import { expect } from 'chai';
import type { Command } from 'commander';
import type { AnyAnswer } from 'table-search/client';
import { asking } from '../../src/cli/commands/asking.ts';
import { type ExploreOptions, exploreOf } from '../../src/cli/commands/explore.ts';
import { type Ending, endingOf } from '../../src/cli/failure.ts';
import { program } from '../../src/cli/program.ts';

type Settings = Readonly<Record<string, string>>;

/** The command by itself, with options as typed. */
export function commandOf(name: string, options: readonly string[] = []): Command {
  const command = program(() => {}).commands.find((one) => one.name() === name)!;
  command.parseOptions([...options]);
  return command;
}

/** The answer that the command prints; rows are there where `-n` asks for some. */
export async function answered(env: Settings, args: readonly string[]): Promise<AnyAnswer> {
  const [name, word, ...given] = args;
  const command = commandOf(name!, given);
  const service = { url: env.TABLE_SEARCH_URL!, token: env.TABLE_SEARCH_TOKEN! };
  let answer: AnyAnswer;
  const ask = asking(async (asked: string, options: ExploreOptions) => {
    const { opened, body } = await exploreOf(asked, options);
    if (name === 'explain') await opened.explain(body);
    else answer = await opened.explore(body);
  });
  await ask(word!, { ...service, ...command.opts() }, command);
  return answer!;
}

/** The exit code, and the line that is told, of a command line that cannot be answered. */
export async function refusalOf(env: Settings, args: readonly string[]): Promise<Ending> {
  const ending = await answered(env, args).then(() => expect.fail(args.join(' ')), endingOf);
  expect(ending.sentence, 'one line').match(/^[^\n]+$/);
  expect(ending.sentence, 'no pointer').not.match(/\/(filters|select|facets|histogram)\//);
  return ending;
}
