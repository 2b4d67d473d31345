/** The relations between tables: whose rows give texts to whose values, as labels. */
import { invariant } from '../../errors.ts';
import type { RelatedField } from '../definition/definition.ts';
import type { RelationKey } from '../definition/relationKey.ts';
import { RelatedRows, relationName } from './relatedRows.ts';
import type { ResourceTable } from './resourceTable.ts';

/** Rows of one resource that other resources relate to, and the columns they are read from. */
export interface Relation {
  readonly to: string;
  readonly key: number;
  readonly text: number;
  readonly rows: RelatedRows;
}

export class Relations {
  readonly #tables: ReadonlyMap<string, ResourceTable>;
  readonly #byName = new Map<string, Relation>();

  /** `tables` by the name of their resource; each entry's table may be replaced. */
  constructor(tables: ReadonlyMap<string, ResourceTable>) {
    this.#tables = tables;
    for (const { resource } of tables.values()) {
      for (const field of Object.values(resource.fields)) {
        if (field.kind === 'related') this.#add(field);
      }
    }
    this.show();
  }

  [Symbol.iterator](): Iterator<Relation> {
    return this.#byName.values();
  }

  /** The relations that read the rows of this table. */
  to({ resource }: Pick<ResourceTable, 'resource'>): readonly Relation[] {
    return [...this].filter((relation) => relation.to === resource.name);
  }

  /** Whether there is a document that the field leads to with this key, at the frontier. */
  leadsTo(field: RelatedField, key: RelationKey): boolean {
    return this.#byName.get(relationName(field))?.rows.has(key) === true;
  }

  /** The text that records show of the related document with this key, at the frontier. */
  shownBy(field: RelatedField, key: RelationKey): string | undefined {
    return this.#byName.get(relationName(field))?.rows.shown(key);
  }

  /** Tells all relations which tables show their labels now. */
  show(): void {
    for (const [name, { rows }] of this.#byName) {
      const targets = [...this.#tables.values()].flatMap(({ resource, table }) =>
        Object.entries(resource.fields).flatMap(([label, field]) => {
          if (field.kind !== 'related') return [];
          return relationName(field) === name ? [{ table, column: field.through, label }] : [];
        }),
      );
      rows.showIn(targets);
    }
  }

  /** Fields of several resources that relate to the same texts share one relation. */
  #add(field: RelatedField): void {
    const { to, key, text, keyType } = field;
    const name = relationName(field);
    if (this.#byName.has(name)) return;
    const target = this.#tables.get(to);
    invariant(target, `${to} is followed, since others relate to it`);
    const { columns } = target.layout.definition;
    const column = (wanted: string) => {
      const number = columns.findIndex((one) => one.name === wanted);
      invariant(number >= 0, `${to} has a column ${wanted}, since others relate to it`);
      return number;
    };
    const rows = new RelatedRows(keyType);
    this.#byName.set(name, { to, key: column(key), text: column(text), rows });
  }
}
