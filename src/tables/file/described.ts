/** A definition file as checked: every default filled in, every reference known to lead somewhere. */
import type { FieldType } from '../definition/definition.ts';
import type { Sort } from '../query/plan.ts';
import type { FileUse, Look } from './types.ts';
import type { ValuesHint, WrittenRows, WrittenTable } from './written.ts';

interface ForPeople {
  readonly title: string;
  readonly look?: Look;
  /** In the order of `FILE_USES`. */
  readonly uses: readonly FileUse[];
}

/** A value stored in the document. */
export interface DescribedStored extends ForPeople {
  readonly kind: 'stored';
  readonly type: FieldType;
  /** A document may hold several values. */
  readonly several?: true;
  readonly path: string;
  readonly values: ValuesHint;
}

/** The text `label` of the document of table `of` whose field `key` equals the field `through`. */
export interface DescribedLabel extends ForPeople {
  readonly kind: 'label';
  readonly label: string;
  readonly of: string;
  readonly through: string;
  readonly key: string;
}

/** Seconds from one date to another. */
export interface DescribedSeconds extends ForPeople {
  readonly kind: 'seconds';
  readonly from: string;
  readonly to: string;
}

export type DescribedField = DescribedStored | DescribedLabel | DescribedSeconds;

export interface DescribedGrant {
  readonly roles: readonly string[];
  readonly rows: Readonly<Record<string, WrittenRows>>;
  /** The fields named in the file, and the labels and seconds that would tell them. */
  readonly hidden: ReadonlySet<string>;
  readonly document: boolean;
}

export interface DescribedTable
  extends Required<Omit<WrittenTable, 'fields' | 'sort' | 'window' | 'access'>>,
    Pick<WrittenTable, 'window'> {
  readonly name: string;
  readonly fields: Readonly<Record<string, DescribedField>>;
  readonly sort: Sort;
  readonly access: readonly DescribedGrant[];
}

/** The field that is the key of every table. */
export const KEY = 'id';
