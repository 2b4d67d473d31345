/** From the paths of a collection to the fields of its table: names, types, hints, looks. */

import { FIELD_TYPES, type FieldType } from '../definition/definition.ts';
import { isReservedName, KEY_TYPES } from '../file/index.ts';
import type { Look as Shown } from '../file/types.ts';
import type { FieldMembers } from '../file/written.ts';
import { repeatOf, repetitionAt } from './distinct.ts';
import type { DraftField, DraftTable, FoundField, LeftOut } from './draft.ts';
import { byReason, percent, plural } from './figures.ts';
import { freeName, quoted, startOf } from './names.ts';
import type { Kind, Look, PathProfile } from './pathProfile.ts';
import { MAX_DEPTH, MAX_NAMES } from './profile.ts';
import type { LookedAt } from './survey.ts';
import { promisedFields } from './validator.ts';

/** Letters of a name, with room for a number behind it. */
const MAX_NAME = 60;
/** Fields of one table; a collection with more paths has its most frequent ones declared. */
const MAX_FIELDS = 80;
/** A path in fewer documents than this is left out, where enough documents were looked at. */
const RARE = 0.01;
const ENOUGH_DOCUMENTS = 200;
/** A declared type with a smaller share of the values is drift, and so are arrays in a larger share of documents. */
export const CLEAR = 0.6;
export const OFTEN_ARRAYS = 0.05;
/** A draft keeps clear of these bounds: the documents of another look have other shares. */
const SURELY = CLEAR + 0.05;
const SOME_ARRAYS = OFTEN_ARRAYS - 0.02;
/** Texts of a shape (UUID, link) in this share of all count. */
const MOSTLY = 0.95;
/** Texts longer than this on average are shown, and not searched: bytes. */
const LONG_TEXT = 400;
/** More bytes, and more values, of one document are in no record: on average. */
const MANY_BYTES = 65_536;
const MANY_VALUES = 1_000;
/** From fewer values than this nothing follows about how they repeat. */
export const ENOUGH_DRAWN = 20;
/** An object with so many rare names has data as names: those in a smaller share of its documents are no fields. */
const RARE_NAMES = 8;
const OFTEN = 0.04;

export function fieldsOf(looked: LookedAt): Pick<DraftTable, 'fields' | 'leftOut'> {
  const { profile } = looked;
  const leftOut: { name: string; why: string }[] = [];
  const found: FoundField[] = [];
  for (const path of profile.paths()) {
    const one = foundAt(path, looked);
    if (typeof one === 'string') {
      if (one !== '') leftOut.push({ name: path.path, why: one });
    } else found.push(one);
  }
  const kept = [...found].sort((a, b) => b.share - a.share).slice(0, MAX_FIELDS);
  const names = new Set<string>(['id']);
  const fields: DraftField[] = [];
  for (const one of found) {
    if (!kept.includes(one)) {
      const why = `beyond the ${MAX_FIELDS} most frequent paths`;
      leftOut.push({ name: one.profile.path, why });
      continue;
    }
    const { path } = one.profile;
    const name = path === '_id' ? 'id' : fieldName(path, names);
    fields.push({
      name,
      members: membersOf(name, one, looked),
      remark: remarkOn(one, looked),
      found: one,
    });
  }
  const seen = new Set(profile.paths().map(({ path }) => path));
  const promised = promisedFields(looked.schema, seen, (path) => fieldName(path, names)).filter(
    ({ name, members }) => members.type !== 'string' || !isSecret(members.path ?? name),
  );
  fields.push(...promised.slice(0, MAX_FIELDS - fields.length));
  const missing = [...byReason(leftOut)].map(([why, paths]) => ({ why, paths }));
  return { fields: withKey(fields), leftOut: [...missing, ...unreachable(looked)] };
}

/** Every table has its key, and has it first. */
function withKey(fields: readonly DraftField[]): DraftField[] {
  const id: DraftField = fields.find(({ name }) => name === 'id') ?? {
    name: 'id',
    members: { type: 'objectId' },
    remark: 'no documents yet',
  };
  return [id, ...fields.filter(({ name }) => name !== 'id')];
}

