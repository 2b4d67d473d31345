/**
 * Where the bytes of a row go: tasks are put into one index, and each block of its memory is counted
 * for the structure that took it.
 *
 *     npx tsx bench/memory/main.ts --rows 1000000
 *
 * The index is that of bench/explores: 16 columns, 4 orders, no rests. Blocks are told apart by the
 * stack of the call that takes them, so the product has no part in this.
 */
import { parseArgs } from 'node:util';
import { standardFold } from '../../src/textindex/caseFold.ts';
import { createIndex } from '../../src/textindex/index.ts';
import { Memory } from '../../src/textindex/storage/memory.ts';
import { TASKS, tasks, world } from '../../test/worlds/tasks.ts';
import { fill } from '../filled.ts';

const { values: options } = parseArgs({
  options: { rows: { type: 'string', default: '1000000' } },
});
const rows = Number(options.rows);

/** The first that a frame of the stack names is the owner. */
const OWNERS: readonly (readonly [frame: RegExp, part: string])[] = [
  [/UuidSegment\.open/, 'unique ids: their bytes and bitmaps'],
  [/UuidSegment|Uuids/, 'unique ids: lists'],
  [/RankIndex/, 'orders: ranks'],
  [/Zones/, 'zones of dates'],
  [/RowKeys|Ids\.set/, 'orders: keys'],
  [/Order\.|LateRows/, 'orders: places'],
  [/Infix/, 'infixes'],
  [/Signatures/, 'signatures of texts'],
  [/Ngram/, 'n-grams'],
  [/Postings.*#toBitmap|Bitmap.*Postings/, 'dictionaries: bitmaps of rows'],
  [/Postings/, 'dictionaries: lists of rows'],
  [/Ordinals/, 'dictionaries: ordinals'],
  [/ElementLists/, 'dictionaries: arrays'],
  [/Texts/, 'dictionaries: texts'],
  [/Values/, 'dictionaries: values'],
  [/Scratch/, 'temporary memory'],
];

interface Block {
  readonly part: string;
  readonly bytes: number;
}
const blocks = new Map<number, Block>();
const { alloc, free } = Memory.prototype;
Error.stackTraceLimit = 12;
Memory.prototype.alloc = function counted(bytes) {
  const block = alloc.call(this, bytes);
  const stack = new Error().stack!;
  const [, part = 'other'] = OWNERS.find(([frame]) => frame.test(stack)) ?? [];
  blocks.set(block, { part, bytes });
  return block;
};
Memory.prototype.free = function counted(block, bytes) {
  blocks.delete(block);
  free.call(this, block, bytes);
};

const from = world(7);
const table = createIndex(TASKS, { fold: standardFold(), expectedRows: rows });
fill(table, tasks(rows, 7, from), from);

const parts = new Map<string, number>();
for (const { part, bytes } of blocks.values()) parts.set(part, (parts.get(part) ?? 0) + bytes);
const sum = [...parts.values()].reduce((all, bytes) => all + bytes, 0);
const print = (part: string, bytes: number) =>
  console.log(`${part.padEnd(40)} ${(bytes / rows).toFixed(1).padStart(7)}`);
console.log(`${rows} tasks, bytes a row`);
for (const [part, bytes] of [...parts].sort(([, a], [, b]) => b - a)) print(part, bytes);
print('rounded up, free, or kept for growth', table.bytes - sum);
print('all', table.bytes);
