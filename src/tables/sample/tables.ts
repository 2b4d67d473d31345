/**
 * From the look at a database to the tables that a file will define: labels, spans of time, columns,
 * facets and order on top of the fields.
 */
import { headingOf } from '../file/index.ts';
import { SAME_KEY_TYPES } from '../file/references.ts';
import type { DraftField, DraftTable } from './draft.ts';
import { ENOUGH_DRAWN, fieldsOf, hasLongTexts, looksLike } from './fields.ts';
import type { Link } from './links.ts';
import { freeName, startOf } from './names.ts';
import { CUT_SHORT, isEmpty, type LookedAt, MAX_TABLES, type Survey, TOO_MANY } from './survey.ts';

export interface Drafts {
  readonly tables: readonly DraftTable[];
  readonly leftOut: readonly { readonly name: string; readonly why: string }[];
}

const MAX_COLUMNS = 9;
const MAX_FACETS = 10;
const MAX_TEXT = 40;

/** Names that people give to a thing, and texts that tell one from the others. */
const TITLES = [
  /^(name|title|label|subject|display_?name|full_?name|user_?name|login)$/i,
  /^(email|e_?mail|number|code|slug|key|sku|iata|description)$/i,
];

export function draftTables(survey: Survey, links: readonly Link[]): Drafts {
  const leftOut: { name: string; why: string }[] = [];
  const chosen: LookedAt[] = [];
  for (const one of survey.collections) {
    const why = unfit(one) ?? (chosen.length === MAX_TABLES ? TOO_MANY : undefined);
    if (why === undefined) chosen.push(one);
    else leftOut.push({ name: one.name, why });
  }
  const names = tableNames(chosen.map(({ name }) => name));
  const own = new Map(chosen.map((one) => [one.name, fieldsOf(one)]));
  const tables = chosen.map((looked): DraftTable => {
    const { fields: stored, leftOut: missing } = own.get(looked.name)!;
    const labels = labelsOf(looked, stored, links, (to) => {
      const other = own.get(to);
      return other && { table: names.get(to)!, fields: other.fields };
    });
    const dates = stored.filter((one) => isOf(one, 'date') && !isSeveral(one));
    const fields = uniquely([...stored, ...labels, ...spansOf(dates)]);
    const inOrder = byFit(dates, WHEN);
    return {
      name: names.get(looked.name)!,
      collection: looked.name,
      count: looked.count,
      title: titleOf(looked.name),
      fields,
      text: fields
        .filter(isSearched)
        .map(({ name }) => name)
        .slice(0, MAX_TEXT),
      facets: facetsOf(fields),
      sort: sortOf(inOrder),
      columns: columnsOf(fields, inOrder),
      remarks: remarksOn(looked),
      leftOut: missing,
    };
  });
  return { tables, leftOut: [...leftOut, ...survey.leftOut] };
}

/** Why a collection is no table; undefined if it is one. */
function unfit({ name, profile, cutShort }: LookedAt): string | undefined {
  if (/\.chunks$/.test(name) && profile.at('files_id') && profile.at('data')) {
    return 'the bytes of files (GridFS)';
  }
  return profile.documents === 0 && cutShort === 'denied' ? CUT_SHORT.denied : undefined;
}

/** Names of tables by collection: small letters, digits and _, each once. */
function tableNames(collections: readonly string[]): ReadonlyMap<string, string> {
  const names = new Map<string, string>();
  const taken = new Set<string>();
  for (const collection of collections) {
    const snake = collection.replace(/([a-z0-9])([A-Z])/g, '$1_$2').toLowerCase();
    const plain = inLatin(snake)
      .replace(/[^a-z0-9]+/g, '_')
      .replace(/^_+|_+$/g, '');
    const start = (/^[a-z]/.test(plain) ? plain : `table_${plain}`).slice(0, 28).replace(/_$/, '');
    names.set(collection, freeName(start, taken));
  }
  return names;
}