/** The field of a path; a reason why it is left out; or an empty text if there is nothing to say. */
function foundAt(path: PathProfile, looked: LookedAt): FoundField | string {
  const { profile } = looked;
  const nulls = path.of('null');
  const nested = path.of('object', 'array');
  const all = path.of(...path.kinds.keys());
  const share = path.documents / profile.documents;
  const isKey = path.path === '_id';
  if (isDataName(path, profile.root)) return '';
  const holdsData =
    rareNamesIn(path) >= RARE_NAMES || (path.oddNames > 0 && path.children.size === 0);
  if (nested + nulls === all && !holdsData && !isKey) {
    if (path.children.size > 0) return '';
    return nulls > 0 && nested === 0 ? 'always null' : 'always empty, or arrays in arrays';
  }
  if (share < RARE && profile.documents >= ENOUGH_DOCUMENTS && !isKey) {
    return `in ${percent(share)} of the documents`;
  }
  if (!isKey && path.bytes > MANY_BYTES * path.documents) {
    return 'values too large for a page of rows; the whole document shows them';
  }
  if (!isKey && all > MANY_VALUES * path.documents) {
    return 'too many values in a document for a page of rows; the whole document shows them';
  }
  if (path.of('string', 'binary') > 0 && isSecret(path.path)) {
    return 'named as secrets are; the whole document shows them';
  }
  const several = !isKey && path.inArrays >= SOME_ARRAYS * path.documents;
  return {
    profile: path,
    type: isKey ? keyTypeOf(path) : typeOf(path),
    several,
    share,
    ...repetitionAt(path, looked),
  };
}

/** Nobody looks for rows by these, and an index keeps and shows what it has. */
const SECRET =
  /\b(password|passwd|pwd|passphrase|secret|(api|encryption|private) ?key|(access|auth|bearer|csrf|refresh|reset|session) ?token)s?\b(?! (id|name|policy)s?\b)/;

const isSecret = (path: string): boolean => SECRET.test(wordsOf(path));

/** `apiKey_hash` → `api key hash` */
const wordsOf = (name: string): string =>
  name.replace(/([a-z0-9])([A-Z])|[._-]/g, '$1 $2').toLowerCase();

/** A type that keys may have, and all of these have: no request finds a key of another type. */
function keyTypeOf(path: PathProfile): FieldType {
  if (path.of('number', 'decimal') === path.of(...path.kinds.keys())) return 'number';
  const type = path.types.length > 1 ? 'mixed' : typeOf(path);
  if (type === 'uuid' && path.looks.get('uuid') !== path.of('string')) return 'string';
  return KEY_TYPES.includes(type) ? type : 'mixed';
}

/** A type that `check` finds no drift from, by other documents either. */
function typeOf(path: PathProfile): FieldType {
  const shareOf = (kind: Kind) => path.shareOf(kind, 'values');
  const [main = 'other'] = path.types
    .map(([kind]) => kind)
    .toSorted((a, b) => shareOf(b) - shareOf(a));
  if (shareOf(main) < SURELY) {
    return shareOf('number') + shareOf('decimal') >= SURELY ? 'number' : 'mixed';
  }
  const uuids = (path.looks.get('uuid') ?? 0) / Math.max(1, path.of('string'));
  if (main === 'string' && uuids >= MOSTLY && uuids * shareOf(main) >= SURELY) return 'uuid';
  return FIELD_TYPES.find((type) => type === main) ?? 'mixed';
}

/** How many of its names come in few of the documents that have it. */
function rareNamesIn(path: PathProfile): number {
  let rare = 0;
  for (const child of path.children.values()) {
    if (child.documents < Math.max(2, RARE * path.documents)) rare += 1;
  }
  return rare;
}

