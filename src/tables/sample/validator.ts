/** The fields that a validator's `$jsonSchema` promises, for paths that no document has yet. */
import type { Document } from 'mongodb';
import type { FieldType } from '../definition/definition.ts';
import { FEW } from './distinct.ts';
import type { DraftField } from './draft.ts';
import { isOddName } from './names.ts';

const TYPES: Readonly<Record<string, FieldType>> = {
  ...{ string: 'string', bool: 'boolean', boolean: 'boolean', date: 'date', objectId: 'objectId' },
  ...{ int: 'number', long: 'number', double: 'number', number: 'number', decimal: 'decimal' },
};
const MAX_LEVELS = 10;

/** @param known paths that documents have */
export function promisedFields(
  schema: Document | undefined,
  known: ReadonlySet<string>,
  nameOf: (path: string) => string,
): DraftField[] {
  const fields: DraftField[] = [];
  for (const { path, node, several } of partsOf(schema, MAX_LEVELS)) {
    const type = known.has(path) || path === '_id' ? undefined : typeOf(node);
    if (type === undefined) continue;
    fields.push(promised(node, several ? [type] : type, path, nameOf(path)));
  }
  return fields;
}

/** Whether the schema names the path: documents may come. */
export function isPromised(path: string, schema: Document | undefined): boolean {
  for (const part of partsOf(schema, path.split('.').length)) if (part.path === path) return true;
  return false;
}

interface Part {
  readonly path: string;
  readonly node: Document;
  /** It describes the elements of an array, or a member of these. */
  readonly several: boolean;
}

/**
 * The parts of a schema, by the paths that they describe.
 *
 * @param levels the most steps of a path
 */
function* partsOf(node: unknown, levels: number, path = '', several = false): Generator<Part> {
  if (!isPlain(node)) return;
  yield { path, node, several };
  if (levels === 0) return;
  for (const [name, child] of Object.entries(node.properties ?? {})) {
    const below = path === '' ? name : `${path}.${name}`;
    if (!isOddName(name, below)) yield* partsOf(child, levels - 1, below, several);
  }
  // Paths do not lead through an array inside an array.
  if (path !== '' && !isPlain(node.items?.items)) yield* partsOf(node.items, levels, path, true);
}

function promised(
  node: Document,
  type: FieldType | readonly [FieldType],
  path: string,
  name: string,
): DraftField {
  const isText = [type].flat()[0] === 'string';
  const isFew = isText && Array.isArray(node.enum) && node.enum.length <= FEW;
  const members = {
    type,
    ...(name !== path && { path }),
    ...(isFew && ({ values: 'few' } as const)),
  };
  return { name, members, remark: 'by the validator; no document has it' };
}

/** The one type besides null that a schema allows. */
function typeOf({ bsonType, type, enum: values }: Document): FieldType | undefined {
  const names = [bsonType ?? type ?? []].flat().filter((name) => name !== 'null');
  if (names.length === 1) return TYPES[names[0]];
  const isText = Array.isArray(values) && values.every((value) => typeof value === 'string');
  return names.length === 0 && isText ? 'string' : undefined;
}

const isPlain = (node: unknown): node is Document =>
  typeof node === 'object' && node !== null && !Array.isArray(node);
