/**
 * Schemas as the document shows them: a schema with a `title` stands once, under that name, and is a
 * `$ref` elsewhere. Standard keywords of JSON Schema 2020-12 replace our own.
 */
import type { JsonSchema } from '../../tables/definition/jsonSchema.ts';

/** Keywords that hold one schema, several, or several by name. */
const ONE = ['items', 'additionalProperties'];
const SEVERAL = ['anyOf', 'oneOf', 'allOf'];
const NAMED = ['properties', 'patternProperties'];

/**
 * Our keywords. `shownAs` replaces its schema in the document, where code checks a rule that JSON Schema
 * can express; `searchable` is text without NUL. Lone surrogates are no text in JSON and need no mention.
 */
const OURS: Readonly<Record<string, JsonSchema>> = {
  searchable: { pattern: '^[^\\u0000]*$' },
  wellFormed: {},
  conditions: {},
  distinct: { uniqueItems: true },
};

export class Components {
  /** The schemas by name. */
  readonly schemas: Record<string, JsonSchema> = {};

  /** The schema, or a reference where it has a name. */
  shown(schema: JsonSchema): JsonSchema {
    const { title } = schema;
    const plain = this.#plain(schema);
    if (typeof title !== 'string') return plain;
    const name = this.#nameFor(title, plain);
    this.schemas[name] = plain;
    return { $ref: `#/components/schemas/${name}` };
  }

  /** The title; with a number where two schemas have it, such as the answers of explores of `a` and of table `a_explore`. */
  #nameFor(title: string, plain: JsonSchema): string {
    const isOther = (name: string) =>
      Object.hasOwn(this.schemas, name) &&
      JSON.stringify(this.schemas[name]) !== JSON.stringify(plain);
    let name = title;
    for (let n = 2; isOther(name); n++) name = `${title}_${n}`;
    return name;
  }

  #plain({ shownAs, ...schema }: JsonSchema): JsonSchema {
    if (shownAs !== undefined) {
      return this.#plain({ title: schema.title, ...(shownAs as JsonSchema) });
    }
    const members = Object.entries(schema).flatMap(([keyword, value]): [string, unknown][] => {
      const ours = OURS[keyword];
      // A pattern of its own says more.
      if (ours) return Object.entries(ours).filter(([name]) => !Object.hasOwn(schema, name));
      return [[keyword, this.#keyword(keyword, value)]];
    });
    return Object.fromEntries(members);
  }

  #keyword(keyword: string, value: unknown): unknown {
    if (ONE.includes(keyword) && typeof value === 'object') return this.shown(value as JsonSchema);
    if (SEVERAL.includes(keyword)) return (value as JsonSchema[]).map((one) => this.shown(one));
    if (!NAMED.includes(keyword)) return value;
    const named = Object.entries(value as Readonly<Record<string, JsonSchema>>);
    return Object.fromEntries(named.map(([name, one]) => [name, this.shown(one)]));
  }
}
