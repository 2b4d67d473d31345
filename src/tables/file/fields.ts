/** One field of a file: from its short or long form to all that is known of it alone. */
import { type DescribedField, type DescribedStored, KEY } from './described.ts';
import { below, type Problems } from './problems.ts';
import { ABILITIES, FILE_USES, type FieldKind, type FileUse, type Look } from './types.ts';
import type { FieldMembers, WrittenField, WrittenType } from './written.ts';

/** A field whose uses can still grow, as the lists of its table name it. */
export interface OpenField {
  readonly field: DescribedField;
  readonly uses: Set<FileUse>;
  /** The file says the uses itself. */
  readonly isFixed: boolean;
  readonly pointer: string;
  /** Its name and type are right: other parts of the file are compared with such fields alone. */
  readonly isSound: boolean;
}

const KEY_TYPES = ['objectId', 'string', 'number', 'uuid', 'mixed'];

/** Describes a field by its parts that fit the schema; undefined if its kind does not fit. */
export function openField(
  name: string,
  written: unknown,
  pointer: string,
  problems: Problems,
): OpenField | undefined {
  const members = membersOf(written, pointer, problems);
  checkName(name, pointer, problems);
  if (!members) return undefined;
  const field = describe(name, members);
  const { usual, possible } = abilitiesOf(field);
  if (field.kind !== 'stored') {
    for (const member of ['path', 'values'] as const) {
      const at = below(pointer, member);
      if (members[member] === undefined || problems.touch(at)) continue;
      const message = `a field with ${JSON.stringify(field.kind)} has no ${JSON.stringify(member)}`;
      problems.add(at, message, undefined, 'name');
    }
  }
  const given = itemsOf<FileUse>(members.use, below(pointer, 'use'), problems);
  for (const [use, at] of given) {
    if (!possible.includes(use)) problems.add(at, cannot(name, field, use));
  }
  checkLook(name, field, members.look, pointer, problems);
  if (name === KEY) checkKey(members, field, pointer, problems);
  const uses = new Set(members.use === undefined ? usual : given.map(([use]) => use));
  if (field.kind === 'stored' && field.values === 'unique' && !members.use) uses.delete('facet');
  // Every order ends with the key, and every record is named by it.
  if (name === KEY) uses.add('sort').add('show');
  const isSound = !problems.has(pointer);
  return { field, uses, isFixed: members.use !== undefined, pointer, isSound };
}

/** The long form of a field; undefined where its kind does not fit the schema. */
function membersOf(
  written: unknown,
  pointer: string,
  problems: Problems,
): FieldMembers | undefined {
  if (problems.has(pointer)) return undefined;
  if (!isMembers(written as WrittenField)) {
    return problems.touch(pointer) ? undefined : { type: written as WrittenType };
  }
  const members = written as FieldMembers;
  const kinds = KINDS.filter((kind) => members[kind] !== undefined);
  const isKind = [...KINDS, ...OF_LABELS].every((one) => !problems.touch(below(pointer, one)));
  const { label, of, through } = members;
  const isWhole = label === undefined || (of !== undefined && through !== undefined);
  return kinds.length === 1 && isKind && isWhole ? members : undefined;
}

/** A field has one of these members: it says the kind of the field. */
const KINDS = ['type', 'label', 'seconds'] as const;
/** The members beside a `label`. */
const OF_LABELS = ['of', 'through', 'key'];

/** The items of a list that fit the schema, each with its pointer. */
export function itemsOf<T>(
  list: unknown,
  pointer: string,
  problems: Problems,
): readonly (readonly [item: T, pointer: string])[] {
  if (!Array.isArray(list)) return [];
  const items = list.map((item, position) => [item, below(pointer, position)] as const);
  return items.filter(([, at]) => !problems.touch(at));
}

const isMembers = (written: WrittenField): written is FieldMembers =>
  typeof written === 'object' && !Array.isArray(written);

/** Whether no field can have the name: `q` is a filter, and every JavaScript object has a `constructor`. */
export const isReservedName = (name: string): boolean => name === 'q' || name in {};

