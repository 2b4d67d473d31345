/**
 * A synthetic table of tasks from a seed: the columns, the skew and the scripts of the real one.
 *
 *     2,000 projects (the largest with a tenth of all tasks), 10,000 people, 12 task types, unique
 *     UUIDs. Dates follow the ids loosely. One name in ten is not in Latin letters.
 */

import type { Cell, TableDefinition } from '../../src/textindex/api.ts';
import { randomFrom } from './random.ts';

const COUNTED = { equals: true, facet: true } as const;

export const TASKS: TableDefinition = {
  name: 'tasks',
  columns: [
    { name: 'task_id', expect: 'uuid', contains: true, equals: true },
    {
      name: 'project_id',
      expect: 'any',
      contains: true,
      equals: true,
      labels: ['project_name'],
      facet: true,
    },
    { name: 'user_email', expect: 'any', contains: true, ...COUNTED },
    { name: 'name', expect: 'any', contains: true, ...COUNTED },
    { name: 'routing_key', expect: 'any', contains: true, ...COUNTED },
    { name: 'task_type', expect: 'any', ...COUNTED },
    { name: 'scope', expect: 'any', ...COUNTED },
    { name: 'folder', expect: 'any', contains: true, ...COUNTED },
    { name: 'worker', expect: 'any', contains: true, ...COUNTED },
    { name: 'status', expect: 'any', contains: true, ...COUNTED },
    { name: 'exception_type', expect: 'any', contains: true, ...COUNTED },
    { name: 'date_queued', expect: 'date', sort: true, range: true },
    { name: 'date_started', expect: 'date', sort: true, range: true },
    { name: 'date_done', expect: 'date', sort: true, range: true },
    { name: 'preserve', expect: 'any', ...COUNTED },
    { name: 'retries', expect: 'number', range: true },
  ],
  together: [
    { column: 'task_id' },
    { column: 'project_id' },
    { column: 'project_id', label: 'project_name' },
    { column: 'user_email' },
    { column: 'name' },
    { column: 'routing_key' },
    { column: 'folder' },
    { column: 'worker' },
    { column: 'status' },
    { column: 'exception_type' },
  ],
};

const words = (text: string) => text.split(' ');
const FIRST = words(
  'anna ben clara david elena felix greta hugo irina jonas klara lukas maria noah olga paul quentin rosa sven tanja ulrich vera walter xenia yusuf zoe Иван Ольга Сергей Ελένη 明 さくら',
);
const LAST = words(
  'adler becker costa dimov eriksen fischer garcia huber ivanov jensen keller lopez mueller novak oliveira petrov quinn richter santos tanaka ueda vogel weber xu young zimmer Волков Παππάς 田中 Özdemir',
);
const HOSTS = words('example.com example.org example.net mail.example.com corp.example');
const ADJECTIVES = words(
  'amber bright calm deep early fast global hidden inner joint kind local modern northern open prime quiet rapid solid true urban vivid western young zonal северный großer 東',
);
const NOUNS = words(
  'archive bank bridge claims data engine finance garden harbor insurance journey kitchen ledger market network orders payments quality retail sales travel utility vault warehouse yard данные straße ΔΕΔΟΜΕΝΑ',
);
const CITIES = words('Berlin Hamburg Lisbon Oslo Paris Prague Rome Vienna Москва Αθήνα');
export const TYPES = words(
  'system_backup project_backup restore_backup housekeeping generate_data anonymize_data import_schema export_snapshot validate_model send_report sync_ldap cleanup_artifacts',
);
export const LABELS = words(
  'System_backup Project_backup Restore_backup Housekeeping Generate_data Anonymize_data Import_schema Export_snapshot Validate_model Send_report Sync_LDAP Clean_up_artifacts',
).map((label) => label.replaceAll('_', ' '));
const STATES = words('SUCCESS FAILURE STARTED PENDING REVOKED RETRY RECEIVED');
const ERRORS = words(
  'TimeoutError ValueError ConnectionResetError PermissionError KeyError MemoryError ValidationError IntegrityError',
);

const hex = (next: () => number, digits: number) =>
  Array.from({ length: digits }, () => Math.floor(next() * 16).toString(16)).join('');

function uuid(next: () => number): string {
  const variant = '89ab'[Math.floor(next() * 4)];
  return `${hex(next, 8)}-${hex(next, 4)}-4${hex(next, 3)}-${variant}${hex(next, 3)}-${hex(next, 12)}`;
}

