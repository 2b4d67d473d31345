/** Views that were saved under a name. */
import type { SavedView as Kept } from '../../clients/typescript/index.ts';
import type { TableName } from './view.ts';

export interface SavedView {
  /** Undefined for one that this browser keeps. */
  readonly id: string | undefined;
  readonly table: TableName;
  readonly name: string;
  readonly description: string;
  /** Path and query. */
  readonly address: string;
  readonly visibility: Kept['visibility'];
  readonly projectId: string | null;
  readonly isDefault: boolean;
  readonly canChange: boolean;
}

/** The members of a view that somebody can change. */
export type ViewWish = Pick<
  SavedView,
  'name' | 'description' | 'visibility' | 'projectId' | 'isDefault'
>;
