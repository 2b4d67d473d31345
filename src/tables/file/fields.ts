/** One field of a file: from its short or long form to all that is known of it alone. */
import { type DescribedField, type DescribedStored, KEY } from './described.ts';
import type { Spot } from './problems.ts';
import { ABILITIES, FILE_USES, type FieldKind, type FileUse, type Look } from './types.ts';
import type { FieldMembers, WrittenField, WrittenType } from './written.ts';

/** A field whose uses can still grow, as the lists of its table name it. */
export interface OpenField {
  readonly field: DescribedField;
  readonly uses: Set<FileUse>;
  /** The file says the uses itself. */
  readonly isFixed: boolean;
  readonly spot: Spot;
  /** Its name and type are right: other parts of the file are compared with such fields alone. */
  readonly isSound: boolean;
}

/** The types that a key may have. */
export const KEY_TYPES: readonly string[] = ['objectId', 'string', 'number', 'uuid', 'mixed'];

/** Describes a field by its parts that fit the schema; undefined if its kind does not fit. */
export function openField(name: string, written: unknown, spot: Spot): OpenField | undefined {
  const members = membersOf(written, spot);
  checkName(name, spot);
  if (!members) return undefined;
  const field = describe(name, members);
  const { usual, possible } = abilitiesOf(field);
  if (field.kind !== 'stored') {
    for (const member of ['path', 'values'] as const) {
      const at = spot.in(member);
      if (members[member] === undefined || at.hasWrong) continue;
      at.addToName(`a field with ${JSON.stringify(field.kind)} has no ${JSON.stringify(member)}`);
    }
  }
  const given = itemsOf<FileUse>(members.use, spot.in('use'));
  for (const [use, at] of given) {
    if (!possible.includes(use)) at.add(cannot(name, field, use));
  }
  checkLook(name, field, members.look, spot.in('look'));
  if (name === KEY) checkKey(members, field, spot);
  const uses = new Set(members.use === undefined ? usual : given.map(([use]) => use));
  if (field.kind === 'stored' && field.values === 'unique' && !members.use) uses.delete('facet');
  // Every order ends with the key, and every record is named by it.
  if (name === KEY) uses.add('sort').add('show');
  return { field, uses, isFixed: members.use !== undefined, spot, isSound: !spot.isWrong };
}

/** The long form of a field; undefined where its kind does not fit the schema. */
function membersOf(written: unknown, spot: Spot): FieldMembers | undefined {
  if (spot.isWrong) return undefined;
  if (!isMembers(written as WrittenField)) {
    return spot.hasWrong ? undefined : { type: written as WrittenType };
  }
  const members = written as FieldMembers;
  const kinds = KINDS.filter((kind) => members[kind] !== undefined);
  const isKind = [...KINDS, ...OF_LABELS].every((one) => !spot.in(one).hasWrong);
  const { label, of, through } = members;
  const isWhole = label === undefined || (of !== undefined && through !== undefined);
  return kinds.length === 1 && isKind && isWhole ? members : undefined;
}

/** A field has one of these members: it says the kind of the field. */
const KINDS = ['type', 'label', 'seconds'] as const;
/** The members beside a `label`. */
const OF_LABELS = ['of', 'through', 'key'];

/** The items of a list that fit the schema, each with its place. */
export function itemsOf<T>(list: unknown, spot: Spot): readonly (readonly [item: T, at: Spot])[] {
  if (!Array.isArray(list)) return [];
  const items = list.map((item, position) => [item, spot.in(position)] as const);
  return items.filter(([, at]) => !at.hasWrong);
}

const isMembers = (written: WrittenField): written is FieldMembers =>
  typeof written === 'object' && !Array.isArray(written);

/** Whether no field can have the name: `q` is a filter, and every JavaScript object has a `constructor`. */
export const isReservedName = (name: string): boolean => name === 'q' || name in {};

function checkName(name: string, spot: Spot): void {
  if (!isReservedName(name)) return;
  const what = name === 'q' ? 'the filter for text in any field' : 'reserved';
  spot.addToName(`${JSON.stringify(name)} cannot name a field: it is ${what}`);
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

/** `placedAt` and `placed_at` are "Placed at" for people, and `userId` is "User ID". */
export function headingOf(name: string): string {
  const words = name
    .replace(/(?<=[a-z0-9])(?=[A-Z])/g, ' ')
    // Several capitals are an abbreviation, as in `customerID`.
    .replace(/(?<= )[A-Z](?![A-Z])/g, (first) => first.toLowerCase())
    .replace(/_+/g, ' ')
    .trim()
    .replace(ABBREVIATIONS, (word) => word.toUpperCase());
  return words === '' ? name : words[0]!.toUpperCase() + words.slice(1);
}

const ABBREVIATIONS =
  /(?<![\p{L}\p{N}])(?:api|html|http|https|iban|id|ip|seo|sku|uri|url|utc|uuid|vat)(?![\p{L}\p{N}])/giu;

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

function checkLook(name: string, field: DescribedField, look: Look | undefined, spot: Spot): void {
  if (look === undefined || spot.hasWrong) return;
  const given = typeof look === 'string' ? look : Object.keys(look)[0]!;
  const { looks } = ABILITIES[kindOf(field)];
  if (looks.includes(given)) return;
  const known = looks.length === 0 ? 'none' : looks.join(', ');
  spot.add(`${name} cannot look like ${given}: its type, ${kindOf(field)}, takes ${known}`);
}

function checkKey({ path }: FieldMembers, field: DescribedField, spot: Spot): void {
  const isType = field.kind === 'stored' && !field.several && KEY_TYPES.includes(field.type);
  if (!isType) spot.add(`id is the key: its type must be one of ${KEY_TYPES.join(', ')}`);
  const at = spot.in('path');
  if (path !== undefined && path !== '_id' && path !== KEY && !at.hasWrong) {
    at.add('id is the key, which lies at _id', '_id');
  }
}

/** Uses in the order of `FILE_USES`. */
export const inOrder = (uses: ReadonlySet<FileUse>): readonly FileUse[] =>
  FILE_USES.filter((use) => uses.has(use));
