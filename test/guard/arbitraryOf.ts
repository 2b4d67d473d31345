/** Values that a JSON Schema of ours takes, or nearly. */

import type { Schema } from 'ajv';
import fc from 'fast-check';

/** As much of JSON Schema as the bodies of searches use. */
interface Part {
  readonly type?: string | readonly string[];
  readonly enum?: readonly unknown[];
  readonly properties?: Readonly<Record<string, Part>>;
  readonly items?: Part;
  readonly maxItems?: number;
  readonly maxLength?: number;
  readonly minimum?: number;
  readonly maximum?: number;
}

/** One value in so many is of another kind. */
const ODD_OF = 30;

export function arbitraryOf(schema: Schema): fc.Arbitrary<unknown> {
  return near(schema as Part);
}

function near(part: Part): fc.Arbitrary<unknown> {
  return fc.oneof(
    { weight: ODD_OF, arbitrary: fitting(part) },
    { weight: 1, arbitrary: fc.jsonValue() },
  );
}

function fitting(part: Part): fc.Arbitrary<unknown> {
  if (part.enum !== undefined) return fc.constantFrom(...part.enum);
  return fc.oneof(...[part.type ?? 'null'].flat().map((type) => ofType(type, part)));
}

function ofType(type: string, part: Part): fc.Arbitrary<unknown> {
  switch (type) {
    case 'object': {
      const members = Object.entries(part.properties ?? {}).map(([name, of]) => [name, near(of)]);
      return fc.record(Object.fromEntries(members), { requiredKeys: [] });
    }
    case 'array':
      return fc.array(near(part.items ?? {}), { maxLength: Math.min(part.maxItems ?? 5, 5) });
    case 'string':
      return fc.string({ unit: 'grapheme', maxLength: Math.min(part.maxLength ?? 40, 40) });
    case 'integer':
      return fc.maxSafeInteger();
    case 'number':
      return fc.double();
    case 'boolean':
      return fc.boolean();
    default:
      return fc.constant(null);
  }
}
