/**
 * The trace of one request as plain data: noted while the request runs, exported when it has ended.
 *
 *     request ─┬─ plan
 *              ├─ search ─── commands to the store
 *              └─ rows ───── commands to the store
 *
 * Without an exporter no request has a trace, and nothing is noted.
 */
import { AsyncLocalStorage } from 'node:async_hooks';
import type { Timing } from '../../tables/search/page.ts';

/** Times are those of `performance.now()`. */
interface Interval {
  readonly startMs: number;
  readonly endMs: number;
}

export interface Phase extends Interval {
  readonly name: 'plan' | 'search' | 'rows';
}

export interface StoreCommand {
  readonly name: string;
  readonly database: string;
  readonly collection: string | undefined;
  readonly startMs: number;
  /** Undefined while it is under way. */
  endMs?: number;
  failed?: boolean;
}

/** The most commands of one request in its trace; an export has thousands. */
const MAX_COMMANDS = 100;

export class RequestTrace {
  readonly startMs = performance.now();
  /** The `traceparent` that came with it, as it came. */
  readonly parent: string | undefined;
  readonly phases: Phase[] = [];
  readonly commands: StoreCommand[] = [];
  /** Commands that are not told. */
  untold = 0;

  constructor(parent: string | undefined) {
    this.parent = parent;
  }

  /** Rows were found and read. `plannedMs`: when planning began, by the clock of moments; `planMs`: how long it took. */
  searched(plannedMs: number, planMs: number, { startedMs, searchMs, rowsMs }: Timing): void {
    const found = startedMs + searchMs;
    this.phases.push(
      { name: 'plan', startMs: plannedMs, endMs: plannedMs + planMs },
      { name: 'search', startMs: startedMs, endMs: found },
      { name: 'rows', startMs: found, endMs: found + rowsMs },
    );
  }

  /** Notes a command that begins; undefined once the trace has enough of them. */
  command(name: string, database: string, collection?: string): StoreCommand | undefined {
    if (this.commands.length >= MAX_COMMANDS) {
      this.untold += 1;
      return undefined;
    }
    const command = { name, database, collection, startMs: performance.now() };
    this.commands.push(command);
    return command;
  }
}

/** How a request ended. */
export interface RequestEnd {
  readonly requestId: string;
  readonly method: string;
  /** Its pattern; undefined where no route was found. */
  readonly route: string | undefined;
  readonly status: number;
  readonly userId: string | undefined;
  readonly search: { readonly view: string; readonly route: string } | undefined;
}

/** Where traces go. */
export interface Traces {
  /** Takes an ended trace; never throws, and waits for nothing. */
  take(trace: RequestTrace, end: RequestEnd): void;
  /** Sends the remaining spans. */
  close(): Promise<void>;
}

const current = new AsyncLocalStorage<RequestTrace>();

/** Runs the work as part of this trace. */
export const tracedBy = <T>(trace: RequestTrace, work: () => T): T => current.run(trace, work);

/** The trace of the work that is running. */
export const currentTrace = (): RequestTrace | undefined => current.getStore();
