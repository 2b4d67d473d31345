/**
 * The route table → OpenAPI 3.1.
 *
 * ```
 * route     path, method, permission, query ─▶ operation, parameters, security, failures
 * its description  schemas that validate ─▶ request, answers ─▶ components, each named schema once
 * ```
 *
 * This file says nothing about a single route: the route's definition has its description.
 */
import { invariant } from '../../errors.ts';
import type { JsonSchema } from '../../tables/definition/jsonSchema.ts';
import {
  type AnswerDescription,
  type Description,
  EVENTS,
  GROUPS,
  HEADERS,
} from '../description.ts';
import { FORM } from '../request/form.ts';
import { NOT_BEFORE, NOT_BEFORE_HEADER } from '../request/notBefore.ts';
import { hasBody, type ListedRoute, type Route } from '../route.ts';
import { Components } from './components.ts';
import { codeTable, failure, failuresOf, headerRefs } from './failures.ts';

const WHO: Readonly<Record<Route['permission'], string>> = {
  public: 'Public, without a token.',
  user: 'For any active user.',
  admin: 'For admins only.',
  path: 'For callers who may use the path; others get 404.',
  table: 'For callers with a grant of the table; others get 404.',
  'whole table':
    'For admins whose grant hides nothing of the table; other callers with a grant get 403.',
};

/** A parameter of a path, as the document shows it. */
export interface PathParameter {
  /** A value that examples are sent with. */
  readonly example: string;
  /** The callers who may use a path that begins with this parameter: a sentence. */
  readonly who?: string;
  /** Its values; UUIDs when left out. */
  readonly takes?: { readonly meaning: string; readonly schema: JsonSchema };
}

export type PathParameters = Readonly<Record<string, PathParameter>>;

/** The names in an application's routes that the reference explains. */
export interface AppReference {
  readonly parameters: PathParameters;
  /** The sentence that explains each group. */
  readonly groups: Readonly<Record<string, string>>;
}

/** The document of these routes. */
export function openApiOf(routes: readonly ListedRoute[], known: AppReference): object {
  const components = new Components();
  const responses: Record<string, object> = {};
  const paths: Record<string, Record<string, object>> = {};
  for (const route of routes) {
    const { description, method } = route;
    if (description === 'not listed') continue;
    const path = route.path.replace(/:(\w+)/g, '{$1}');
    paths[path] ??= {};
    paths[path][method.toLowerCase()] = operation(
      route,
      description,
      known.parameters,
      components,
      responses,
    );
  }
  return {
    openapi: '3.1.0',
    info: {
      title: 'table-search',
      version: '2',
      summary: 'Exact substring search, counts, sorting and paging over tables.',
      description: `${INTRODUCTION}\n\n${codeTable()}`,
      license: { name: 'Proprietary', identifier: 'LicenseRef-Proprietary' },
    },
    servers: [{ url: '/', description: 'The service that this comes from.' }],
    security: [{ token: [] }],
    tags: Object.entries({ ...GROUPS, ...known.groups, Operations: 'For operators.' }).map(
      ([name, description]) => ({ name, description }),
    ),
    paths,
    components: {
      securitySchemes: {
        token: {
          type: 'http',
          scheme: 'bearer',
          bearerFormat: 'JWT',
          description:
            '`sub` is the id of a user, `exp` is required; `roles` with `admin` makes an admin.',
        },
      },
      headers: Object.fromEntries(
        Object.entries(HEADERS).map(([name, description]) => [
          name,
          { description, schema: { type: 'string' } },
        ]),
      ),
      parameters: { [NOT_BEFORE]: parameter('header', NOT_BEFORE, NOT_BEFORE_HEADER) },
      responses,
      schemas: components.schemas,
    },
  };
}

const INTRODUCTION = [
  'Every answer carries `X-Request-Id`. Send the latest `Search-As-Of` as `Search-Not-Before`, and no answer',
  'goes back before it, whichever instance gives it. Failures are `application/problem+json` with one of these codes;',
  'programs branch on `code`, people read `detail`. Clients should accept codes, statuses and members that',
  'they do not know.',
].join(' ');

