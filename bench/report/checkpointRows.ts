/** A checkpoint that is written while tasks change, as lines of the report. */
import type { CheckpointResult } from '../checkpoint/main.ts';
import { atMost, forComparison, ms, times } from './bars.ts';
import type { ReportRow } from './report.ts';

const GB = 2 ** 30;
/** How long the event loop may be held, milliseconds, p99.9. */
const HELD = 20;
/** Times the p99 of searches while none is written. */
const SLOWED = 1.5;
/** Bytes written from the live index on, in ten minutes or less: a second file is not due by then. */
const WRITTEN = GB;

const gigabytes = (bytes: number) => `${(bytes / GB).toFixed(2)} GB`;

export function checkpointRows(result: CheckpointResult): ReportRow[] {
  const { maintaining, writing, after, fileBytes, diskBytes, seconds } = result;
  const writtenS = (result.writtenMs - result.begunMs) / 1_000;
  const slowed = writing.p99 / after.p99;
  return [
    atMost(
      'pages that differ after changes while a checkpoint is written',
      result.differing,
      0,
      String,
    ),
    atMost('event loop held while a checkpoint is written, p99.9', writing.heldP999, HELD, ms),
    atMost('searches while a checkpoint is written, p99 against none', slowed, SLOWED, times),
    atMost(
      `bytes to the disk in the first ${seconds} s of 200 changes a second`,
      diskBytes,
      WRITTEN,
      gigabytes,
    ),
    forComparison(
      'a checkpoint under changes: its size, and how long it is written',
      `${gigabytes(fileBytes)}, ${writtenS.toFixed(1)} s`,
    ),
    forComparison(
      `${(result.begunMs / 1_000).toFixed(1)} s of maintenance before it: event loop held, p99.9; searches, p99`,
      `${ms(maintaining.heldP999)}; ${ms(maintaining.p99)}`,
    ),
    forComparison(
      'event loop held without one, p99.9; searches without one and with one, p99',
      `${ms(after.heldP999)}; ${ms(after.p99)}, ${ms(writing.p99)}`,
    ),
  ];
}
