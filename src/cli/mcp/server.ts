/**
 * The service as a server of the Model Context Protocol, over stdin and stdout. It acts as the owner
 * of its token, and changes nothing unless that was allowed.
 */
import { setImmediate as turn } from 'node:timers/promises';
import {
  fromJsonSchema,
  INVALID_REQUEST,
  type JsonSchemaValidator,
  type jsonSchemaValidator,
  McpServer,
  PARSE_ERROR,
  parseJSONRPCMessage,
  STDIO_DEFAULT_MAX_BUFFER_SIZE,
  type Transport,
} from '@modelcontextprotocol/server';
import type { Client, OwnTables } from 'table-search/client';
import { endingOf } from '../failure.ts';
import { aborted, interruption } from '../interruption.ts';
import { print } from '../output.ts';
import { listed } from '../service.ts';
import { inArguments, partOf, tooLong } from './refusals.ts';
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

/** The service checks arguments, and its errors are the best. */
const LEAVE_TO_SERVICE: jsonSchemaValidator = {
  getValidator<T>(): JsonSchemaValidator<T> {
    return (input) => ({ valid: true, data: input as T, errorMessage: undefined });
  },
};

/**
 * Serves until the client closes its end and has its answers.
 *
 * @throws ApiError, ConnectionError for a token or a service that fails
 * @throws Interrupted
 */
export async function serveMcp({ client, rights, version }: McpOptions): Promise<void> {
  // A bad token fails here, not in the middle of a conversation.
  const tables = await listed(client);
  const server = new McpServer(
    { name: 'table-search', version },
    { capabilities: { tools: {} }, instructions: instructions(tables) },
  );
  const calls = new Set<Promise<unknown>>();
  for (const tool of toolsOf(rights, tables)) register(server, tool, client, calls);
  const signal = interruption();
  await Promise.race([converse(server, calls), aborted(signal)]);
  signal.throwIfAborted();
}

/**
 * Passes on the messages of stdin, and answers lines that are none. The SDK's own reader passes over them. It also
 * forgets the calls under way at the end of its input, and a script may write all of its calls at once.
 */
async function converse(server: McpServer, calls: ReadonlySet<Promise<unknown>>): Promise<void> {
  const send = (message: object) => print(`${JSON.stringify(message)}\n`);
  const wire: Transport = { start: async () => {}, close: async () => {}, send };
  await server.connect(wire);
  for await (const line of linesOfInput()) {
    if (line.trim() === '') continue;
    const message = messageIn(line);
    if ('refused' in message) await send({ jsonrpc: '2.0', id: null, error: message.refused });
    else wire.onmessage?.(message);
  }
  // One turn lets the calls that came begin, and one writes the last answer.
  await turn();
  while (calls.size > 0) await Promise.allSettled(calls);
  await turn();
}

/** The last line needs no end. A line longer than any message ends the input, as a client that is gone does. */
async function* linesOfInput(): AsyncGenerator<string, void, void> {
  let rest = '';
  for await (const text of process.stdin.setEncoding('utf8')) {
    const lines = `${rest}${text}`.split('\n');
    rest = lines.pop()!;
    yield* lines;
    if (rest.length > STDIO_DEFAULT_MAX_BUFFER_SIZE) break;
  }
  yield rest;
}

function messageIn(line: string) {
  try {
    return parseJSONRPCMessage(JSON.parse(line));
  } catch (thrown) {
    const isJson = !(thrown instanceof SyntaxError);
    const message = isJson ? 'This is no message of JSON-RPC 2.0.' : `${thrown.message}.`;
    return { refused: { code: isJson ? INVALID_REQUEST : PARSE_ERROR, message } };
  }
}

function register(
  server: McpServer,
  tool: Tool,
  client: Client,
  calls: Set<Promise<unknown>>,
): void {
  const { name, title, description, inputSchema, isRead, isDestructive } = tool;
  const annotations = {
    readOnlyHint: isRead,
    destructiveHint: isDestructive,
    openWorldHint: false,
  };
  const schema = fromJsonSchema<Given>(inputSchema, LEAVE_TO_SERVICE);
  const config = { title, description, inputSchema: schema, annotations };
  const answerTo = async (given: Given, signal: AbortSignal) => {
    try {
      const request = { ...tool.request(given), isRead, signal };
      const answer = await client.request<Given | undefined>(request);
      if (answer === undefined) return { content: [text('Done.')] };
      const json = JSON.stringify(answer);
      const part = partOf(json, given);
      if (part !== undefined) return { content: part.map(text) };
      const refused = tooLong(json, tool);
      if (refused !== undefined) throw refused;
      return { content: [text(json)], structuredContent: answer };
    } catch (error) {
      return { content: [text(endingOf(inArguments(error, tool, given)).sentence)], isError: true };
    }
  };
  server.registerTool(name, config, async (args, { mcpReq }) => {
    const call = answerTo(withoutNulls(args ?? {}), mcpReq.signal);
    calls.add(call);
    try {
      return await call;
    } finally {
      calls.delete(call);
    }
  });
}

/** Assistants write null for members that they leave out. */
const withoutNulls = (given: Given): Given =>
  Object.fromEntries(Object.entries(given).filter(([, value]) => value !== null));

const text = (said: string) => ({ type: 'text' as const, text: said });