/** `verträge` → `vertrage`: small letters without their accents. */
const inLatin = (text: string): string =>
  text
    .normalize('NFKD')
    .replace(/\p{M}+/gu, '')
    .replace(/[ßæœøłđðþı]/g, (letter) => PLAIN[letter]!);

const PLAIN: Readonly<Record<string, string>> = {
  ...{ ß: 'ss', æ: 'ae', œ: 'oe', ø: 'o', ł: 'l', đ: 'd', ð: 'd', þ: 'th', ı: 'i' },
};

const titleOf = (collection: string): string =>
  startOf(headingOf(collection.replace(/[\s.-]+/g, '_')), 100);

/** Whether its values have one of these types. */
const isOf = ({ members: { type } }: DraftField, ...types: string[]) =>
  [type ?? []].flat().some((one) => types.includes(one));
const isSeveral = ({ members: { type } }: DraftField) => Array.isArray(type);
const isLong = ({ found }: DraftField) => found !== undefined && hasLongTexts(found);
/** The share of the documents that have it, none of one that a validator promises alone. */
const shareOf = ({ found }: DraftField) => found?.share ?? 0;
const isLabel = ({ members }: DraftField) => 'label' in members;

/** Whether a person looks for rows by it. */
function isSearched(field: DraftField): boolean {
  if (isLabel(field)) return true;
  return isOf(field, 'string', 'uuid', 'objectId') && !isLong(field);
}

/** Text of the documents that a field leads to. */
function labelsOf(
  { name: from }: LookedAt,
  stored: readonly DraftField[],
  links: readonly Link[],
  tableOf: (collection: string) => { table: string; fields: readonly DraftField[] } | undefined,
): DraftField[] {
  return stored.flatMap((field): DraftField[] => {
    const link = links.find((one) => one.from === from && one.path === field.found?.profile.path);
    const other = link && tableOf(link.to);
    if (!other) return [];
    const key = other.fields.find(({ found }) => found?.profile.path === link.key);
    // The key stands here already.
    const [label] = titleFields(other.fields.filter((one) => one !== key));
    if (!key || !label || !areCompared(field, key)) return [];
    const stem = field.name.replace(/_?(id|Id|ID|key|Key|ref|Ref|code|Code)$/, '') || other.table;
    return [
      {
        name: `${stem}_${label.name}`,
        members: {
          ...{ label: label.name, of: other.table, through: field.name },
          ...(key.name !== 'id' && { key: key.name }),
        },
        remark: `found in ${link.to}`,
      },
    ];
  });
}

/** Whether a label may lead from one to the other: a file has no other labels. A list of values has no type here. */
const areCompared = ({ members: { type } }: DraftField, { members: key }: DraftField): boolean =>
  type === key.type && SAME_KEY_TYPES.some((one) => one === type);

/** The fields that stand for a document, the best first: its own name or title before that of a part, such as `user.name`. */
function titleFields(fields: readonly DraftField[]): DraftField[] {
  const texts = fields.filter((one) => {
    const isText = isOf(one, 'string') && !isSeveral(one) && !isLong(one);
    const isTitle = isText && one.members.values !== 'few' && one.name !== 'id';
    return isTitle && shareOf(one) > 0.5 && !looksLike(one.found!, 'date');
  });
  const isTitle = (one: DraftField) => TITLES.some((title) => title.test(lastStep(one.name)));
  const named = byFit(texts, TITLES).filter(isTitle);
  const ownNamed = named.filter(isOwn);
  if (ownNamed.length > 0) return ownNamed;
  const differing = texts.filter(({ found }) => found!.distinct > found!.values / 2);
  // A link or a checksum tells people less.
  const isPlain = ({ members, found }: DraftField) =>
    !('look' in members) && !looksLike(found!, 'link');
  const plain = differing.find((one) => isOwn(one) && isPlain(one));
  return [plain ?? named[0] ?? differing[0] ?? []].flat();
}

