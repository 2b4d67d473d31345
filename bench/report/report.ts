/** The report of a run of the bench: the machine, the measurements, and the table made of them. */
import type { BuildResult } from '../build/main.ts';
import type { CheckpointResult } from '../checkpoint/main.ts';
import type { ExploresResult } from '../explores/main.ts';
import type { ExportResult } from '../export/main.ts';
import type { HttpResult } from '../http/main.ts';
import type { LiveResult } from '../live/main.ts';
import type { LoadResult } from '../load/main.ts';
import type { Machine } from '../machine.ts';
import type { OpenResult } from '../open/main.ts';
import type { OwnResult } from '../own/main.ts';
import type { RestartResult } from '../restart/main.ts';
import type { ScaleResult } from '../scale/main.ts';
import type { SearchesResult } from '../searches/main.ts';
import type { ControlResult } from '../writes/control/main.ts';
import type { WritesResult } from '../writes/main.ts';

/** The parts that were run. */
export interface Measured {
  readonly searches?: SearchesResult;
  readonly explores?: ExploresResult;
  readonly export?: ExportResult;
  readonly build?: BuildResult;
  /** With the index, with it but without rows in memory, and without it. */
  readonly load?: LoadResult;
  readonly rowless?: LoadResult;
  readonly without?: LoadResult;
  /** From a checkpoint. */
  readonly restart?: RestartResult;
  readonly http?: HttpResult;
  readonly writes?: Paces<WritesResult>;
  /** The figures of a process without the service, under the same writes. */
  readonly control?: Paces<ControlResult>;
  readonly live?: LiveResult;
  readonly own?: OwnResult;
  readonly open?: OpenResult;
  readonly checkpoint?: CheckpointResult;
  readonly scale?: ScaleResult;
}

/** Asked for at the same documents a second: several changed by each write, and one by each. */
export interface Paces<R> {
  readonly grouped: R;
  readonly single: R;
}

/** One line of the table. */
export interface ReportRow {
  readonly measure: string;
  readonly value: string;
  readonly bar: string;
  readonly reached: boolean;
}

export interface Report {
  readonly date: string;
  readonly tasks: number;
  readonly machine: Machine;
  /** Processes that wanted a core, at the start and the end: above `cores`, times are too long. */
  readonly loadAverage: readonly [start: number, end: number];
  readonly rows: readonly ReportRow[];
  readonly measured: Measured;
}
