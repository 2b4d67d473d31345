/** `table-search mcp`: the service for assistants, by the Model Context Protocol over stdio. */
import type { Command } from 'commander';
import { warn } from '../output.ts';
import { clientOf, type ServiceOptions, tokenOf, withService } from '../service.ts';
import { version } from '../version.ts';

const EXAMPLES = `
Examples:
  in the configuration of an assistant
    {"mcpServers": {"tables": {"command": "table-search", "args": ["mcp"],
       "env": {"TABLE_SEARCH_URL": "http://127.0.0.1:8080", "TABLE_SEARCH_TOKEN": "<token>"}}}}
  with the changes, too: cancel, preserve, schedules, cleanup
    $ table-search mcp --allow-changes

The tools are the searches, explores and logs of the service, made from its /openapi.json; those for admins are offered
to tokens of admins alone. All of it is asked with the token given here, so that an assistant sees and may do what its
owner may. Every change is in the audit under the owner's name. stdout belongs to the protocol.`;

export function mcpCommand(command: Command): Command {
  return withService(
    command.description('offer the service to assistants, as tools over stdio (MCP)'),
  )
    .option('--allow-changes', 'offer the changes, too; without it nothing can be changed')
    .addHelpText('after', EXAMPLES)
    .action(mcp);
}

interface Options extends ServiceOptions {
  readonly allowChanges?: boolean;
}

async function mcp(options: Options): Promise<void> {
  const { mcpServer, serveStdio } = await import('../mcp/server.ts');
  const token = tokenOf(options);
  if (token === undefined) warn('There is no token: everything will be refused.');
  const rights = { admin: isAdmin(token), changes: options.allowChanges ?? false };
  const server = await mcpServer({ client: clientOf(options), rights, version: version() });
  await serveStdio(server);
}

/** What the token says of itself: only which tools are offered depends on it. */
function isAdmin(token: string | undefined): boolean {
  try {
    const [, claims = ''] = token?.split('.') ?? [];
    const { roles } = JSON.parse(Buffer.from(claims, 'base64url').toString()) as {
      roles?: unknown;
    };
    return Array.isArray(roles) && roles.includes('admin');
  } catch {
    return false;
  }
}