/** Whether it is, or lies below, one of the names that are data: the object around them is declared, and says so. */
function isDataName({ path }: PathProfile, root: PathProfile): boolean {
  let around = root;
  for (const name of path.split('.')) {
    const node = around.children.get(name)!;
    const isRare = node.documents < OFTEN * around.documents;
    if (isRare && around !== root && rareNamesIn(around) >= RARE_NAMES) return true;
    around = node;
  }
  return false;
}

/** The last steps of the path that fit, in its own letters: `Über-Größe` is `Über_Größe`. */
function fieldName(path: string, taken: Set<string>): string {
  let short = path.normalize().replace(/[^\p{L}\p{M}\p{N}_.]+/gu, '_');
  while (short.length > MAX_NAME && short.includes('.')) short = short.replace(/^[^.]*\./, '');
  const name = short.replaceAll('.', '_').replace(/^(?![\p{L}_])/u, '_');
  const start = (/[\p{L}\p{N}]/u.test(name) ? name : 'field')
    .slice(0, MAX_NAME)
    .replace(/[\ud800-\udbff]$/, '');
  return freeName(start, taken, isReservedName);
}

/** A heading for people where the field's name cannot have the signs of the path, such as 🔥. */
function titleOf(path: string): string | undefined {
  if (!/[^\p{L}\p{M}\p{N}\x20-\x7e]|^[^\p{L}\p{N}]+$/u.test(path)) return undefined;
  // A name of `_` alone shows as it is, and one of blanks shows nothing.
  const words = path.replace(/[._]+/g, ' ').trim() || path.trim();
  return words === '' ? undefined : startOf(words, 100);
}

function membersOf(name: string, found: FoundField, looked: LookedAt): FieldMembers {
  const { profile, type, several, values, distinct } = found;
  const { path } = profile;
  const isKey = path === '_id';
  const isUnique = looked.uniquePaths.includes(path);
  const repeat = isUnique ? 'unique' : repeatOf(distinct, values);
  const isClear = profile.drawn >= ENOUGH_DRAWN && !hasLongTexts(found);
  const saysRepeat = type === 'string' || (type === 'uuid' && repeat !== 'unique');
  const look = lookOf(found, repeat);
  // Beside a field `id`, the key is `_id` to people, too.
  const isEither = path === 'id' || (isKey && looked.profile.at('id') !== undefined);
  const title = isEither ? path : titleOf(path);
  return {
    type: several ? [type] : type,
    ...(!isKey && path !== name && { path }),
    ...(title !== undefined && { title }),
    ...(!isKey && saysRepeat && (isUnique || isClear) && { values: repeat }),
    ...(hasLongTexts(found) && { use: ['show'] }),
    ...(look !== undefined && { look }),
  };
}

export const hasLongTexts = ({ type, profile }: FoundField): boolean =>
  type === 'string' && profile.textBytes > LONG_TEXT * Math.max(1, profile.drawn);

/** Whether its texts have that form. */
export function looksLike({ type, profile }: FoundField, look: Look): boolean {
  const strings = profile.of('string');
  return type === 'string' && strings > 0 && (profile.looks.get(look) ?? 0) >= MOSTLY * strings;
}

const STATUS = /(^|_|[a-z])(status|state|phase|stage|result|outcome|severity|level|priority)$/i;
/** A size alone may be that of a shoe, and a profile is no file. */
const BYTES =
  /\bbytes$|\b(archive|attachment|backup|blob|body|content|disk|download|file|image|memory|object|payload|storage|upload) ?size$/;
const SECONDS = /\b(seconds|secs)$/;
const CODE = /(^|_)(hash|sha\d*|md5|checksum|etag|digest)$/i;

/** Values there that are no addresses stay text. */
const ADDRESS = /\b(url|uri|href|website|homepage)$/;

