/** Tasks for the soak: the fields and sizes of real ones, from a seed. */
import type { Collection, Document } from 'mongodb';

const TYPES = ['system_backup', 'generate_data', 'anonymize_data', 'import_schema', 'send_report'];
const STATUSES = ['PENDING', 'STARTED', 'SUCCESS', 'FAILURE', 'REVOKED'];

export function taskAt(id: number, random: () => number): Document {
  const pick = <T>(from: readonly T[]): T => from[Math.floor(random() * from.length)]!;
  const hex = (digits: number) =>
    Math.floor(random() * 16 ** digits)
      .toString(16)
      .padStart(digits, '0');
  const uuid = (part: string) => `${part}-${hex(4)}-4${hex(3)}-a${hex(3)}-${hex(6)}${hex(6)}`;
  const type = pick(TYPES);
  const status = pick(STATUSES);
  const queued = 1_700_000_000_000 + Math.floor(random() * 3e10);
  const project = Math.floor(2_000 * random() ** 3)
    .toString(16)
    .padStart(8, '0');
  return {
    _id: id,
    task_id: uuid(hex(8)),
    scope: 'project',
    project_id: `${project}-0000-4000-a000-000000000000`,
    folder: `/data/${project}`,
    user_email: `user${Math.floor(10_000 * random())}@example.com`,
    args: { rows: 1_000, format: 'csv', target: 's3' },
    status,
    datamimic_status: null,
    date_queued: new Date(queued),
    date_started: new Date(queued + 5_000),
    date_done: status === 'SUCCESS' ? new Date(queued + 60_000) : null,
    eta: null,
    exception_type: status === 'FAILURE' ? 'ValueError' : null,
    traceback: status === 'FAILURE' ? 'Traceback (most recent call last):\n'.repeat(8) : null,
    worker: `worker-${Math.floor(random() * 20)}`,
    retries: 0,
    preserve: false,
    name: `service.tasks.${type}`,
    routing_key: `service.${type}`,
    task_type: type,
    artifacts: [],
    snapshot_file_id: null,
  };
}

export async function insertTasks(
  collection: Collection<Document>,
  count: number,
  random: () => number,
): Promise<void> {
  for (let from = 0; from < count; from += 5_000) {
    const length = Math.min(5_000, count - from);
    const documents = Array.from({ length }, (_, i) => taskAt(from + i, random));
    await collection.insertMany(documents, { ordered: false });
  }
}
