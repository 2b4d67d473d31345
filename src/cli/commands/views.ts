/** `table-search views`: the saved views of a service. */
import type { Command } from 'commander';
import type { SavedView } from 'table-search/client';
import { type FormOptions, formOf, jsonText, print, remark, withForms } from '../output.ts';
import { savedViews, viewNamed } from '../savedViews.ts';
import { clientOf, type ServiceOptions, withService } from '../service.ts';
import { rowsText } from './explore.ts';

const EXAMPLES = `
Examples:
  the views that you may see
    $ table-search views
  one of them, with its address in the web UI
    $ table-search views "What failed"
  its rows
    $ table-search search tasks --view "What failed"

The web UI saves views. search, explore, watch, export and explain take --view: its filters, order and columns. Their
other options add filters, and replace its order and columns.`;

export function viewsCommand(command: Command): Command {
  withForms(command)
    .description('list the saved views, or show one')
    .argument('[name]', 'the name of a view');
  return withService(command).addHelpText('after', EXAMPLES).action(views);
}

type Options = ServiceOptions & FormOptions;

const COLUMNS = ['name', 'table', 'visibility', 'is_default', 'address'];

async function views(name: string | undefined, options: Options): Promise<void> {
  const form = formOf(options);
  const all = await savedViews(clientOf(options));
  const one = name === undefined ? undefined : viewNamed(all, name, `views ${name}`);
  if (form === 'json') return await print(jsonText(one ?? all));
  const rows = one ? members(one) : all;
  await print(rowsText(rows as never, one ? ['member', 'value'] : COLUMNS, form));
  if (all.length === 0) remark('There is no saved view for you.');
}

const members = (one: SavedView) =>
  Object.entries(one).map(([member, value]) => ({ member, value }));