function lookOf({ type, profile, several }: FoundField, repeat: string): Shown | undefined {
  const { name } = profile;
  const words = wordsOf(name);
  if (type === 'mixed') return profile.of('object') > 0 ? 'json' : undefined;
  if (type === 'string' && repeat === 'few' && STATUS.test(name)) return 'status';
  if (type === 'string' && CODE.test(name)) return 'code';
  if (type === 'string' && !several && ADDRESS.test(words)) return { link: '{value}' };
  if (type === 'number' && profile.integers && BYTES.test(words)) return 'bytes';
  if (type === 'number' && SECONDS.test(words)) return 'seconds';
  return undefined;
}

function remarkOn(found: FoundField, { profile: { drawn }, isWhole }: LookedAt): string {
  const { profile, type, share, distinct, several } = found;
  const parts: string[] = [];
  if (share < 1 - RARE) {
    const part = percent(profile.drawnDocuments / Math.max(1, drawn));
    parts.push(`in ${part} of ${plural(drawn, 'document')}`);
  }
  parts.push(...differingTypes(found));
  if (!several && profile.inArrays > 0) parts.push(`arrays in ${profile.inArrays} of these`);
  if (type !== 'mixed' && type !== 'boolean' && profile.drawn > 0) {
    const exact = isWhole && profile.valuesComplete;
    parts.push(`${exact ? '' : 'about '}${plural(distinct, 'value')}${mostFrequent(found)}`);
  }
  const rare = rareNamesIn(profile);
  if (rare >= RARE_NAMES) parts.push(`${rare} rare names inside`);
  if (type === 'mixed' && profile.oddNames > 0) parts.push('names inside that no path reaches');
  if (hasLongTexts(found)) parts.push('long texts, only shown');
  if (profile.shareOf('binary', 'values') >= CLEAR) {
    const areUuids = (profile.looks.get('binary uuid') ?? 0) >= MOSTLY * profile.of('binary');
    parts.push(`${areUuids ? 'UUIDs stored as binary' : 'binary data'}, only shown`);
  }
  if (profile.hasLarge) parts.push('integers past 2^53, which answers write as text');
  if (looksLike(found, 'date')) parts.push('dates stored as text');
  if (looksLike(found, 'objectId')) parts.push('ObjectIds stored as text');
  if (looksLike(found, 'link')) parts.push('links');
  return parts.join('; ');
}

/** Types beside the declared one; nulls only if they are many. */
function differingTypes({ profile }: FoundField): string[] {
  const nulls = profile.shareOf('null');
  const { types } = profile;
  const byShare = types.toSorted(([a], [b]) => profile.shareOf(b) - profile.shareOf(a));
  const shares = byShare.map(([kind]) => `${percent(profile.shareOf(kind))} ${kind}`);
  if (types.length > 1)
    return [[...shares, ...(nulls > 0 ? [`${percent(nulls)} null`] : [])].join(', ')];
  return nulls > RARE ? [`${percent(nulls)} null`] : [];
}

/** The values of a field that has few. */
function mostFrequent(found: FoundField): string {
  const { profile, type, distinct } = found;
  if (type !== 'string' || hasLongTexts(found)) return '';
  const { frequent } = profile;
  if (frequent.length === 0) return '';
  const shown = frequent.map(
    ([value, times]) => `${quoted(value, 24)} ${percent(times / profile.drawn)}`,
  );
  return `: ${shown.join(', ')}${distinct > frequent.length ? ', …' : ''}`;
}

/** Names that no path reaches, and names beyond the bounds. */
function unreachable({ profile }: LookedAt): LeftOut[] {
  const lines: LeftOut[] = [];
  if (profile.oddNames.size > 0) {
    const why =
      'no path reaches a name that is empty, has a dot, begins with $, is a number, or is too long';
    lines.push({ paths: [...profile.oddNames], why });
  }
  if (profile.tooDeep > 0)
    lines.push({ paths: [], why: `names more than ${MAX_DEPTH} levels deep` });
  if (profile.namesLeftOut > 0) {
    lines.push({ paths: [], why: `names after the first ${MAX_NAMES.toLocaleString('en')}` });
  }
  return lines;
}
