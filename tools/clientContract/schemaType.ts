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

/** The type as source text; named schemas by their names. */
export function typeOf(schema: Schema): string {
  if (schema.$ref !== undefined) return nameOf(schema.$ref);
  if (schema.const !== undefined) return JSON.stringify(schema.const);
  if (schema.enum) return union(schema.enum.map((value) => JSON.stringify(value)));
  if (schema.anyOf) return union(schema.anyOf.map(typeOf));
  if (schema.type === undefined) return 'unknown';
  return union([schema.type].flat().map((type) => typeOfKind(type, schema)));
}

/** The last step of a reference: `#/components/schemas/Task` is `Task`. */
export const nameOf = (ref: string): string => ref.slice(ref.lastIndexOf('/') + 1);

function typeOfKind(type: string, schema: Schema): string {
  const { items, properties, required = [], additionalProperties: values } = schema;
  if (type === 'array') return `readonly (${typeOf(items ?? {})})[]`;
  if (type === 'object') {
    if (properties) return members(properties, required);
    const of = typeof values === 'object' ? typeOf(values) : 'unknown';
    return `Readonly<Record<string, ${of}>>`;
  }
  const known = TYPES[type];
  if (known === undefined) throw new Error(`no type for ${type}`);
  return known;
}

function members(
  properties: Readonly<Record<string, Schema>>,
  required: readonly string[],
): string {
  if (Object.keys(properties).length === 0) return 'Readonly<Record<never, never>>';
  const lines = Object.entries(properties).map(([name, schema]) => {
    const said = comment(schema.description);
    const type = typeOf(schema);
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
export function declaration(name: string, schema: Schema): string {
  const said = comment(schema.description);
  const isObject = schema.type === 'object' && schema.properties !== undefined;
  if (!isObject) return `${said}export type ${name} = ${typeOf(schema)};`;
  return `${said}export interface ${name} ${typeOf(schema)}`;
}
