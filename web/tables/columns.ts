/** The title, kind of value and default width of each column. */
import type { BuiltIn } from '../state/view.ts';

export type Look =
  | 'status'
  | 'text'
  | 'id'
  | 'code'
  | 'number'
  | 'date'
  | 'seconds'
  | 'flag'
  | 'switch'
  | 'exception'
  | 'people'
  | 'list'
  | 'type'
  | 'json'
  | 'truth'
  | 'bytes'
  | 'money'
  | 'link';

export interface ColumnLook {
  readonly title: string;
  readonly look: Look;
  /** Pixels. */
  readonly width: number;
  /** The currency of money, or the address of a link with `{value}` in it. */
  readonly detail?: string;
}

const column = (title: string, look: Look, width: number): ColumnLook => ({ title, look, width });

/** Room for a moment, which is longer than any age: `2026-11-20 14:03:22`. */
const date = (title: string) => column(title, 'date', 168);

const PROJECT = column('Project', 'text', 200);
const PERSON = column('User', 'text', 220);
const SCOPE = column('Scope', 'text', 120);
const FOLDER = column('Folder', 'text', 150);

export const COLUMNS: Readonly<Record<BuiltIn, Readonly<Record<string, ColumnLook>>>> = {
  tasks: {
    status: column('Status', 'status', 146),
    routing_key: column('Type', 'text', 150),
    project_name: PROJECT,
    user_email: PERSON,
    worker: column('Worker', 'text', 180),
    date_queued: date('Queued'),
    date_started: date('Started'),
    date_done: date('Done'),
    eta: date('Scheduled for'),
    execution_time: column('Duration', 'seconds', 96),
    exception_type: column('Exception', 'exception', 160),
    task_id: column('Task ID', 'id', 300),
    project_id: column('Project ID', 'id', 300),
    id: column('Number', 'number', 90),
    folder: FOLDER,
    scope: SCOPE,
    name: column('Task name', 'code', 220),
    task_type: column('Task type', 'code', 150),
    datamimic_status: column('Reported status', 'text', 130),
    retries: column('Retries', 'number', 120),
    preserve: column('Preserved', 'flag', 112),
    args: column('Arguments', 'json', 220),
    traceback: column('Traceback', 'json', 220),
    artifacts: column('Artifacts', 'json', 160),
  },
  schedules: {
    enabled: column('Enabled', 'switch', 92),
    task_type: column('Type', 'type', 160),
    project_name: PROJECT,
    user_email: PERSON,
    crontab: column('Crontab', 'code', 130),
    date_last_run_at: date('Last run'),
    total_run_count: column('Total runs', 'number', 110),
    folder: FOLDER,
    schedule_id: column('Schedule ID', 'id', 300),
    project_id: column('Project ID', 'id', 300),
    task_name: column('Task name', 'code', 220),
    task_args: column('Arguments', 'json', 220),
    scope: SCOPE,
  },
  projects: {
    name: column('Name', 'text', 300),
    type: column('Type', 'text', 120),
    users: column('Members', 'people', 380),
    identifier: column('Project ID', 'id', 300),
    config: column('Configuration', 'json', 260),
    id: column('Number', 'number', 90),
  },
  users: {
    id: column('ID', 'number', 84),
    email: column('Email', 'text', 280),
    first_name: column('First name', 'text', 150),
    last_name: column('Last name', 'text', 180),
    language: column('Language', 'text', 100),
    active: column('Active', 'switch', 92),
    auth_groups: column('Groups', 'list', 220),
    preferences: column('Preferences', 'json', 220),
    tc_creation: date('Created'),
    tc_update: date('Updated'),
  },
  audit: {
    at: column('Time', 'date', 176),
    action: column('Action', 'code', 160),
    actor: column('Actor', 'text', 150),
    target_type: column('Target type', 'text', 110),
    target_id: column('Target ID', 'id', 300),
    request_id: column('Request ID', 'id', 300),
    id: column('Event ID', 'id', 300),
    before: column('Before', 'json', 220),
    after: column('After', 'json', 220),
  },
};
