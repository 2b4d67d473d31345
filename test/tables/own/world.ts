/** The worlds of random tests of own tables: tables of a file, contents of their collections, questions. */
import type { Document } from 'mongodb';
import type { FieldType } from '../../../src/tables/definition/definition.ts';
import type { FileUse } from '../../../src/tables/file/types.ts';

/** A stored field of a file. */
export interface Stored {
  readonly name: string;
  readonly path: string;
  readonly type: FieldType;
  readonly several: boolean;
}

export type Field = Stored & { readonly uses: readonly FileUse[] };

export interface Question {
  readonly body: Document;
  /** The place of the caller's grant. */
  readonly grant: number;
}

/** A table of a file, as a file has it. */
export interface Written {
  readonly collection: 'things' | 'others';
  readonly fields: Readonly<Record<string, Document>>;
  readonly text: readonly string[];
  readonly sort: string;
  readonly window?: { readonly field: string; readonly span: string };
  /** All rows, then some. */
  readonly access: readonly { readonly roles: readonly string[]; readonly rows?: Document }[];
}

/** Documents by collection. */
export type Contents = Readonly<Record<'things' | 'others', readonly Document[]>>;

export interface World {
  readonly tables: Readonly<Record<'things' | 'others', Written>>;
  /** The claims of the caller's token. */
  readonly claims: Document;
  /** Contents of the collections, one after the other. */
  readonly contents: readonly Contents[];
  readonly questions: readonly Question[];
}
