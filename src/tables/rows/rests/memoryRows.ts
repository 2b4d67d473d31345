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
import type { Join, RelatedField, Resource, Resources } from '../../definition/definition.ts';
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

export interface MemoryRowsDeps {
  readonly resources: Resources;
  readonly tables: Pick<Tables, 'tableOf' | 'restOf' | 'oddOf' | 'relations'>;
}

type Documents = readonly StoredDocument[];
type Found = MemoryMembers & { readonly layout: RestLayout };

export class MemoryRows {
  readonly #deps: MemoryRowsDeps;

  constructor(deps: MemoryRowsDeps) {
    this.#deps = deps;
  }

  /**
   * The row from memory; undefined when only the store can show it. Views of a resource have the same
   * rows, and show fewer of their members.
   */
  get({ name }: Resource, id: RowId): JoinedRow | undefined {
    const resource = this.#deps.resources[name]!;
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
    const document = this.#deps.tables.oddOf(resource.name, id);
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
    const layout = this.#deps.tables.restOf(name);
    if (!layout) return undefined;
    const shown = this.#deps.tables.tableOf(name).ask('shown', id, layout.columns);
    if (!shown) return undefined;
    const { values, rest } = shown;
    return { layout, values: values.map(storedAs), rest };
  }

  #joined(resource: Resource, document: StoredDocument): Record<string, Documents> | undefined {
    const joined: Record<string, Documents> = {};
    for (const join of resource.joins) {
      const found = this.#related(resource, join, keysOf(join, document));
      if (!found) return undefined;
      joined[join.as] = found;
    }
    return joined;
  }

  /** The documents for the keys, in the order of `_id`. */
  #related(resource: Resource, join: Join, keys: readonly RelationKey[]): Documents | undefined {
    if (keys.length === 0) return [];
    if (join.one) {
      const field = this.#textOf(resource, join);
      if (keys.length > 1 || !field) return undefined;
      const text = this.#deps.tables.relations.shownBy(field, keys[0]!);
      return text === undefined ? [] : [{ [join.shows[0]!]: text }];
    }
    if (join.key !== '_id') return undefined;
    const columns = this.#columnsOf(join);
    const found: StoredDocument[] = [];
    for (const key of inOrder(keys)) {
      const document = columns && this.#relatedDocument(join, columns, key);
      if (document) found.push(document);
      else if (this.#deps.tables.tableOf(join.to).has(key) !== false) return undefined;
    }
    return found;
  }

  /** The members that the join shows, from these columns, of the document with this key. */
  #relatedDocument(
    join: Join,
    columns: readonly string[],
    key: RelationKey,
  ): StoredDocument | undefined {
    const values = this.#deps.tables.tableOf(join.to).ask('shown', key, columns)?.values;
    const odd = values ? undefined : this.#deps.tables.oddOf(join.to, key);
    if (!values && !odd) return undefined;
    const document: Record<string, unknown> = { _id: storedAs(key) };
    for (const [place, path] of join.shows.entries()) {
      document[path] = values ? storedAs(values[place]!) : odd![path];
    }
    return document;
  }

  /** Undefined if a member that the join shows is in no column. */
  #columnsOf({ to, shows }: Join): readonly string[] | undefined {
    const layout = this.#deps.tables.restOf(to);
    const columns = shows.map((path) => layout?.columns[layout.paths.indexOf(path)]);
    return columns.every((name) => name !== undefined) ? columns : undefined;
  }

  /** The field of the one text that the join shows; undefined if it shows something else. */
  #textOf({ fields }: Resource, { by, shows }: Join): RelatedField | undefined {
    const field = fields[by] as RelatedField;
    return shows.length === 1 && shows[0] === this.#pathOf(field) ? field : undefined;
  }

  #pathOf({ to, text }: RelatedField): string | undefined {
    const field = this.#deps.resources[to]!.fields[text];
    return field?.kind === 'stored' ? field.path : undefined;
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
