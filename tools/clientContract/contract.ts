/**
 * The OpenAPI document → `contract.ts` of the client.
 *
 * ```
 * named schemas ──► types of their names
 * operations    ──► `Operations`, the types of each; `OPERATIONS`, its method and path
 * searches      ──► `Views`, the types of each; `VIEWS`, what can be asked there, as data
 * ```
 */
import { declaration, type Lists, listsIn, nameOf, type Schema, typeOf } from './schemaType.ts';

interface Parameter {
  readonly name: string;
  readonly in: 'path' | 'query';
  readonly schema: Schema;
}

type Content = Readonly<Record<string, { readonly schema: Schema }>>;

interface Operation {
  readonly operationId: string;
  readonly summary: string;
  readonly parameters?: readonly Parameter[];
  readonly requestBody?: { readonly content: Content };
  readonly responses: Readonly<Record<string, { readonly content?: Content }>>;
}

export interface Document {
  readonly paths: Readonly<Record<string, Readonly<Record<string, Operation>>>>;
  readonly components: { readonly schemas: Readonly<Record<string, Schema>> };
}

/** What the client calls; the rest is for people. */
const LISTED = /^\/api\//;

/** The source text, not formatted yet. */
export function contractOf({ paths, components: { schemas } }: Document): string {
  const lists = listsIn(schemas);
  const operations = Object.entries(paths)
    .filter(([path]) => LISTED.test(path))
    .flatMap(([path, methods]) =>
      Object.entries(methods).map(([method, one]) => ({ ...one, path, method })),
    );
  const views = operations.flatMap((one) => {
    const [, name] = /^search(.+)$/.exec(one.operationId) ?? [];
    return name === undefined ? [] : [{ ...one, name }];
  });
  const called = operations.filter(({ path }) => !/\/search(\/\w+)?$/.test(path));
  return [
    '/**',
    ' * What the service takes and answers, made from its OpenAPI document: not to be edited by hand.',
    ' * `npm run client:contract` makes it anew; a test says when that has to be done.',
    ' */',
    ...Object.entries(schemas).map(([name, schema]) => declaration(name, schema, lists)),
    `/** The types of each operation that is no search. */\nexport interface Operations {`,
    ...called.map((one) => `/** ${one.summary}. */\n${one.operationId}: ${typesOf(one, lists)};`),
    '}',
    `/** Where each operation stands. */\nexport const OPERATIONS = {`,
    ...called.map(
      ({ operationId, method, path }) =>
        `${operationId}: { method: '${method.toUpperCase()}', path: '${path}' },`,
    ),
    '} as const;',
    `/** The types of each search. */\nexport interface Views {`,
    ...views.map((one) => `${lower(one.name)}: ${viewTypes(one, schemas, lists)};`),
    '}',
    DESCRIBED,
    ...viewsData(views, schemas),
    '',
  ].join('\n');
}

const lower = (name: string) => name.replace(/^./, (first) => first.toLowerCase());

function typesOf(operation: Operation, lists: Lists): string {
  const { requestBody, responses } = operation;
  const body = requestBody?.content['application/json']?.schema;
  const { content } = responses[200] ?? responses[201] ?? {};
  const answer = content?.['application/json']?.schema;
  return `{
    readonly path: ${parametersOf(operation, 'path', lists)};
    readonly query: ${parametersOf(operation, 'query', lists)};
    readonly body: ${body ? typeOf(body, lists) : 'undefined'};
    readonly answer: ${answer ? typeOf(answer, lists) : 'undefined'};
  }`;
}

function parametersOf(
  { parameters = [] }: Operation,
  place: Parameter['in'],
  lists: Lists,
): string {
  const some = parameters.filter((one) => one.in === place);
  const properties = Object.fromEntries(some.map(({ name, schema }) => [name, schema]));
  const required = place === 'path' ? Object.keys(properties) : [];
  return typeOf({ type: 'object', properties, required }, lists);
}

type Schemas = Readonly<Record<string, Schema>>;

const member = (schema: Schema, name: string, schemas: Schemas): Schema => {
  const found = schema.properties?.[name];
  if (found === undefined) throw new Error(`no member ${name}`);
  return found.$ref === undefined ? found : schemas[nameOf(found.$ref)]!;
};

const items = ({ items: of }: Schema, schemas: Schemas): Schema =>
  of?.$ref === undefined ? of! : schemas[nameOf(of.$ref)]!;

/** The name of the records that a search shows. */
const recordOf = (name: string, schemas: Schemas): string =>
  nameOf(schemas[`${name}Answer`]!.properties!.data!.items!.$ref!);

function viewTypes(
  { name, ...operation }: Operation & { name: string },
  schemas: Schemas,
  lists: Lists,
): string {
  return `{
    readonly path: ${parametersOf(operation, 'path', lists)};
    readonly record: ${recordOf(name, schemas)};
    readonly search: ${name}Search;
    readonly answer: ${name}Answer;
    readonly explore: ${name}Explore;
    readonly explored: ${name}ExploreAnswer;
    readonly export: ${name}Export;
  }`;
}

