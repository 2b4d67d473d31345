/** The tables of the definition file that a caller may see: by the first grant that names a role. */
import type { Grant, OwnTable } from '../../tables/file/index.ts';
import type { Principal } from '../auth/principal.ts';

/** A table as one caller may see it. */
export interface Granted {
  readonly table: OwnTable;
  readonly grant: Grant;
  /** Whether the grant hides no field and no row. */
  readonly isWhole: boolean;
}

export class Grants {
  readonly #granted: ReadonlyMap<string, readonly Granted[]>;

  constructor(tables: readonly OwnTable[]) {
    this.#granted = new Map(
      tables.map((table) => [
        table.name,
        table.grants.map((grant) => ({ table, grant, isWhole: isWhole(table, grant) })),
      ]),
    );
  }

  /** Undefined where there is no such table, and where the caller has no grant. */
  of({ roles }: Pick<Principal, 'roles'>, table: string): Granted | undefined {
    return this.#granted
      .get(table)
      ?.find(({ grant }) => grant.roles.some((role) => roles.includes(role)));
  }

  /** All tables that the caller may see, in the order of the file. */
  allOf(principal: Pick<Principal, 'roles'>): readonly Granted[] {
    return [...this.#granted.keys()].flatMap((name) => this.of(principal, name) ?? []);
  }
}

const isWhole = ({ fields }: OwnTable, { view, fields: shown }: Grant) =>
  view.rows === undefined && Object.keys(shown).length === Object.keys(fields).length;
