/** `table-search explain`: the plan and the steps of a search or an explore; for admins. */
import type { Command } from 'commander';
import type { Explained } from 'table-search/client';
import { grouped } from '../numbers.ts';
import { jsonText, paintOut, print } from '../output.ts';
import { oneLine, type Paint } from '../show/terminal.ts';
import { type AskingOptions, asking, withAsking, withCounts, withPages } from './asking.ts';
import { exploreOf } from './explore.ts';

const PER_PAGE = 10;

const EXAMPLES = `
Examples:
  the plan of a search, and each step with its expected and its found rows
    $ table-search explain tasks -q backup -f user_email=ana
  the plan of counts
    $ table-search explain tasks -s status=FAILURE --facet worker --histogram date_done:P1D
  the same for a program
    $ table-search explain tasks -q backup --json

explain runs the search, then each step once more. Only admins can use it: its figures cover all rows.`;

export function explainCommand(command: Command): Command {
  withPages(withCounts(withAsking(command)), PER_PAGE).option(
    '--json',
    'the answer of the service, as JSON',
  );
  return command
    .description('show the plan and the steps of a search or an explore (admins)')
    .addHelpText('after', EXAMPLES)
    .action(asking(explain));
}

type Options = AskingOptions & { readonly json?: boolean };

async function explain(word: string, options: Options): Promise<void> {
  const { opened, body } = await exploreOf(word, { perPage: PER_PAGE, ...options });
  const { info, ...explained } = await opened.explain(body);
  const text = options.json
    ? jsonText(explained)
    : explainedText(explained, info.timing, paintOut());
  await print(text);
}

/** Sections with a heading each; no text of a request can steer the terminal. */
function explainedText(
  { plan, route, why, total_items, index, pipeline }: Explained,
  timing: Readonly<Record<string, number>>,
  paint: Paint,
): string {
  const lines: string[] = [];
  const section = (title: string, ...said: readonly string[]) =>
    lines.push(paint('bold', title), ...said.map((line) => `  ${oneLine(line)}`));
  section('plan', ...plan);
  section('route', `${route}: ${why}`);
  section('rows', grouped(total_items));
  if (index) {
    const { rows, estimated } = index;
    section(`index: about ${grouped(estimated)} of ${grouped(rows)} rows expected`);
    for (const { does, estimated: expected, rows: found, left, held_as } of index.steps) {
      lines.push(`  ${oneLine(does)}`);
      const own = found === null ? [] : [`expected ${grouped(expected ?? 0)}`, grouped(found)];
      const compared = own.length > 0 ? `${own.join(', found ')}; ` : '';
      lines.push(paint('dim', `    ${compared}${grouped(left)} left, as ${held_as}`));
    }
    for (const line of index.counts) lines.push(`  ${oneLine(line)}`);
  }
  if (pipeline) {
    const { collection, stages, indexes, scans_collection, sorts_in_memory } = pipeline;
    section(`pipeline on ${collection}`, ...stages.map((stage) => JSON.stringify(stage)));
    const order = sorts_in_memory ? 'sorted in memory' : 'in the order of an index';
    const read = scans_collection ? 'the whole collection is read' : `by ${indexes.join(', ')}`;
    const { keys_examined: keys, documents_examined: documents } = pipeline;
    section('store', `${read}; ${order}`, `${grouped(keys)} keys, ${grouped(documents)} documents`);
  }
  const times = Object.entries(timing).map(([step, ms]) => `${step} ${ms} ms`);
  if (times.length > 0) section('time', times.join(', '));
  return `${lines.join('\n')}\n`;
}
