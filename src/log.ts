/**
 * The log: one JSON object a line on stdout (readable lines on a terminal), and nothing in it that must
 * stay inside.
 *
 * ```
 * fields ─▶ pino (levels, redaction, errors) ─▶ escape ─▶ one line
 * ```
 *
 * JSON escapes line ends and ESC by itself. DEL, the C1 controls (U+009B starts an ANSI sequence),
 * U+2028/2029 and the marks that turn the direction of text can still break a line or steer a terminal.
 * This module escapes them, so that a line is one line for every reader.
 */
import { type DestinationStream, type LevelWithSilent, type Logger, pino } from 'pino';
import { oneLine } from './oneLine.ts';
import { readableLine } from './readableLog.ts';

/** The log of the whole service. Its parts see no more of it than `Logger` in logger.ts. */
export type Log = Logger;

/** Members that hold credentials wherever they turn up, one level down included. */
const SECRETS = ['authorization', 'cookie', 'password', 'secret', 'token', 'task_args'];

/** A log with an end, which comes just before the end of the process. */
export interface ServiceLog {
  readonly log: Log;
  readonly end: () => Promise<void>;
}

/** Lines that wait for a reader who is slow; more are dropped, bytes. */
const MAX_UNWRITTEN = 8 * 2 ** 20;

/** How long the end of the process waits for a reader who has stopped reading, milliseconds. */
const LAST_LINES_MS = 500;

/** Lines for `out`, which ends on this stream: readable on a terminal, JSON elsewhere. */
export function formatted(
  out: DestinationStream,
  { isTTY }: { readonly isTTY?: boolean } = process.stdout,
): DestinationStream {
  if (isTTY !== true) return out;
  const coloured = !process.env.NO_COLOR && process.env.TERM !== 'dumb';
  return { write: (line) => void out.write(readableLine(line, coloured)) };
}

/**
 * The log on stdout. The service does not wait for its lines. `end` takes no line any more and waits
 * until those before are written: a full pipe is tried for half a second. Lines without a reader are
 * lost, and change nothing else: neither the work of the service nor its end.
 *
 * `end` is asynchronous, since a thread may have a line in hand: later lines that were written
 * synchronously would overtake it, or stand in the middle of it.
 */
export function stdoutLog(level: LevelWithSilent): ServiceLog {
  // Opens it as a stream: then writes to a full pipe fail at once, where they would hold a thread that
  // the end of the process waits for.
  void process.stdout.writable;
  let endedAt: number | undefined;
  const out = pino.destination({
    fd: 1,
    sync: false,
    // With a minimum of 0 bytes the destination would not wait for its lines when it is flushed.
    minLength: 1,
    maxLength: MAX_UNWRITTEN,
    // Only a full pipe ends the wait: a process that is given no time must not lose its last lines.
    retryEAGAIN: () => endedAt === undefined || performance.now() - endedAt < LAST_LINES_MS,
  });
  out.on('error', () => {});
  const lines = formatted({ write: (line) => endedAt !== undefined || out.write(line) });
  const end = async () => {
    endedAt = performance.now();
    await new Promise<void>((done) => {
      out.flush(() => done());
    });
    // Lines left over have no reader: the destination would try again when the process exits.
    out.flushSync = () => {};
  };
  return { log: createLog(level, lines), end };
}

/** A log whose finished lines go to `out`. */
export function createLog(level: LevelWithSilent, out: DestinationStream): Log {
  return pino(
    {
      level,
      base: null,
      timestamp: pino.stdTimeFunctions.isoTime,
      formatters: { level: (label) => ({ level: label }) },
      redact: { paths: SECRETS.flatMap((name) => [name, `*.${name}`]), censor: '[redacted]' },
      serializers: { err: (error: unknown) => describeError(error) },
    },
    { write: (line) => void out.write(oneLine(line, '\n')) },
  );
}

interface DescribedError {
  readonly type: string;
  readonly message: string;
  /** Members that are undefined are left out of the line. */
  readonly code?: string | number | undefined;
  readonly stack?: string | undefined;
  readonly cause?: DescribedError | undefined;
}

/** A denied change stream, which is no other aggregation. */
const STREAM = '$1 aggregate with $$changeStream';

/**
 * An error as the log shows it: a chosen few members, since drivers hang whole documents and
 * connections on their errors. Passwords in addresses and bearer tokens are blotted out.
 */
function describeError(error: unknown, depth = 0): DescribedError {
  if (!(error instanceof Error)) return { type: typeof error, message: blot(String(error)) };
  const { code } = error as { code?: unknown };
  // The store repeats a command that it denies, and with it the texts that callers search for: its name and its
  // collection come first.
  const message = error.message
    .replace(/( to execute command) \{ *aggregate: 1, pipeline: \[ *\{ *\$changeStream:.*/s, STREAM)
    .replace(/( to execute command) \{ *(\w+): ("[^"\\]*"|\d+(?:\.\d+)?),.*/s, '$1 $2: $3')
    .replace(/( to execute command) \{.*/s, '$1');
  return {
    type: error.name,
    message: blot(message),
    code: typeof code === 'string' || typeof code === 'number' ? code : undefined,
    stack: error.stack && blot(error.stack.replace(error.message, () => message)),
    cause: error.cause && depth < 4 ? describeError(error.cause, depth + 1) : undefined,
  };
}

/**
 * A text with the dots of a token, from its start. A pattern for the token itself would search to the
 * text's end from each `-eyJ`.
 */
const DOTTED = /(?<![\w.-])[\w-]+(?:\.[\w-]*){2,}/g;
const TOKEN = /\beyJ.*/;

function blot(text: string): string {
  return text
    .slice(0, 8_192)
    .replace(/\/\/[^/@\s]*@/g, '//[redacted]@')
    .replace(DOTTED, (run) => run.replace(TOKEN, '[redacted]'));
}