const isOwn = ({ found }: DraftField) => !found!.profile.path.includes('.');
const lastStep = (name: string) => name.replace(/^.*_(?=[a-z]+$)/, '');

/** In the order of the patterns that their names fit, those that fit none at the end. */
function byFit(fields: readonly DraftField[], patterns: readonly RegExp[]): DraftField[] {
  const rank = (field: DraftField) => {
    const fit = patterns.findIndex((pattern) => pattern.test(field.name));
    const rare = shareOf(field) < 0.5 ? patterns.length + 1 : 0;
    return rare + (fit < 0 ? patterns.length : fit);
  };
  return [...fields].sort((a, b) => rank(a) - rank(b));
}

/** When a document began to be: the order that people expect is by this, newest first. */
const WHEN = [
  /^(created|inserted|placed|queued|opened|received|published|posted|ordered)|(^|_)(created|inserted|queued|placed|creation)(_|$|at)/i,
  /^(at|when|date|time|timestamp|ts|datetime)$|(date|time|timestamp)$/i,
  /(started|start|begin|from)/i,
];

const sortOf = ([first]: readonly DraftField[]): string =>
  first && shareOf(first) > 0.5 ? `-${first.name}` : '-id';

/** The share of the documents that have a value there: no null, and no empty list. */
function filled({ found }: DraftField): number {
  if (!found) return 1;
  const { profile, share } = found;
  const emptyLists = profile.inArrays - profile.alone - profile.together;
  return share * (1 - profile.shareOf('null')) * (1 - emptyLists / profile.documents);
}

/** Members that libraries add for themselves, such as `__v` of Mongoose and `_class` of Spring. */
const isOfLibrary = ({ found }: DraftField): boolean =>
  /^(__\w+|_class)$/.test(found?.profile.name ?? '');

/** A count of one value tells nobody anything. */
const hasOneValue = ({ found }: DraftField): boolean =>
  found?.distinct === 1 && found.profile.drawn >= ENOUGH_DRAWN;

/** More numbers than stars, months or classes are an amount, for which ranges do. */
const MOST_NUMBERS = 12;

/** Whether its numbers are a choice of a few, in a sample of many. */
function hasFewNumbers(field: DraftField): boolean {
  const { name, members, found } = field;
  if (!found || !isOf(field, 'number') || 'look' in members || name === 'id') return false;
  const { distinct, profile } = found;
  const isChoice = distinct > 1 && distinct <= MOST_NUMBERS;
  return isChoice && profile.drawn >= ENOUGH_DRAWN * distinct;
}

const FACETS = [/(status|state|phase|stage|result|outcome)$/i, /(type|kind|category|role|level)$/i];

function facetsOf(fields: readonly DraftField[]): string[] {
  const own = fields.filter((one) => !isOfLibrary(one));
  const counted = own.filter((one) => {
    if (isOf(one, 'boolean')) return true;
    if (!isOf(one, 'string') || one.name === 'id' || isLong(one)) return false;
    return one.members.values === 'few' && !hasOneValue(one);
  });
  return [...byFit(counted, FACETS), ...byFit(own.filter(hasFewNumbers), FACETS)]
    .slice(0, MAX_FACETS)
    .map(({ name }) => name);
}

const AMOUNTS = [/(gross|total|amount|price|sum)$/i];

