/** A start from a checkpoint as lines of the report. */
import type { RestartResult } from '../restart/main.ts';
import { atMost, forComparison, times } from './bars.ts';
import type { ReportRow } from './report.ts';

const MB = 2 ** 20;
/** From the start of the process to a live index, milliseconds: up to a million tasks, and above. */
const LIVE = 2_000;
const LIVE_MANY = 10_000;

const seconds = (ms: number) => `${(ms / 1_000).toFixed(1)} s`;
const megabytes = (bytes: number) => `${(bytes / MB).toFixed(0)} MB`;

export function restartRows(result: RestartResult, tasks: number): ReportRow[] {
  const { firstMs, againMs, writtenMs, endMs, fileBytes, firstPeak, againPeak } = result;
  const peaks = `${megabytes(againPeak)} and ${megabytes(firstPeak)}`;
  return [
    atMost(
      'start to live from a checkpoint',
      againMs,
      tasks > 1_000_000 ? LIVE_MANY : LIVE,
      seconds,
    ),
    atMost('answers that a start from a checkpoint changed', result.differing, 0, String),
    forComparison(
      'start to live by a first load, and how many times as long',
      `${seconds(firstMs)}, ${times(firstMs / againMs)}`,
    ),
    forComparison('peak memory of a start from a checkpoint and of a first load', peaks),
    forComparison(
      `a checkpoint of ${megabytes(fileBytes)}: from live to the file, and at an orderly end`,
      `${seconds(writtenMs)} and ${seconds(endMs)}`,
    ),
  ];
}
