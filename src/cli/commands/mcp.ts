/** `table-search mcp`: the service for assistants, by the Model Context Protocol over stdio. */
import type { Command } from 'commander';
import { clientOf, type ServiceOptions, tokenOf, withService } from '../service.ts';
import { version } from '../version.ts';

const EXAMPLES = `
Examples:
  in the configuration of an assistant
    {"mcpServers": {"tables": {"command": "node", "args": ["<folder>/dist/cli/main.js", "mcp"],
       "env": {"TABLE_SEARCH_URL": "http://127.0.0.1:8080", "TABLE_SEARCH_TOKEN": "<token>"}}}}
  with changes as well: cancel, preserve, schedules, cleanup
    $ table-search mcp --allow-changes

The tools search and count any table, read logs and list routing keys. Every call uses your token, so an assistant sees
and may do what you may; the audit shows its changes under your name. A bad token ends the command at once with 3.
stdout belongs to the protocol.`;

export function mcpCommand(command: Command): Command {
  return withService(
    command.description('offer the service to assistants, as tools over stdio (MCP)'),
  )
    .option('--allow-changes', 'offer changes as well; the default is reading only')
    .addHelpText('after', EXAMPLES)
    .action(mcp);
}

interface Options extends ServiceOptions {
  readonly allowChanges?: boolean;
}

async function mcp(options: Options): Promise<void> {
  const { serveMcp } = await import('../mcp/server.ts');
  const rights = { admin: isAdmin(tokenOf(options)), changes: options.allowChanges ?? false };
  await serveMcp({ client: clientOf(options), rights, version: version() });
}

/** The token's own claims decide only about the tools on offer; the service checks each call. */
function isAdmin(token: string | undefined): boolean {
  try {
    const [, claims = ''] = token?.split('.') ?? [];
    return namesAdmin(JSON.parse(Buffer.from(claims, 'base64url').toString()));
  } catch {
    return false;
  }
}

/** Whether a list of it names `admin`: which claim has the roles is a setting of the service. */
const namesAdmin = (value: unknown): boolean =>
  Array.isArray(value)
    ? value.includes('admin')
    : typeof value === 'object' && value !== null && Object.values(value).some(namesAdmin);
