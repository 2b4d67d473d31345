/**
 * The service as a server of the Model Context Protocol, over stdin and stdout: an assistant asks, as
 * the caller whose token it was given, and changes nothing unless that was allowed.
 */
import {
  fromJsonSchema,
  type JsonSchemaValidator,
  type jsonSchemaValidator,
  McpServer,
} from '@modelcontextprotocol/server';
import { StdioServerTransport } from '@modelcontextprotocol/server/stdio';
import type { Client } from 'table-search/client';
import { endingOf } from '../failure.ts';
import { type Document, type Rights, type Tool, toolsOf } from './tools.ts';

export interface McpOptions {
  readonly client: Client;
  readonly rights: Rights;
  readonly version: string;
}

const INSTRUCTIONS = `Tables of tasks (job runs), schedules, users and projects, with exact counts.
Searches show pages of rows; explores add conditions on fields (select), counts by value (facets) and by time
(histogram), and answer most questions in one call: ask for few rows and read the counts. Text filters and q look for a
literal text anywhere in a value, without regard to case. Moments are RFC 3339 in UTC.`;

/** Every argument is let through: the service says best what is wrong with one. */
const LEAVE_TO_SERVICE: jsonSchemaValidator = {
  getValidator<T>(): JsonSchemaValidator<T> {
    return (input) => ({ valid: true, data: input as T, errorMessage: undefined });
  },
};

/** The server with its tools, as the service describes them now. */
export async function mcpServer({ client, rights, version }: McpOptions): Promise<McpServer> {
  const document = await client.get<Document>('/openapi.json');
  const server = new McpServer(
    { name: 'table-search', version },
    { capabilities: { tools: {} }, instructions: INSTRUCTIONS },
  );
  for (const tool of toolsOf(document, rights)) register(server, tool, client);
  return server;
}

function register(server: McpServer, tool: Tool, client: Client): void {
  const { name, title, description, inputSchema, isRead, isDestructive } = tool;
  const annotations = {
    title,
    readOnlyHint: isRead,
    destructiveHint: isDestructive,
    openWorldHint: false,
  };
  const schema = fromJsonSchema<Readonly<Record<string, unknown>>>(inputSchema, LEAVE_TO_SERVICE);
  const config = { title, description, inputSchema: schema, annotations };
  server.registerTool(name, config, async (given, { mcpReq }) => {
    try {
      const request = { ...tool.request(given ?? {}), signal: mcpReq.signal };
      const answer = await client.request<Readonly<Record<string, unknown>> | undefined>(request);
      if (answer === undefined) return { content: [text('Done.')] };
      return { content: [text(JSON.stringify(answer))], structuredContent: answer };
    } catch (error) {
      return { content: [text(endingOf(error).sentence)], isError: true };
    }
  });
}

const text = (said: string) => ({ type: 'text' as const, text: said });

/** Serves until the client closes its end. */
export async function serveStdio(server: McpServer): Promise<void> {
  const transport = new StdioServerTransport();
  const closed = new Promise<void>((resolve) => {
    server.server.onclose = resolve;
  });
  await server.connect(transport);
  await closed;
}
