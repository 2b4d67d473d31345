/** A definition file as it is written: the data that fits the schema. */
import type { FieldType } from '../definition/definition.ts';
import type { FileUse, Look } from './types.ts';

export interface WrittenTable {
  readonly collection: string;
  readonly title?: string;
  readonly fields: Readonly<Record<string, WrittenField>>;
  readonly text?: readonly string[];
  readonly facets?: readonly string[];
  readonly sort?: string;
  readonly columns?: readonly string[];
  readonly window?: WrittenWindow;
  readonly access?: readonly WrittenGrant[];
}

/** Only rows whose date is not older than the span are in the table. */
export interface WrittenWindow {
  /** A date field. */
  readonly field: string;
  /** Such as `90d`. */
  readonly span: string;
}

export type WrittenType = FieldType | readonly [FieldType];

export type WrittenField = WrittenType | FieldMembers;

/** Exactly one of `type`, `label` and `seconds` is there. */
export interface FieldMembers {
  readonly type?: WrittenType;
  readonly path?: string;
  readonly values?: ValuesHint;
  readonly use?: readonly FileUse[];
  readonly label?: string;
  readonly of?: string;
  readonly through?: string;
  readonly key?: string;
  readonly seconds?: readonly [string, string];
  readonly title?: string;
  readonly look?: Look;
}

export type ValuesHint = 'few' | 'many' | 'unique';

type Scalar = string | number | boolean;

export type WrittenRows = Scalar | readonly Scalar[] | { readonly claim: string };

export interface WrittenGrant {
  readonly roles: readonly string[];
  readonly rows?: Readonly<Record<string, WrittenRows>>;
  readonly hide?: readonly string[];
  readonly document?: boolean;
}
