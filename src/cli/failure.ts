/**
 * How a command ends: its exit code, and one line for the person at the terminal, never a stack.
 *
 * A defect has no sentence of its own: its message is shown, and with TABLE_SEARCH_DEBUG=1 its stack.
 */
import { ApiError, ConnectionError, CutStreamError } from 'table-search/client';

/** Exit codes; docs/cli.md lists them for those who write scripts. */
export const EXIT = {
  done: 0,
  /** It did not work, for a reason that none of the others is. */
  failed: 1,
  /** The command line, or what it asks for, cannot be understood: mend it. */
  usage: 2,
  /** Who asks is not known, or may not. */
  refused: 3,
  /** What was asked for is not there. */
  missing: 4,
  /** No whole answer came: unreachable, busy, or cut. The same may work later. */
  unavailable: 5,
  /** Ctrl-C. */
  interrupted: 130,
} as const;

export type ExitCode = (typeof EXIT)[keyof typeof EXIT];

/** A failure that has its sentence. */
export class CliError extends Error {
  readonly code: ExitCode;

  constructor(message: string, code: ExitCode = EXIT.failed) {
    super(message);
    this.code = code;
  }
}

export interface Ending {
  readonly code: ExitCode;
  /** One line, or more where the message itself has them. */
  readonly sentence: string;
}

const BY_STATUS: Readonly<Record<number, ExitCode>> = {
  400: EXIT.usage,
  401: EXIT.refused,
  403: EXIT.refused,
  404: EXIT.missing,
  422: EXIT.usage,
  429: EXIT.unavailable,
};

/** What is to be said of an error, and the code to end with. */
export function endingOf(error: unknown): Ending {
  if (error instanceof CliError) return { code: error.code, sentence: error.message };
  if (error instanceof ApiError) {
    const code = BY_STATUS[error.status] ?? (error.status >= 500 ? EXIT.unavailable : EXIT.failed);
    return { code, sentence: refusal(error) };
  }
  if (error instanceof CutStreamError) return { code: EXIT.unavailable, sentence: error.message };
  if (error instanceof ConnectionError) {
    return { code: EXIT.unavailable, sentence: `${error.message} ${NOT_THERE}` };
  }
  const message = error instanceof Error ? error.message : String(error);
  return { code: EXIT.failed, sentence: message };
}

const NOT_THERE = 'Is the service running there? --url or TABLE_SEARCH_URL say where it is.';

/** Which advice a refusal wants besides its own. */
const ADVICE: Readonly<Record<string, string>> = {
  Unauthenticated:
    'Give a token by --token or TABLE_SEARCH_TOKEN; for a demo, `table-search token --user 1 --admin` prints one.',
  Forbidden: 'Members search in their projects: --project <id>.',
};

function refusal({ message, code, problems, requestId, status }: ApiError): string {
  const places = problems.map(({ pointer, detail }) => `${pointer || '/'}: ${detail}`);
  const said = [message, ...places].join(' ');
  const advice = ADVICE[code];
  const id = status >= 500 && requestId !== undefined ? `(request ${requestId})` : undefined;
  return [said, advice, id].filter((part) => part !== undefined).join(' ');
}
