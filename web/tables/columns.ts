/** The title, kind of value and default width of a column; and columns that several tables have. */

/** A record, whichever table it is of. */
export type Row = Readonly<Record<string, unknown>>;

export type Look =
  | 'status'
  | 'text'
  | 'id'
  | 'code'
  | 'number'
  | 'date'
  | 'seconds'
  | 'flag'
  | 'exception'
  | 'people'
  | 'list'
  | 'type'
  | 'json'
  | 'truth'
  | 'bytes'
  | 'money'
  | 'link';

/** Pixels within which somebody can set a column's width. */
export const MIN_WIDTH = 56;
export const MAX_WIDTH = 1_000;

export interface ColumnLook {
  readonly title: string;
  readonly look: Look;
  /** Pixels. */
  readonly width: number;
  /** The currency of money, or the address of a link with `{value}` in it. */
  readonly detail?: string;
  /** The field whose name for people it shows: the column filters by that field. */
  readonly of?: string;
  /** Whether its values are yes and no: elsewhere they are shown as they are stored. */
  readonly isTruth?: true;
  /** Names for people, by value: the values of a closed list. */
  readonly words?: Readonly<Record<string, string>>;
}

export const column = (title: string, look: Look, width: number): ColumnLook => ({
  title,
  look,
  width,
});

/** Room for a moment, which is longer than any age: `2026-11-20 14:03:22`. */
export const date = (title: string) => column(title, 'date', 168);

/** Room for the longest age: a moment takes half as much again. Pixels. */
const AGE_WIDTH = 118;

/** The width of a column that nobody has set, pixels. */
export const firstWidth = ({ look, width }: ColumnLook, times: 'relative' | 'absolute') =>
  look === 'date' && times === 'relative' ? Math.min(AGE_WIDTH, width) : width;

export const PROJECT: ColumnLook = { ...column('Project', 'text', 160), of: 'project_id' };
export const PROJECT_ID = column('Project ID', 'id', 300);
export const PERSON = column('User', 'text', 160);
export const SCOPE = column('Scope', 'text', 120);
export const FOLDER = column('Folder', 'text', 150);
