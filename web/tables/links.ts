/** Links from a record to other tables: rows of the same project, user or type. */
import type { ViewValue } from '../../clients/typescript/viewAddress.ts';
import { quotedWord } from '../state/searchText.ts';
import { type Condition, initialView, type View } from '../state/view.ts';
import type { Row } from './columns.ts';
import type { RelatedLink } from './table.ts';

/** Rows with this value. */
export const is = (field: string, value: unknown): Condition => ({
  ...{ kind: 'values', field, not: false },
  values: [value as ViewValue],
});

export const rowOf = (table: string, key: unknown): View => ({
  ...initialView(table),
  open: String(key),
});

export const userView = (id: unknown): View => rowOf('users', id);

/** The project and the user that a task or schedule names. */
export function projectOrUser(row: Row, member: string): View | undefined {
  const value = row[member];
  if (value === null || value === undefined) return undefined;
  if (member === 'project_name' || member === 'project_id') {
    return row.project_id === null ? undefined : rowOf('projects', row.project_id);
  }
  if (member === 'user_email') return { ...initialView('users'), q: quotedWord(String(value)) };
  return undefined;
}

/**
 * Builds links to other tables: within the row's project, which members look into by its path, and
 * admins by a condition.
 */
export function linksWithin(project: unknown, admin: boolean) {
  const isOne = typeof project === 'string';
  return {
    inProject: admin && isOne ? [is('project_id', project)] : [],
    to: (title: string, table: string, ...conditions: readonly Condition[]): RelatedLink => ({
      title,
      to: { ...initialView(table), project: admin || !isOne ? null : project, conditions },
    }),
  };
}

/** The changes to one row. */
export const changesTo = (title: string, key: unknown): RelatedLink => ({
  title,
  to: { ...initialView('audit'), q: quotedWord(String(key)) },
});
