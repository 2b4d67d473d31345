/** The service behind a command: its address, and the caller's token. */
import type { Command } from 'commander';
import { type AnyTable, type Client, createClient, type OwnTables } from 'table-search/client';
import { filledIn } from './asked/names.ts';
import { usage } from './failure.ts';
import { interruption } from './interruption.ts';
import type { AskedTable } from './tables.ts';

export interface ServiceOptions {
  readonly url?: string;
  readonly token?: string;
}

const DEFAULT_URL = 'http://127.0.0.1:8080';

export function withService(command: Command): Command {
  return command
    .option(
      '--url <url>',
      `the address of the service (TABLE_SEARCH_URL, or ${DEFAULT_URL})`,
      filledIn('--url'),
    )
    .option(
      '--token <token>',
      'your token (better TABLE_SEARCH_TOKEN: process lists show options)',
    );
}

/** The caller's token; undefined where there is none. `Bearer` is dropped: people copy headers. */
export function tokenOf({ token }: ServiceOptions): string | undefined {
  const given = (token ?? process.env.TABLE_SEARCH_TOKEN)?.trim();
  return given?.replace(/^bearer\s+/i, '') || undefined;
}

/** A client that Ctrl-C ends. */
export function clientOf(options: ServiceOptions): Client {
  const baseUrl = (options.url ?? process.env.TABLE_SEARCH_URL)?.trim() || DEFAULT_URL;
  const token = tokenOf(options);
  if (!/^https?:/i.test(baseUrl) || !URL.canParse(baseUrl)) {
    throw usage(`${baseUrl} is no address; give one such as ${DEFAULT_URL}.`);
  }
  const { origin, pathname, href } = new URL(baseUrl);
  // As in the link that `open` prints: it ends with a token.
  if (href !== origin + pathname) {
    throw usage(`An address has no account, no ? and no #: give ${origin + pathname}.`);
  }
  if (token !== undefined && !/^[\w.~+/=-]+$/.test(token)) {
    throw usage('The token has characters that no token has; copy it again.');
  }
  return createClient({ baseUrl, token, signal: interruption() });
}

export function tableAt(client: Client, { view, path, description }: AskedTable): AnyTable {
  const open = client.table as (name: string, path?: object) => unknown;
  // A table of the file may have the name of a built-in one.
  return open(description.fields ? `tables/${view}` : view, path) as AnyTable;
}

/** The tables of the service's file that the caller may see. */
export const listed = (client: Client): Promise<OwnTables> =>
  client.get<OwnTables>('/api/v2/tables');

/** When a stream that has ended is asked for again. */
export const again = ({ retryInMs = 0 }: { readonly retryInMs: number | undefined }): string =>
  `Retrying in ${(retryInMs / 1_000).toFixed(1)} s.`;
