/**
 * The operations of the service as tools of the Model Context Protocol, made from its own OpenAPI
 * document: what a tool takes is the schema that the service validates by.
 *
 *     operation ──► name, meaning, input: path + query + members of the body ──► a request
 */
import type { AnyRequest } from 'table-search/client';

/** As much of the document as is looked at. */
export interface Document {
  readonly paths: Readonly<Record<string, Readonly<Record<string, Operation>>>>;
  readonly components: { readonly schemas: Readonly<Record<string, Schema>> };
}

interface Operation {
  readonly operationId: string;
  readonly summary: string;
  readonly description: string;
  readonly parameters?: readonly {
    readonly name: string;
    readonly in: 'path' | 'query' | 'header';
    readonly description: string;
    readonly schema: Schema;
  }[];
  readonly requestBody?: {
    readonly content: { readonly 'application/json': { readonly schema: Schema } };
  };
  readonly responses: Readonly<Record<string, { readonly content?: object }>>;
}

interface Schema {
  readonly [keyword: string]: unknown;
}

export interface Tool {
  readonly name: string;
  readonly title: string;
  readonly description: string;
  readonly inputSchema: {
    readonly type: 'object';
    readonly properties: Readonly<Record<string, Schema>>;
    readonly required?: readonly string[];
    readonly [keyword: string]: unknown;
  };
  readonly isRead: boolean;
  /** Whether it takes something away that does not come back. */
  readonly isDestructive: boolean;
  request(given: Readonly<Record<string, unknown>>): AnyRequest;
}

export interface Rights {
  readonly admin: boolean;
  readonly changes: boolean;
}

/** Lines of a log where nothing is said: a reader of few words reads them all. */
const LOG_LINES = 200;

/** The tools for a caller of these rights. */
export function toolsOf(document: Document, rights: Rights): readonly Tool[] {
  return Object.entries(document.paths).flatMap(([path, methods]) =>
    Object.entries(methods).flatMap(([method, operation]) => {
      if (!path.startsWith('/api/') || !isOffered(path, method, operation, rights)) return [];
      return [toolOf(path, method, operation, document)];
    }),
  );
}

function isOffered(path: string, method: string, { responses }: Operation, rights: Rights) {
  if (path.includes('/admin/') && !rights.admin) return false;
  // Neither streams of all rows nor files are for a conversation, nor how the service works inside.
  if (/\/search\/(export|explain)$/.test(path)) return false;
  if (!isReading(path, method)) return rights.changes;
  return 'application/json' in (responses[200]?.content ?? {});
}

const isReading = (path: string, method: string) =>
  method === 'get' || /\/search(\/explore)?$/.test(path);

function toolOf(path: string, method: string, operation: Operation, document: Document): Tool {
  const { operationId, summary, description, parameters = [], requestBody } = operation;
  const body = requestBody && resolved(requestBody.content['application/json'].schema, document);
  const ofBody = (body?.properties ?? {}) as Readonly<Record<string, Schema>>;
  const ofPath = parameters.filter((one) => one.in === 'path').map(({ name }) => name);
  const properties = {
    ...Object.fromEntries(
      parameters
        .filter((one) => one.in !== 'header')
        .map((one) => [one.name, { description: one.description, ...one.schema }]),
    ),
    ...ofBody,
  };
  const inputSchema = {
    type: 'object' as const,
    properties,
    required: [...ofPath, ...((body?.required ?? []) as readonly string[])],
    additionalProperties: false,
  };
  const isRead = isReading(path, method);
  return {
    name: operationId.replace(/[A-Z]/g, (letter) => `_${letter.toLowerCase()}`),
    title: summary,
    description: description === '' ? summary : `${summary}. ${description}`,
    inputSchema: withDefinitions(inputSchema, document),
    isRead,
    isDestructive: !isRead && !/^(preserve|switch)/.test(operationId),
    request: (given) => requestOf({ path, method, ofPath, hasBody: body !== undefined }, given),
  };
}

interface Place {
  readonly path: string;
  readonly method: string;
  readonly ofPath: readonly string[];
  readonly hasBody: boolean;
}

/** What is unknown goes where the service refuses it, with what would be right. */
function requestOf(
  { path, method, ofPath, hasBody }: Place,
  given: Readonly<Record<string, unknown>>,
): AnyRequest {
  const others = Object.fromEntries(
    Object.entries(given).filter(([name]) => !ofPath.includes(name)),
  );
  const query = {
    ...(path.endsWith('/logs') && { limit: LOG_LINES }),
    ...(others as Readonly<Record<string, string | number>>),
  };
  return {
    method: method.toUpperCase(),
    // What is no id is no path either.
    path: path.replace(/\{(\w+)\}/g, (_, name: string) =>
      encodeURIComponent(`${given[name] ?? '-'}`),
    ),
    ...(hasBody ? { body: others } : { query }),
    isRead: isReading(path, method),
  };
}

const NAMED = '#/components/schemas/';

function resolved({ $ref, ...schema }: Schema, { components }: Document): Schema {
  return typeof $ref === 'string' ? components.schemas[$ref.slice(NAMED.length)]! : schema;
}

/** The schema with all that it refers to, as one that stands alone. */
function withDefinitions<S extends Schema>(schema: S, { components }: Document): S {
  const definitions: Record<string, Schema> = {};
  const local = <T>(part: T): T => {
    if (Array.isArray(part)) return part.map(local) as T;
    if (typeof part !== 'object' || part === null) return part;
    return Object.fromEntries(
      Object.entries(part).map(([keyword, value]) => {
        if (keyword !== '$ref' || typeof value !== 'string') return [keyword, local(value)];
        const name = value.slice(NAMED.length);
        if (!(name in definitions)) {
          definitions[name] = {};
          definitions[name] = local(components.schemas[name]!);
        }
        return [keyword, `#/$defs/${name}`];
      }),
    ) as T;
  };
  const shown = local(schema);
  return Object.keys(definitions).length === 0 ? shown : { ...shown, $defs: definitions };
}