function checkName(name: string, pointer: string, problems: Problems): void {
  if (!isReservedName(name)) return;
  const message = name === 'q' ? 'the filter for text in any field' : 'reserved';
  problems.add(
    pointer,
    `${JSON.stringify(name)} cannot name a field: it is ${message}`,
    undefined,
    'name',
  );
}

function describe(name: string, members: FieldMembers): DescribedField {
  const { type, label, seconds, look } = members;
  const people = { title: members.title ?? headingOf(name), ...(look && { look }), uses: [] };
  if (label !== undefined) {
    const { of = '', through = '', key = KEY } = members;
    return { kind: 'label', ...people, label, of, through, key };
  }
  if (seconds !== undefined) {
    return { kind: 'seconds', ...people, from: seconds[0], to: seconds[1] };
  }
  const isSeveral = Array.isArray(type);
  const field: DescribedStored = {
    kind: 'stored',
    ...people,
    type: isSeveral ? type[0] : type,
    ...(isSeveral && { several: true }),
    path: name === KEY ? '_id' : (members.path ?? name),
    values: members.values ?? (name === KEY ? 'unique' : 'many'),
  };
  return field;
}

/** `placedAt` and `placed_at` are "Placed at" for people. */
export function headingOf(name: string): string {
  const words = name
    .replace(/([a-z0-9])([A-Z])/g, (_, last, first) => `${last} ${first.toLowerCase()}`)
    .replace(/_+/g, ' ')
    .trim();
  return words === '' ? name : words[0]!.toUpperCase() + words.slice(1);
}

export const kindOf = (field: DescribedField): FieldKind =>
  field.kind === 'stored' ? field.type : field.kind;

/** The uses that the field's type allows. Several values have no order; every key has one. */
export function abilitiesOf(field: DescribedField): {
  readonly usual: readonly FileUse[];
  readonly possible: readonly FileUse[];
} {
  const { usual, possible } = ABILITIES[kindOf(field)];
  if (field.kind !== 'stored') return { usual, possible };
  const extra: readonly FileUse[] = field.path === '_id' && field.type === 'mixed' ? ['sort'] : [];
  const isPossible = (use: FileUse) => use !== 'sort' || !field.several;
  return { usual: usual.filter(isPossible), possible: [...possible.filter(isPossible), ...extra] };
}

/** The sentence about a use that a field cannot have. */
export function cannot(name: string, field: DescribedField, use: FileUse): string {
  if (use === 'sort' && field.kind === 'stored' && field.several) {
    return `${name} may have several values: it cannot have the use sort`;
  }
  return `${name} cannot have the use ${use}: its type, ${kindOf(field)}, takes ${abilitiesOf(field).possible.join(', ')}`;
}

function checkLook(
  name: string,
  field: DescribedField,
  look: Look | undefined,
  pointer: string,
  problems: Problems,
): void {
  if (look === undefined || problems.touch(below(pointer, 'look'))) return;
  const given = typeof look === 'string' ? look : Object.keys(look)[0]!;
  const { looks } = ABILITIES[kindOf(field)];
  if (looks.includes(given)) return;
  const known = looks.length === 0 ? 'none' : looks.join(', ');
  const message = `${name} cannot look like ${given}: its type, ${kindOf(field)}, takes ${known}`;
  problems.add(below(pointer, 'look'), message);
}

function checkKey(
  { path }: FieldMembers,
  field: DescribedField,
  pointer: string,
  problems: Problems,
): void {
  const isType = field.kind === 'stored' && !field.several && KEY_TYPES.includes(field.type);
  if (!isType) {
    problems.add(pointer, `id is the key: its type must be one of ${KEY_TYPES.join(', ')}`);
  }
  const at = below(pointer, 'path');
  if (path !== undefined && path !== '_id' && path !== KEY && !problems.touch(at)) {
    problems.add(at, 'id is the key, which lies at _id', '_id');
  }
}

/** Uses in the order of `FILE_USES`. */
export const inOrder = (uses: ReadonlySet<FileUse>): readonly FileUse[] =>
  FILE_USES.filter((use) => uses.has(use));
