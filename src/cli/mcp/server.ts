/**
 * The service as a server of the Model Context Protocol, over stdin and stdout. It acts as the owner
 * of its token, and changes nothing unless that was allowed.
 */
import {
  fromJsonSchema,
  type JsonSchemaValidator,
  type jsonSchemaValidator,
  McpServer,
} from '@modelcontextprotocol/server';
import { StdioServerTransport } from '@modelcontextprotocol/server/stdio';
import type { Client, OwnTables } from 'table-search/client';
import { endingOf } from '../failure.ts';
import { aborted, interruption } from '../interruption.ts';
import { listed } from '../service.ts';
import { inArguments } from './refusals.ts';
import type { Given, Tool } from './tool.ts';
import { type Rights, toolsOf } from './tools.ts';

export interface McpOptions {
  readonly client: Client;
  readonly rights: Rights;
  readonly version: string;
}

const BUILT_IN = ['tasks (job runs)', 'schedules', 'users', 'projects'];

const instructions = ({ data, meta }: OwnTables) => {
  const named = data.map(({ name }) => name);
  const all = [...(meta.built_in_tables ? BUILT_IN : []), ...named].join(', ');
  return `Tables with exact counts: ${all}. One search answers most questions: add facets and a
histogram, and ask for few rows.`;
};

/** The service checks arguments, and says best what is wrong with one. */
const LEAVE_TO_SERVICE: jsonSchemaValidator = {
  getValidator<T>(): JsonSchemaValidator<T> {
    return (input) => ({ valid: true, data: input as T, errorMessage: undefined });
  },
};

/** The server with its tools. @throws ApiError, ConnectionError for a token or a service that fails */
export async function mcpServer({ client, rights, version }: McpOptions): Promise<McpServer> {
  // A bad token fails here, not in the middle of a conversation.
  const tables = await listed(client);
  const server = new McpServer(
    { name: 'table-search', version },
    { capabilities: { tools: {} }, instructions: instructions(tables) },
  );
  for (const tool of toolsOf(rights, tables)) register(server, tool, client);
  return server;
}

function register(server: McpServer, tool: Tool, client: Client): void {
  const { name, title, description, inputSchema, isRead, isDestructive } = tool;
  const annotations = {
    readOnlyHint: isRead,
    destructiveHint: isDestructive,
    openWorldHint: false,
  };
  const schema = fromJsonSchema<Given>(inputSchema, LEAVE_TO_SERVICE);
  const config = { title, description, inputSchema: schema, annotations };
  server.registerTool(name, config, async (args, { mcpReq }) => {
    const given = withoutNulls(args ?? {});
    try {
      const request = { ...tool.request(given), signal: mcpReq.signal };
      const answer = await client.request<Given | undefined>(request);
      if (answer === undefined) return { content: [text('Done.')] };
      return { content: [text(JSON.stringify(answer))], structuredContent: answer };
    } catch (error) {
      return { content: [text(endingOf(inArguments(error, tool, given)).sentence)], isError: true };
    }
  });
}

/** Assistants write null for what they leave out. */
const withoutNulls = (given: Given): Given =>
  Object.fromEntries(Object.entries(given).filter(([, value]) => value !== null));

const text = (said: string) => ({ type: 'text' as const, text: said });

/** Serves until the client closes its end. @throws Interrupted */
export async function serveStdio(server: McpServer): Promise<void> {
  const transport = new StdioServerTransport();
  const closed = new Promise<void>((resolve) => {
    server.server.onclose = resolve;
  });
  await server.connect(transport);
  const signal = interruption();
  await Promise.race([closed, aborted(signal)]);
  signal.throwIfAborted();
}