const DESCRIBED = `
export interface FilterDescription {
  readonly takes: 'text' | 'texts' | 'integer' | 'boolean' | 'choice';
  /** The values of a choice. */
  readonly choices?: readonly string[];
  /** For people. */
  readonly meaning: string;
}

export interface ViewDescription {
  readonly path: string;
  /** Whether the path names a project. */
  readonly ofProject: boolean;
  readonly filters: Readonly<Record<string, FilterDescription>>;
  /** Members of a record that the text search looks into. */
  readonly searched: readonly string[];
  /** Fields that a search sorts by; the first is the default. */
  readonly sorts: readonly string[];
  /** Fields that an explore and an export sort by. */
  readonly orders: readonly string[];
  /** Members of a record, and what their values are where they are as they should be. */
  readonly columns: Readonly<Record<string, 'id' | 'text' | 'number' | 'boolean' | 'date' | 'json'>>;
  /** Fields that conditions can be on. */
  readonly conditions: readonly string[];
  /** Those of them whose values conditions can list. */
  readonly values: readonly string[];
  /** Those of them that can be asked for a range. */
  readonly ranges: Readonly<Record<string, 'date' | 'number'>>;
  /** Fields, and labels, in which conditions can look for a text. */
  readonly contains: readonly string[];
  /** Fields that can be counted by value. */
  readonly facets: readonly string[];
  /** Fields that can be counted by time. */
  readonly times: readonly string[];
  /** Fields that have statistics. */
  readonly stats: readonly string[];
}

type OfRecord = Omit<ViewDescription, 'path' | 'ofProject' | 'filters'>;`;

interface View {
  readonly name: string;
  readonly path: string;
}

/** Searches of one kind of record differ in path and filters: all else stands once. */
function viewsData(views: readonly View[], schemas: Schemas): readonly string[] {
  const shared = new Map<string, string>();
  const own = views.map((view) => {
    const record = recordOf(view.name, schemas);
    const data = JSON.stringify(recordData(view, schemas));
    const constant = record.toUpperCase();
    if ((shared.get(constant) ?? data) !== data) throw new Error(`two kinds of ${record}`);
    shared.set(constant, data);
    const { path } = view;
    const filters = Object.entries(filtersOf(view, schemas));
    const members = JSON.stringify({
      ...{ path, ofProject: path.includes('{project_id}') },
      filters: Object.fromEntries(filters.map(([filter, schema]) => [filter, filterData(schema)])),
    });
    return `${lower(view.name)}: { ${members.slice(1, -1)}, ...${constant} },`;
  });
  return [
    ...Array.from(shared, ([constant, data]) => `const ${constant}: OfRecord = ${data};`),
    '/** What can be asked of each search, as data. */',
    'export const VIEWS: { readonly [V in keyof Views]: ViewDescription } = {',
    ...own,
    '};',
  ];
}

const filtersOf = ({ name }: View, schemas: Schemas) =>
  member(schemas[`${name}Search`]!, 'filters', schemas).properties!;

function recordData(view: View, schemas: Schemas): object {
  const search = schemas[`${view.name}Search`]!;
  const explore = schemas[`${view.name}Explore`]!;
  const record = schemas[recordOf(view.name, schemas)]!;
  // A condition has one of several forms, each on some of the fields; of `any`, conditions.
  const [single] = items(member(explore, 'select', schemas), schemas).anyOf!;
  const forms = schemas[nameOf(single!.$ref!)]!.anyOf!;
  const fieldsOf = (those: readonly Schema[]) => [
    ...new Set(those.flatMap((form) => member(form, 'field', schemas).enum)),
  ];
  const fieldsWith = (...members: readonly string[]) =>
    fieldsOf(forms.filter(({ properties = {} }) => members.some((one) => one in properties)));
  const filters = Object.values(filtersOf(view, schemas));
  return {
    searched: filters.flatMap((schema) => schema['x-searched'] ?? []),
    sorts: member(member(search, 'sorting', schemas), 'sort_by', schemas).enum,
    orders: ordersOf(member(explore, 'sorting', schemas)),
    columns: Object.fromEntries(
      Object.entries(record.properties!).map(([column, schema]) => [column, kindOf(schema)]),
    ),
    conditions: fieldsWith('in', 'not_in', 'from', 'to'),
    // Fields with ranges alone take null, and no other value.
    values: fieldsOf(
      forms.filter(({ properties = {} }) => properties.in && properties.in.items?.type !== 'null'),
    ),
    ranges: rangesOf(forms),
    contains: fieldsWith('contains'),
    facets: member(items(member(explore, 'facets', schemas), schemas), 'field', schemas).enum,
    times: member(member(explore, 'histogram', schemas), 'field', schemas).enum,
    stats: member(items(member(explore, 'stats', schemas), schemas), 'field', schemas).enum,
  };
}

/** The fields of the form that is one sort. */
function ordersOf({ anyOf = [] }: Schema): unknown {
  return anyOf.flatMap(({ properties }) => properties?.sort_by?.enum ?? []);
}

/** The fields of the forms that have `from` and `to`. */
function rangesOf(forms: readonly Schema[]): object {
  const ranged = forms.filter(({ properties }) => properties?.from !== undefined);
  const fields = ranged.flatMap(({ properties }) => {
    const kind = properties!.from!.type === 'number' ? 'number' : 'date';
    return (properties!.field!.enum ?? []).map((field) => [field, kind]);
  });
  return Object.fromEntries(fields);
}

function filterData(schema: Schema): object {
  const meaning = schema.description ?? '';
  if (schema.enum) {
    return { takes: 'choice', choices: schema.enum.filter((one) => one !== null), meaning };
  }
  const types = [schema.type].flat();
  if (types.includes('array')) return { takes: 'texts', meaning };
  if (types.includes('integer')) return { takes: 'integer', meaning };
  if (types.includes('boolean')) return { takes: 'boolean', meaning };
  return { takes: 'text', meaning };
}

function kindOf({ type, format }: Schema): string {
  if (format === 'date-time') return 'date';
  const types = [type].flat();
  if (types.includes('string') && types.includes('object')) return 'id';
  if (types.includes('number') || types.includes('integer')) return 'number';
  if (types.includes('boolean')) return 'boolean';
  return types.includes('string') ? 'text' : 'json';
}
