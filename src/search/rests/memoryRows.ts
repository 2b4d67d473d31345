/**
 * Rows of pages from the tables alone, at the frontier: nothing is asked of the store.
 *
 *     id ──► columns, rest ──► document, JSON of members ──► row, with the related rows it shows
 *
 * What a row shows was put in together with its cells and in the same step, so they cannot disagree.
 * Must be called in the step in which the ids were found.
 */
import type { Join, RelatedField, Resource } from '../../resources/definition.ts';
import type { JoinedRow, StoredDocument } from '../../resources/record.ts';
import { compareScalars, type RowId, type Scalar } from '../../textindex/index.ts';
import { keysOf } from '../relatedDocuments.ts';
import type { RelationKey } from '../relatedRows.ts';
import type { Tables } from '../tables.ts';

export interface MemoryRowsDeps {
  readonly resources: Readonly<Record<string, Resource>>;
  readonly tables: Pick<Tables, 'tableOf' | 'restOf' | 'shownBy' | 'isThere'>;
}

type Documents = readonly StoredDocument[];
type MemoryRow = Pick<JoinedRow, 'document' | 'json'>;

export class MemoryRows {
  readonly #deps: MemoryRowsDeps;

  constructor(deps: MemoryRowsDeps) {
    this.#deps = deps;
  }

  /** Undefined when the store has to be asked. */
  get(resource: Resource, id: RowId): JoinedRow | undefined {
    const row = this.#rowOf(resource, id);
    const joined = row && this.#joined(resource, row.document);
    return joined && { ...row, joined };
  }

  /** Of the document what the table tells; undefined when the store has to be asked. */
  documentOf(resource: Resource, id: RowId): StoredDocument | undefined {
    return this.#rowOf(resource, id)?.document;
  }

  #rowOf({ collection }: Resource, id: RowId): MemoryRow | undefined {
    const layout = this.#deps.tables.restOf(collection);
    if (!layout) return undefined;
    const { columns, paths, made, values } = layout;
    const shown = this.#deps.tables.tableOf(collection).shown(id, columns);
    if (!shown) return undefined;
    const document: Record<string, Scalar> = { _id: id };
    for (let i = 0; i < paths.length; i++) document[paths[i]!] = shown.values[i]!;
    const { buffer, byteOffset, length } = shown.rest;
    const lines = Buffer.from(buffer, byteOffset, length).toString().split('\n');
    const json = new Map<string, string>();
    for (let i = 0; i < made.length; i++) json.set(made[i]!.name, lines[i]!);
    for (let i = 0; i < values.length; i++) {
      document[values[i]!] = JSON.parse(lines[made.length + i]!) as Scalar;
    }
    return { document, json };
  }

  #joined(resource: Resource, document: StoredDocument): Record<string, Documents> | undefined {
    const joined: Record<string, Documents> = {};
    for (const join of resource.joins) {
      const keys = keysOf(join, document);
      const found = keys && this.#related(resource, join, keys);
      if (!found) return undefined;
      joined[join.as] = found;
    }
    return joined;
  }

  /** What the keys lead to, in the order of `_id`. */
  #related(resource: Resource, join: Join, keys: readonly RelationKey[]): Documents | undefined {
    if (keys.length === 0) return [];
    const field = resource.fields[join.by] as RelatedField;
    const [path, ...others] = join.shows;
    if (join.one) {
      const isText = others.length === 0 && path === this.#pathOf(field);
      if (keys.length > 1 || !isText) return undefined;
      const text = this.#deps.tables.shownBy(field, keys[0]!);
      return text === undefined ? [] : [{ [path!]: text }];
    }
    if (join.key !== '_id') return undefined;
    const found: StoredDocument[] = [];
    for (const key of [...new Set(keys)].sort(compareScalars)) {
      if (!this.#deps.tables.isThere(join, key)) continue;
      const row = this.#rowOf(this.#deps.resources[join.to]!, key);
      if (!row || join.shows.some((one) => !Object.hasOwn(row.document, one))) return undefined;
      found.push(row.document);
    }
    return found;
  }

  #pathOf({ to, text }: RelatedField): string | undefined {
    const field = this.#deps.resources[to]!.fields[text];
    return field?.kind === 'stored' ? field.path : undefined;
  }
}