/** Columns in the order of a reader's questions: name, status, owner, amounts, dates. */
function columnsOf(fields: readonly DraftField[], dates: readonly DraftField[]): string[] {
  const shown = fields.filter((one) => {
    if (isOf(one, 'mixed') || isOfLibrary(one)) return false;
    return !one.found || (!isLong(one) && filled(one) >= 0.1 && !hasOneValue(one));
  });
  const leading = new Set(shown.map(({ members }) => members.through));
  const few = shown.filter((one) => isOf(one, 'string') && facetsOf([one]).length > 0);
  // People know a text that leads to a label; a number or an id stands for the label alone.
  const others = shown.filter(
    (one) => !isKeyOf(one) && (isOf(one, 'string') || !leading.has(one.name)),
  );
  const owners = others.filter(({ name }) => leading.has(name));
  const numbers = others.filter((one) => isOf(one, 'number', 'decimal') && !isSeveral(one));
  const groups = [
    titleFields(shown).slice(0, 2),
    byFit(few, FACETS)
      .filter((one) => filled(one) > 0.5)
      .slice(0, 2),
    owners.slice(0, 1),
    shown.filter(isLabel).slice(0, 2),
    byFit(numbers, AMOUNTS).slice(0, 2),
    dates.filter((one) => shown.includes(one)).slice(0, 2),
    shown.filter(({ members }) => 'seconds' in members).slice(0, 1),
  ].flat();
  const isPlain = (one: DraftField) => !isSeveral(one) && !isOf(one, 'objectId', 'uuid');
  // People look for a number or a short text there, and not among the columns after the groups.
  const key = shown.filter((one) => isKeyOf(one) && isPlain(one));
  const rest = [...others.filter(isPlain), ...others];
  const chosen = [...new Set([...key, ...groups, ...rest])].slice(0, MAX_COLUMNS);
  return (chosen.length > 0 ? chosen : fields.slice(0, 1)).map(({ name }) => name);
}

const isKeyOf = ({ name }: DraftField) => name === 'id';

function remarksOn(looked: LookedAt): string[] {
  const { isWhole, profile, remarks } = looked;
  if (isEmpty(looked)) return ['empty: fields come with the first documents', ...remarks];
  if (profile.documents === 0) return [...remarks];
  const documents = profile.documents.toLocaleString('en');
  return [
    isWhole ? 'every document was looked at' : `${documents} documents were looked at`,
    ...remarks,
  ];
}

/** Derived fields get another name where a stored one has theirs. */
function uniquely(fields: readonly DraftField[]): DraftField[] {
  const taken = new Set<string>();
  return fields.map((field) => {
    const name = freeName(field.name, taken);
    return name === field.name ? field : { ...field, name };
  });
}

/** First words of a span, and last ones; each pair of a row belongs together. */
const PAIRS: readonly (readonly [from: RegExp, to: RegExp, name: string])[] = [
  [/start|begin|began/i, /done|finish|end|complet|stop/i, 'took'],
  [/^from$|_from$/i, /^to$|_to$|until/i, 'took'],
  [/queue|submit|enqueue/i, /start|begin|began/i, 'waited'],
  [/open|report/i, /clos|resolv/i, 'took'],
  [/place|order/i, /ship|deliver/i, 'took'],
  [/creat|receiv/i, /done|finish|complet|clos|resolv|ship|deliver/i, 'took'],
];

/** In this share of the documents that have both, the span must not be negative. */
const IN_ORDER = 0.95;
const ENOUGH = 5;
const MAX_SPANS = 2;

/** Pairs of dates between which something lasted: from started to done. */
function spansOf(dates: readonly DraftField[]): DraftField[] {
  const spans: DraftField[] = [];
  for (const [from, to, name] of PAIRS) {
    const first = dates.find((one) => from.test(one.name));
    const last = dates.find((one) => to.test(one.name) && one !== first);
    if (!first || !last || spans.some((one) => one.name === name)) continue;
    if (spans.length === MAX_SPANS || !isInOrder(first, last)) continue;
    spans.push({
      name,
      members: { seconds: [first.name, last.name] },
      remark: `from ${first.name} to ${last.name}`,
    });
  }
  return spans;
}

function isInOrder({ found: first }: DraftField, { found: last }: DraftField): boolean {
  let both = 0;
  let ordered = 0;
  for (const [document, from] of first?.profile.moments ?? []) {
    const to = last?.profile.moments.get(document);
    if (to === undefined) continue;
    both += 1;
    if (to >= from) ordered += 1;
  }
  return both >= ENOUGH && ordered >= IN_ORDER * both;
}