function operation(
  route: ListedRoute,
  { id, group, summary, text, ...others }: Description,
  known: PathParameters,
  components: Components,
  responses: Record<string, object>,
): object {
  const description = [text, whoOf(route, known)].filter((part) => part !== undefined).join('\n\n');
  invariant(hasBody(route) === (others.request !== undefined), `${id}: its body`);
  const answers: Record<string, object> = {};
  for (const [status, answer] of Object.entries(others.answers)) {
    answers[status] = success(answer, components);
  }
  for (const [status, codes] of failuresOf(route, others)) {
    if (answers[status]) continue;
    // Rights that memory knows may be old.
    const isAged = route.fromMemory === true && (status === 401 || status === 404);
    const name = [status, ...codes, ...(isAged ? ['Age'] : [])].join('-');
    responses[name] ??= failure(status, codes, isAged, components);
    answers[status] = { $ref: `#/components/responses/${name}` };
  }
  const headers = Object.entries(others.requestHeaders ?? {}).map(([name, one]) =>
    parameter('header', name, one),
  );
  const parameters = [...inPath(route, known), ...inQuery(route), ...headers];
  if (route.permission !== 'public') parameters.push({ $ref: NOT_BEFORE_REF });
  return {
    operationId: id,
    tags: [group],
    summary,
    description,
    ...(route.permission === 'public' && { security: [] }),
    ...(parameters.length > 0 && { parameters }),
    ...(others.request && { requestBody: requestBody(route, others.request, components) }),
    responses: answers,
  };
}

function requestBody(
  { body }: ListedRoute,
  { schema, examples }: NonNullable<Description['request']>,
  components: Components,
): object {
  const named = Object.entries(examples).map(([title, value], i) => [
    `example${i + 1}`,
    { summary: title, value },
  ]);
  const json = { schema: components.shown(schema), examples: Object.fromEntries(named) };
  const form = { 'application/x-www-form-urlencoded': { schema: components.shown(FORM) } };
  const content = { 'application/json': json, ...(body === 'jsonOrForm' && form) };
  return { required: true, content };
}

function success(
  { text, headers = [], content, events = {} }: AnswerDescription,
  components: Components,
): object {
  const data = Object.entries(events).map(([event, schema]) => [event, components.shown(schema)]);
  const types = Object.entries(content ?? {}).map(([type, schema]) => [
    type,
    {
      schema: components.shown(schema),
      // OpenAPI has no words for events: by their names, the schema of the JSON in `data`.
      ...(type === EVENTS && { 'x-events': Object.fromEntries(data) }),
    },
  ]);
  return {
    description: text,
    headers: headerRefs(['X-Request-Id', ...headers]),
    ...(content && { content: Object.fromEntries(types) }),
  };
}

const A_UUID: NonNullable<PathParameter['takes']> = {
  meaning: 'A UUID in lower case; anything else is 404.',
  schema: { type: 'string', format: 'uuid' },
};

const namesIn = ({ path }: ListedRoute) => [...path.matchAll(/:(\w+)/g)].map(([, name]) => name!);

function whoOf(route: ListedRoute, known: PathParameters): string {
  const [first] = namesIn(route);
  const who = route.permission === 'path' ? known[first!]?.who : undefined;
  return who ?? WHO[route.permission];
}

const inPath = (route: ListedRoute, known: PathParameters): object[] =>
  namesIn(route).map((name) => {
    const { example, takes = A_UUID } = known[name] ?? {};
    return parameter('path', name, takes, { required: true, example });
  });

const inQuery = ({ query = {} }: ListedRoute): object[] =>
  Object.entries(query === 'ignored' ? {} : query).map(([name, one]) =>
    parameter('query', name, one),
  );

const parameter = (
  place: 'path' | 'query' | 'header',
  name: string,
  { meaning, schema }: NonNullable<PathParameter['takes']>,
  more: object = {},
): object => ({
  ...{ name, in: place, required: false, description: meaning, schema },
  ...more,
});

/** Every route takes it that has a caller. */
const NOT_BEFORE_REF = `#/components/parameters/${NOT_BEFORE}`;
