/** A definition as it is drafted from documents: the contents of the file, with reasons. */
import type { FieldType } from '../definition/definition.ts';
import type { FieldMembers, WrittenTable } from '../file/written.ts';
import type { PathProfile } from './pathProfile.ts';

export interface DraftField {
  readonly name: string;
  readonly members: FieldMembers;
  /** A comment: shares of types, different values. */
  readonly remark: string;
  /** Undefined for derived fields. */
  readonly found?: FoundField;
}

/** The findings about a stored field. */
export interface FoundField {
  readonly profile: PathProfile;
  readonly type: FieldType;
  readonly several: boolean;
  /** Share of the documents that have it, null or not. */
  readonly share: number;
  /** Values in the whole collection, and how many of them differ: estimates. */
  readonly values: number;
  readonly distinct: number;
}

export interface DraftTable extends Required<Omit<WrittenTable, 'fields' | 'window' | 'access'>> {
  readonly name: string;
  /** Documents of its collection. */
  readonly count: number;
  readonly fields: readonly DraftField[];
  /** Sentences about the whole collection. */
  readonly remarks: readonly string[];
  /** Paths without a field, and why. */
  readonly leftOut: readonly LeftOut[];
}

/** Paths without a field, for one reason; no paths where the reason says all. */
export interface LeftOut {
  readonly paths: readonly string[];
  readonly why: string;
}
