/**
 * How much memory an instance needs:
 *
 *     node deploy/sizing.mjs --tasks 1000000 [--others 60000]     prints the limit to set, in MiB
 *
 * `--others`: schedules, users, projects and audit records together. docs/operations.md says where the
 * figures come from, and how to measure them.
 */

import { pathToFileURL } from 'node:url';
import { parseArgs } from 'node:util';

const MIB = 2 ** 20;

/** Of memory, in bytes. */
export const FIGURES = {
  /** A process that has answered for a while, with every table empty. */
  process: 170 * MIB,
  /** Of the index, for each task. */
  task: 300,
  /** Of what records show besides, for each task, up to ROWS_MEMORY_BYTES: an estimate. */
  shown: 110,
  /** Of the index, for each row of the other tables. */
  other: 400,
  /** Settings, each at its default: what they let callers make the service hold. */
  rowsMemory: 256 * MIB,
  requests: 128 * MIB,
  /** Loading a table anew beside the one that answers, exports, compiled code, what is watched, what waits to be collected. */
  room: 128 * MIB,
};

/** @returns bytes, rounded up to 64 MiB */
export function memoryFor({ tasks, others = 0 }, figures = FIGURES) {
  const { process, task, shown, rowsMemory, other, requests, room } = figures;
  const index = tasks * task + others * other + Math.min(tasks * shown, rowsMemory);
  const step = 64 * MIB;
  return Math.ceil((process + index + requests + room) / step) * step;
}

if (import.meta.url === pathToFileURL(process.argv[1] ?? '').href) {
  const { values } = parseArgs({
    options: { tasks: { type: 'string' }, others: { type: 'string', default: '0' } },
  });
  const [tasks, others] = [Number(values.tasks), Number(values.others)];
  if (!(tasks >= 0 && others >= 0)) {
    process.stderr.write('usage: node deploy/sizing.mjs --tasks <rows> [--others <rows>]\n');
    process.exitCode = 2;
  } else {
    process.stdout.write(`${memoryFor({ tasks, others }) / MIB}Mi\n`);
  }
}
