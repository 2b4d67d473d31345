/** A definition as it is drafted from documents: the contents of the file, with reasons. */
import type { FieldType } from '../definition/definition.ts';
import type { FieldMembers } from '../file/written.ts';
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

export interface DraftTable {
  readonly name: string;
  readonly collection: string;
  readonly title: string;
  readonly fields: readonly DraftField[];
  readonly text: readonly string[];
  readonly facets: readonly string[];
  readonly sort: string;
  readonly columns: readonly string[];
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
