/**
 * Rows of pages from the tables alone, at the frontier, without a read of the store.
 *
 *     id ──► columns' values, JSON of members ──► row, with the related rows it shows
 *
 * A row's rest was stored together with its cells, in the same step, so they cannot disagree. Call
 * this in the step in which the ids were found.
 */

import { queryValue } from '../../../store/bson/storeValue.ts';
import { compareScalars, RestText, type RowId, type Scalar } from '../../../textindex/index.ts';
import type { Join, Resource } from '../../definition/definition.ts';
import type {
  JoinedRow,
  MemoryMembers,
  MemoryRow,
  StoredDocument,
} from '../../definition/record.ts';
import type { RelationKey } from '../../definition/relationKey.ts';
import type { Tables } from '../../index/tables.ts';
import { keysOf } from '../relatedDocuments.ts';
import type { RestLayout } from './restLayout.ts';

type Documents = readonly StoredDocument[];
type Found = MemoryMembers & { readonly layout: RestLayout };

export class MemoryRows {
  readonly #tables: Pick<Tables, 'of' | 'relations'>;

  constructor(tables: Pick<Tables, 'of' | 'relations'>) {
    this.#tables = tables;
  }

  /**
   * The row from memory; undefined when only the store can show it. Views of a resource have the same
   * rows, and show fewer of their members.
   */
  get({ name }: Resource, id: RowId): JoinedRow | undefined {
    const { resource } = this.#tables.of(name);
    return this.#make(resource, id) ?? this.#odd(resource, id);
  }

  #make(resource: Resource, id: RowId): MemoryRow | undefined {
    const memory = this.#find(resource, id);
    if (!memory) return undefined;
    const document = documentFrom(id, memory, memory.layout.read);
    const joined = this.#joined(resource, document);
    return joined && { document, memory, joined };
  }

  /** The same for dirty data, whose document is kept as BSON. */
  #odd(resource: Resource, id: RowId): JoinedRow | undefined {
    const document = this.#tables.of(resource.name).odd.get(id);
    const joined = document && this.#joined(resource, document);
    return joined && { document, joined };
  }

  /**
   * The document, with the members that the table holds; undefined when only the store can show it.
   */
  documentOf(resource: Resource, id: RowId): StoredDocument | undefined {
    const memory = this.#find(resource, id);
    return memory && documentFrom(id, memory, memory.layout.paths.keys());
  }

  #find({ name }: Resource, id: RowId): Found | undefined {
    const { rest: layout, table } = this.#tables.of(name);
    const shown = layout && table.ask('shown', id, layout.columns);
    if (!shown) return undefined;
    const { values, rest } = shown;
    return { layout, values: values.map(storedAs), rest };
  }

  #joined(resource: Resource, document: StoredDocument): Record<string, Documents> | undefined {
    const joined: Record<string, Documents> = {};
    for (const join of resource.joins) {
      const found = this.#related(join, keysOf(join, document));
      if (!found) return undefined;
      joined[join.by] = found;
    }
    return joined;
  }

  /** The documents for the keys, in the order of `_id`. */
  #related(join: Join, keys: readonly RelationKey[]): Documents | undefined {
    if (keys.length === 0) return [];
    if (join.one) {
      if (keys.length > 1) return undefined;
      const text = this.#tables.relations.shownBy(join.field, keys[0]!);
      return text === undefined ? [] : [{ [join.shows[0]!]: text }];
    }
    if (join.field.keyPath !== '_id') return undefined;
    const columns = this.#columnsOf(join);
    const found: StoredDocument[] = [];
    for (const key of inOrder(keys)) {
      const document = columns && this.#relatedDocument(join, columns, key);
      if (document) found.push(document);
      else if (this.#tables.of(join.field.to).table.has(key) !== false) return undefined;
    }
    return found;
  }

  /** The members that the join shows, from these columns, of the document with this key. */
  #relatedDocument(
    join: Join,
    columns: readonly string[],
    key: RelationKey,
  ): StoredDocument | undefined {
    const { table, odd: documents } = this.#tables.of(join.field.to);
    const values = table.ask('shown', key, columns)?.values;
    const odd = values ? undefined : documents.get(key);
    if (!values && !odd) return undefined;
    const document: Record<string, unknown> = { _id: storedAs(key) };
    for (const [place, path] of join.shows.entries()) {
      document[path] = values ? storedAs(values[place]!) : odd![path];
    }
    return document;
  }

  /** Undefined if a member that the join shows is in no column. */
  #columnsOf({ field, shows }: Join): readonly string[] | undefined {
    const { rest: layout } = this.#tables.of(field.to);
    const columns = shows.map((path) => layout?.columns[layout.paths.indexOf(path)]);
    return columns.every((name) => name !== undefined) ? columns : undefined;
  }
}

/** The members at these places, and the members whose values are kept with the JSON. */
function documentFrom(
  id: RowId,
  { layout, values, rest }: Found,
  places: Iterable<number>,
): StoredDocument {
  const document: Record<string, unknown> = { _id: storedAs(id) };
  for (const place of places) document[layout.paths[place]!] = values[place];
  if (layout.values.length > 0) {
    rest.read(text);
    let at = 0;
    for (let line = 0; line < layout.inRest.length; line++) at = text.endOfLine(at) + 1;
    for (const path of layout.values) {
      const end = text.endOfLine(at);
      document[path] = JSON.parse(text.slice(at, end));
      at = end + 1;
    }
  }
  return document;
}

/** A value as the driver has it; of objects, columns tell dates and ObjectIds alone. */
const storedAs = (value: Scalar): unknown =>
  typeof value === 'object' && value !== null && !(value instanceof Date)
    ? queryValue(value)
    : value;

/** The buffer that rests are read into. */
const text = new RestText();

/** Each once. */
function inOrder(keys: readonly RelationKey[]): readonly RelationKey[] {
  return keys.length === 1 ? keys : [...new Set(keys)].sort(compareScalars);
}
