/**
 * How much memory and disk an instance needs:
 *
 *     node deploy/sizing.mjs --tasks 1000000 [--others 60000]     prints the limits to set
 *
 * `--others`: schedules, users, projects and audit records together. docs/operations.md says where the
 * figures come from, and how to measure them.
 */

import { pathToFileURL } from 'node:url';
import { parseArgs } from 'node:util';

const MIB = 2 ** 20;
const STEP = 64 * MIB;

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
  /** Default of SEARCH_MAX_BYTES: memory of the index for one table. */
  searchMax: 4 * 2 ** 30,
};

/** @returns bytes, rounded up to 64 MiB */
export function memoryFor({ tasks, others = 0 }, figures = FIGURES) {
  const { process, requests, room } = figures;
  const index = indexOf({ tasks, others }, figures);
  return Math.ceil((process + index + requests + room) / STEP) * STEP;
}

/** Disk of CHECKPOINT_DIR: the file, and the one before it while it is written. @returns bytes, rounded up to 64 MiB */
export const diskFor = ({ tasks, others = 0 }, figures = FIGURES) =>
  Math.ceil((2 * indexOf({ tasks, others }, figures)) / STEP) * STEP;

/** What SEARCH_MAX_BYTES has to be, with a quarter to spare; undefined where its default is enough. */
export function searchMaxFor({ tasks }, { task, searchMax } = FIGURES) {
  const needed = 1.25 * tasks * task;
  return needed > searchMax ? `${Math.ceil(needed / 2 ** 30)}gb` : undefined;
}

const indexOf = ({ tasks, others }, { task, other, shown, rowsMemory }) =>
  tasks * task + others * other + Math.min(tasks * shown, rowsMemory);

if (import.meta.url === pathToFileURL(process.argv[1] ?? '').href) {
  const options = { tasks: { type: 'string' }, others: { type: 'string', default: '0' } };
  try {
    const { values } = parseArgs({ options });
    const [tasks, others] = [Number(values.tasks), Number(values.others)];
    if (!(tasks >= 0 && others >= 0))
      throw new RangeError('--tasks and --others take numbers of rows');
    const most = searchMaxFor({ tasks });
    const lines = [
      `memory ${memoryFor({ tasks, others }) / MIB}Mi`,
      `disk of CHECKPOINT_DIR ${diskFor({ tasks, others }) / MIB}Mi`,
      ...(most ? [`SEARCH_MAX_BYTES=${most}`] : []),
    ];
    process.stdout.write(`${lines.join('\n')}\n`);
  } catch (error) {
    process.stderr.write(`${error.message}\n`);
    process.stderr.write('usage: node deploy/sizing.mjs --tasks <rows> [--others <rows>]\n');
    process.exitCode = 2;
  }
}
