/** JSON Schema as plain data, and the few shapes that the definitions are written with. */

/** A schema. A schema with a `title` is its own type, which the reference shows under that name. */
export interface JsonSchema {
  readonly [keyword: string]: unknown;
}

/** An object of these members and no others. */
export const closedObject = <P extends Readonly<Record<string, JsonSchema>>>(
  properties: P,
  required: readonly string[] = [],
) => ({
  type: 'object',
  additionalProperties: false,
  properties,
  ...(required.length > 0 && { required }),
});

/** An object that always has all of these members, and no others. */
export const fullObject = (properties: Readonly<Record<string, JsonSchema>>) =>
  closedObject(properties, Object.keys(properties));

export const TEXT_OR_NULL: JsonSchema = { type: ['string', 'null'] };
export const DATE_OR_NULL: JsonSchema = { type: ['string', 'null'], format: 'date-time' };
export const BOOLEAN_OR_NULL: JsonSchema = { type: ['boolean', 'null'] };
export const NUMBER_OR_NULL: JsonSchema = {
  type: ['number', 'string', 'null'],
  description: 'Integers past 2^53 and decimals come as text.',
};
export const AS_STORED: JsonSchema = { description: 'As it is stored; null where nothing is.' };
export const COUNT: JsonSchema = { type: 'integer', minimum: 0 };