/** How the values of a world differ from those that most stores have. */
export interface Shape {
  /** Distinct ones that tasks pick from. */
  readonly projects: number;
  readonly emails: number;
  readonly folders: number;
  readonly workers: number;
  /** Characters that each folder has at least. */
  readonly folderLength: number;
  /** The task ids that are no UUIDs: one in so many; none where 0. */
  readonly otherIds: number;
}

export const USUAL: Shape = {
  ...{ projects: 2_000, emails: 10_000, folders: 400, workers: 60 },
  ...{ folderLength: 0, otherIds: 0 },
};

/** The things that tasks point at. */
export interface World {
  readonly projects: readonly { readonly id: string; readonly name: string }[];
  readonly emails: readonly string[];
  readonly folders: readonly string[];
  readonly workers: readonly string[];
  readonly otherIds: number;
}

export function world(seed: number, shape: Shape = USUAL): World {
  const next = randomFrom(seed);
  const pick = (list: readonly string[]) => list[Math.floor(next() * list.length)]!;
  const projects = Array.from({ length: shape.projects }, (_, i) => ({
    id: uuid(next),
    name: `${pick(ADJECTIVES)} ${pick(NOUNS)} ${pick(CITIES)} ${i}`,
  }));
  const emails = Array.from(
    { length: shape.emails },
    (_, i) => `${pick(FIRST)}.${pick(LAST)}${i}@${pick(HOSTS)}`,
  );
  const folders = Array.from({ length: shape.folders }, (_, i) => {
    const path = `/${pick(NOUNS)}/${pick(ADJECTIVES)}/${2020 + (i % 6)}`;
    // As deep as there have to be many: beyond the usual ones each is another.
    let folder = i < USUAL.folders ? path : `${path}/run-${i.toString(36)}`;
    while (folder.length < shape.folderLength) folder += `/${pick(NOUNS)}-${pick(CITIES)}`;
    return folder;
  });
  const workers = Array.from(
    { length: shape.workers },
    (_, i) => `worker-${pick(CITIES)}-${i}@node${i % 12}`,
  );
  return { projects, emails, folders, workers, otherIds: shape.otherIds };
}

/** One task: its id and its cells, in the order of the definition. */
export interface Task {
  readonly id: number;
  readonly cells: readonly Cell[];
}

const START = Date.UTC(2024, 0, 1);

function taskId({ otherIds }: World, id: number, next: () => number): string {
  const told = uuid(next);
  return otherIds > 0 && id % otherIds === 0 ? `job-${id}-${told.slice(0, 8)}` : told;
}

/** Tasks 1 … count, the same for the same seed. */
export function* tasks(count: number, seed: number, from: World): Generator<Task> {
  const next = randomFrom(seed + 1);
  const pick = (list: readonly string[]) => list[Math.floor(next() * list.length)]!;
  for (let id = 1; id <= count; id++) {
    const type = Math.floor(next() ** 1.5 * TYPES.length);
    const scope = next() < 0.9 ? 'project' : next() < 0.6 ? 'system' : 'backup_infrastructure';
    const project = from.projects[Math.floor(next() ** 3 * from.projects.length)]!;
    const state = STATES[Math.floor(next() ** 3 * STATES.length)]!;
    const queued = START + id * 30_000 + Math.floor(next() * 600_000);
    const started = queued + Math.floor(next() ** 4 * 3_600_000);
    const done = started + Math.floor(next() ** 6 * 86_400_000);
    yield {
      id,
      cells: [
        taskId(from, id, next),
        scope === 'project' ? project.id : null,
        pick(from.emails),
        `service.tasks.${TYPES[type]}`,
        `service.${TYPES[type]}`,
        TYPES[type]!,
        scope,
        next() < 0.8 ? pick(from.folders) : null,
        next() < 0.9 ? pick(from.workers) : null,
        state,
        state === 'FAILURE' ? pick(ERRORS) : null,
        new Date(queued),
        state === 'PENDING' ? null : new Date(started),
        state === 'SUCCESS' || state === 'FAILURE' ? new Date(done) : null,
        id % 50 === 0,
        id % 20 === 0 ? 1 + (id % 3) : 0,
      ],
    };
  }
}
