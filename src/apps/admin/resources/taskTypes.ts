/**
 * The catalogue of task types, each with its stored value, its full task name, the label for people
 * and the canonical routing key.
 *
 * It is data. Names and keys derive from the value and a prefix; both the list and the prefix can be
 * replaced by configuration (`TASK_TYPES_FILE`, `TASK_PREFIX`).
 */
import { LabelSet, type ValueLabels } from '../../../tables/definition/valueLabels.ts';
import type { Scope } from './scope.ts';

/** One entry as written in the catalogue. */
export interface TaskTypeEntry {
  /** Stored in `task_type`, such as `system_backup`. */
  readonly value: string;
  /** The name for people, such as `System backup`. */
  readonly label: string;
  /** The scopes such tasks run in. */
  readonly scopes: readonly Scope[];
}

/** An entry with its derived members. */
export interface TaskType extends TaskTypeEntry {
  /** `<prefix>.tasks.<value>` */
  readonly taskName: string;
  /** `<prefix>.<value>`, the canonical routing key. */
  readonly routingKey: string;
}

export const DEFAULT_TASK_PREFIX = 'service';

export const DEFAULT_TASK_TYPES: readonly TaskTypeEntry[] = [
  { value: 'system_backup', label: 'System backup', scopes: ['backup_infrastructure', 'system'] },
  {
    value: 'project_backup',
    label: 'Project backup',
    scopes: ['backup_infrastructure', 'project'],
  },
  {
    value: 'restore_backup',
    label: 'Restore backup',
    scopes: ['backup_infrastructure', 'project'],
  },
  { value: 'housekeeping', label: 'Housekeeping', scopes: ['system'] },
  { value: 'generate_data', label: 'Generate data', scopes: ['project'] },
  { value: 'anonymize_data', label: 'Anonymize data', scopes: ['project'] },
  { value: 'import_schema', label: 'Import schema', scopes: ['project'] },
  { value: 'export_snapshot', label: 'Export snapshot', scopes: ['project'] },
  { value: 'validate_model', label: 'Validate model', scopes: ['project'] },
  { value: 'send_report', label: 'Send report', scopes: ['project', 'system'] },
  { value: 'sync_ldap', label: 'Sync LDAP', scopes: ['system'] },
  { value: 'cleanup_artifacts', label: 'Clean up artifacts', scopes: ['system'] },
];

/** The sets of labels: of the values of `task_type`, and of routing keys. */
export const TYPES = 'task types';
export const ROUTING_KEYS = 'routing keys';

/** The catalogue in force. */
export type TaskCatalogue = ReturnType<typeof taskCatalogue>;

export function taskCatalogue(
  entries: readonly TaskTypeEntry[] = DEFAULT_TASK_TYPES,
  prefix: string = DEFAULT_TASK_PREFIX,
) {
  const types: readonly TaskType[] = entries.map((entry) =>
    Object.freeze({
      ...entry,
      taskName: `${prefix}.tasks.${entry.value}`,
      routingKey: `${prefix}.${entry.value}`,
    }),
  );
  const values = new Map(types.map((type) => [type.value, type]));
  const labels: ValueLabels = {
    [TYPES]: new LabelSet(
      types.map(({ value, label, taskName }) => ({ value, label, alias: taskName })),
    ),
    [ROUTING_KEYS]: new LabelSet(
      types.map(({ routingKey, label }) => ({ value: routingKey, label })),
    ),
  };
  return Object.freeze({
    types: Object.freeze(types),
    byValue: (value: unknown) => values.get(value as string),
    /** The labels of task types and routing keys, for searches and records. */
    labels,
  });
}
