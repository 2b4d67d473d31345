/**
 * A whole document by its id, for callers who may see its row.
 *
 *     id as text ──► the key's type ──► is its row among the caller's? ──► read at that moment
 *
 * A row beyond the caller's is not read, so a foreign document takes the time of a missing one.
 */
import { BSON, type Db, Long, type Timestamp } from 'mongodb';
import { asData } from '../../store/bson/asData.ts';
import { decode } from '../../store/bson/decode.ts';
import { Members } from '../../store/bson/members.ts';
import { orderKey, orderOfType } from '../../store/bson/orderKey.ts';
import { hasFarDate, readable } from '../../store/bson/readable.ts';
import { scalarOf } from '../../store/bson/storeValue.ts';
import type { Deadline } from '../../store/deadline.ts';
import { SnapshotRead } from '../../store/snapshotRead.ts';
import { asJson } from '../definition/record.ts';
import type { SearchView, Viewer } from '../definition/view.ts';
import type { ExplorePlan } from '../explore/plan.ts';
import { type ParseSettings, parseSearch } from '../query/parse.ts';
import type { Caller } from '../search/quota.ts';
import type { Search } from '../search/search.ts';
import { inQuotes, isContainer, namedIds } from './namedIds.ts';

export interface DocumentRequest {
  readonly db: Db;
  readonly search: Search;
  readonly view: SearchView;
  readonly viewer: Viewer;
  readonly id: string;
  readonly settings: ParseSettings;
  readonly deadline: Deadline;
  readonly caller: Caller;
}

/** A document as its bytes, and the moment that they show. */
export interface FoundDocument {
  readonly bson: Uint8Array;
  readonly asOf: Timestamp;
}

/** The document at a moment no earlier than any that was shown; undefined if there is none. */
export async function wholeDocument(request: DocumentRequest): Promise<FoundDocument | undefined> {
  const { key, fields } = request.view.resource;
  const field = fields[key]!;
  const type = (field.kind === 'stored' && field.type) || 'string';
  const isText = inQuotes(request.id) !== undefined;
  for (const value of namedIds(request.id, type)) {
    const found = await byId(value, request);
    // The server finds the number 7 by the decimal that records show as "7".
    if (found && (!isText || typeof asJson(decode(found.bson)._id) === 'string')) return found;
  }
  return undefined;
}

async function byId(value: unknown, request: DocumentRequest): Promise<FoundDocument | undefined> {
  const { db, search, view, deadline } = request;
  const { collection, window } = view.resource;
  let at: Timestamp | undefined;
  if (view.rows || window) {
    at = await visibleAt(request, value);
    if (!at) return undefined;
  }
  const notBefore = search.notBeforeOf(deadline);
  const read = new SnapshotRead(db, { at, notBefore, deadline });
  // Without `$eq`, a key such as {"$gt": ""} would be a condition.
  const filter = { _id: { $eq: asData(value) } };
  const [bson] = await read.findSomeRaw(collection, { filter, limit: 1 });
  const asOf = await read.begin(collection);
  search.note(asOf);
  return bson && isOf(bson, value) ? { bson, asOf } : undefined;
}

/** The moment at which the row of this very id is among the caller's; undefined where it is not. */
async function visibleAt(
  { search, view, viewer, settings, deadline, caller }: DocumentRequest,
  value: unknown,
): Promise<Timestamp | undefined> {
  const id = scalarOf(value);
  // No restricted caller sees documents with ids of rare types.
  if (id === undefined || id === null) return undefined;
  const { plan } = parseSearch(view, { pagination: { per_page: 1 } }, viewer, settings);
  // As a condition: every table finds rows by their ids, and the key need not be a column.
  const one: ExplorePlan = {
    ...{ ...plan, facets: [], stats: [] },
    conditions: [{ op: 'ids', column: view.resource.key, ids: [id] }],
  };
  const { total, asOf } = await search.run(one, deadline, caller);
  return total > 0 ? asOf : undefined;
}

/** Whether it is the document's very id: a collection's collation may take two texts for one, also inside of others. */
const isOf = (bson: Uint8Array, id: unknown): boolean =>
  idOf(bson) === idOf(BSON.serialize({ _id: asData(id) }));

/** A text that is equal exactly when the ids of two documents are, as their bytes tell. */
function idOf(bson: Uint8Array): string {
  const members = new Members(['_id']);
  members.read(bson);
  const { types, starts } = members;
  return `${orderOfType(types[0]!)} ${orderKey(bson, types[0]!, starts[0]!)}`;
}

/** About how much of a document one step writes, characters. */
const PIECE = 65_536;

/**
 * Relaxed Extended JSON, some of it at a time; integers that a JSON number cannot hold are
 * `$numberLong`. The first piece takes longer, since the whole document is decoded for it.
 */
export function* extendedJson(bson: Uint8Array): Generator<string, void, void> {
  const out = { text: '' };
  const told = hasFarDate(bson) ? readable(bson, 0, true) : bson;
  yield* pieces(decode(told, { promoteValues: false }), out);
  yield out.text;
}

function* pieces(value: object, out: { text: string }): Generator<string, void, void> {
  const isList = Array.isArray(value);
  let separator = isList ? '[' : '{';
  for (const [name, inner] of Object.entries(value)) {
    out.text += isList ? separator : `${separator}${JSON.stringify(name)}:`;
    separator = ',';
    if (isContainer(inner)) yield* pieces(inner, out);
    else out.text += scalarText(inner);
    if (out.text.length < PIECE) continue;
    yield out.text;
    out.text = '';
  }
  out.text += separator === ',' ? '' : separator;
  out.text += isList ? ']' : '}';
}

function scalarText(value: unknown): string {
  if (typeof value === 'string') return JSON.stringify(value);
  if (value instanceof Long && !(value instanceof BSON.Timestamp)) {
    const isExact = Number.isSafeInteger(value.toNumber());
    return isExact ? String(value) : `{"$numberLong":"${value}"}`;
  }
  return BSON.EJSON.stringify(value, { relaxed: true });
}
