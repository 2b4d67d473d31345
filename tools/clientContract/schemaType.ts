/** A JSON Schema, as the reference uses it, → the TypeScript type of its values. */

/** The keywords that the reference uses and types can say. */
export interface Schema {
  readonly $ref?: string;
  readonly type?: string | readonly string[];
  readonly enum?: readonly unknown[];
  readonly const?: unknown;
  readonly anyOf?: readonly Schema[];
  readonly items?: Schema;
  readonly properties?: Readonly<Record<string, Schema>>;
  readonly required?: readonly string[];
  /** The schema of a map's values. */
  readonly additionalProperties?: Schema | boolean;
  readonly description?: string;
  readonly format?: string;
  /** The record members that a text filter looks into. */
  readonly 'x-searched'?: readonly string[];
}

const TYPES: Readonly<Record<string, string>> = {
  string: 'string',
  integer: 'number',
  number: 'number',
  boolean: 'boolean',
  null: 'null',
};

/** Types that say a long list of values, by the list. */
export type Lists = ReadonlyMap<string, string>;

/** Values of a list that is written once, at least. */
const LONG = 5;

const keyOf = (list: readonly unknown[] = []): string => JSON.stringify(list);

/** The long lists of named schemas: the names of their members, and the values of a member. */
export function listsIn(schemas: Readonly<Record<string, Schema>>): Lists {
  const lists = new Map<string, string>();
  const note = (list: readonly unknown[], type: string) => {
    if (list.length >= LONG && !lists.has(keyOf(list))) lists.set(keyOf(list), type);
  };
  for (const [name, { properties = {}, required = [] }] of Object.entries(schemas)) {
    note(Object.keys(properties), `keyof ${name}`);
    for (const [member, { enum: list = [] }] of Object.entries(properties)) {
      const type = `${name}['${member}']`;
      note(list, required.includes(member) ? type : `NonNullable<${type}>`);
    }
  }
  return lists;
}

/** The type as source text; named schemas by their names. */
export function typeOf(schema: Schema, lists: Lists): string {
  if (schema.$ref !== undefined) return nameOf(schema.$ref);
  if (schema.const !== undefined) return JSON.stringify(schema.const);
  if (schema.enum) {
    return lists.get(keyOf(schema.enum)) ?? union(schema.enum.map((one) => JSON.stringify(one)));
  }
  if (schema.anyOf) return union(schema.anyOf.map((one) => typeOf(one, lists)));
  if (schema.type === undefined) return 'unknown';
  return union([schema.type].flat().map((type) => typeOfKind(type, schema, lists)));
}

/** The last step of a reference: `#/components/schemas/Task` is `Task`. */
export const nameOf = (ref: string): string => ref.slice(ref.lastIndexOf('/') + 1);

function typeOfKind(type: string, schema: Schema, lists: Lists): string {
  const { items, properties, additionalProperties: values } = schema;
  if (type === 'array') return `readonly (${typeOf(items ?? {}, lists)})[]`;
  if (type === 'object') {
    if (properties) return members(schema, lists);
    const of = typeof values === 'object' ? typeOf(values, lists) : 'unknown';
    return `Readonly<Record<string, ${of}>>`;
  }
  const known = TYPES[type];
  if (known === undefined) throw new Error(`no type for ${type}`);
  return known;
}

/** @param owner the name of the schema, where it has one: its own lists are written out */
function members({ properties = {}, required = [] }: Schema, lists: Lists, owner?: string): string {
  if (Object.keys(properties).length === 0) return 'Readonly<Record<never, never>>';
  const lines = Object.entries(properties).map(([name, schema]) => {
    const said = comment(schema.description);
    const isOwn = lists.get(keyOf(schema.enum))?.includes(`${owner}['${name}']`);
    const type = typeOf(schema, isOwn ? new Map() : lists);
    // Callers may have a member that is undefined: JSON leaves it out.
    const member = required.includes(name) ? `${name}: ${type}` : `${name}?: ${type} | undefined`;
    return `${said}readonly ${member};`;
  });
  return `{\n${lines.join('\n')}\n}`;
}

const comment = (text: string | undefined) => (text === undefined ? '' : `/** ${text} */\n`);

/** `unknown` takes in all others. */
const union = (types: readonly string[]): string =>
  types.includes('unknown') ? 'unknown' : [...new Set(types)].join(' | ');

/** A named schema as a declaration. */
export function declaration(name: string, schema: Schema, lists: Lists): string {
  const said = comment(schema.description);
  const isObject = schema.type === 'object' && schema.properties !== undefined;
  if (!isObject) return `${said}export type ${name} = ${typeOf(schema, lists)};`;
  return `${said}export interface ${name} ${members(schema, lists, name)}`;
}
