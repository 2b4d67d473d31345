/** Where a schedule or task belongs: to one project, to the whole system, or to the backups. */
export const SCOPES = ['project', 'system', 'backup_infrastructure'] as const;
export type Scope = (typeof SCOPES)[number];
