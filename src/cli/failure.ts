/**
 * How a command ends: its exit code, and one line for the person at the terminal, never a stack.
 *
 * A defect has no sentence of its own: its message is shown, and with TABLE_SEARCH_DEBUG=1 its stack.
 */
import { ApiError, ConnectionError, CutStreamError } from 'table-search/client';
import { fileFault, knownFault } from '../errors.ts';

/** Exit codes, for scripts; docs/cli.md lists them. */
export const EXIT = {
  done: 0,
  /** Any failure without a code of its own. */
  failed: 1,
  /** The command line or its request is wrong; the same would fail again. */
  usage: 2,
  /** The token is missing, unknown or without the right. */
  refused: 3,
  /** Nothing has this id. */
  missing: 4,
  /** No complete answer came: unreachable, busy or cut. The same may work later. */
  unavailable: 5,
  /** Ctrl-C. */
  interrupted: 130,
} as const;

export type ExitCode = (typeof EXIT)[keyof typeof EXIT];

/** A failure with a sentence for the person at the terminal. */
export class CliError extends Error {
  readonly code: ExitCode;

  constructor(message: string, code: ExitCode = EXIT.failed) {
    super(message);
    this.code = code;
  }
}

/** The command line is wrong, or its request. */
export const usage = (message: string): CliError => new CliError(message, EXIT.usage);

export interface Ending {
  readonly code: ExitCode;
  /** One line, or more where the message itself has them. */
  readonly sentence: string;
}

function codeOf(status: number): ExitCode {
  if (status === 401 || status === 403) return EXIT.refused;
  if (status === 404) return EXIT.missing;
  if (status === 408 || status === 429 || status >= 500) return EXIT.unavailable;
  return status >= 400 ? EXIT.usage : EXIT.failed;
}

/** The sentence and the exit code of an error. */
export function endingOf(error: unknown): Ending {
  if (error instanceof CliError) return { code: error.code, sentence: error.message };
  if (error instanceof ApiError) return { code: codeOf(error.status), sentence: refusal(error) };
  if (error instanceof CutStreamError) return { code: EXIT.unavailable, sentence: error.message };
  if (error instanceof ConnectionError) {
    const said = error.message.replace(/: [^:]*:error:.*wrong version number.*/s, NO_TLS);
    return { code: EXIT.unavailable, sentence: `${said} ${NOT_THERE}` };
  }
  if (!(error instanceof Error)) return { code: EXIT.failed, sentence: String(error) };
  const code = OF_THE_STORE.get(error.name) ?? EXIT.failed;
  return { code, sentence: knownFault(error) ?? error.message };
}

/** The driver takes long to load, so its errors are known by their names. */
const OF_THE_STORE: ReadonlyMap<string, ExitCode> = new Map([
  ['MongoParseError', EXIT.usage],
  ['MongoAPIError', EXIT.usage],
  ['MongoServerSelectionError', EXIT.unavailable],
]);

/** In place of the words of OpenSSL. */
const NO_TLS = ': it answers without TLS; use http://.';

const NOT_THERE = 'Is the service running there? Set its address by --url or TABLE_SEARCH_URL.';

/** The likely cause of a refused token in a shell that has a secret. */
const OWN_SECRET =
  'AUTH_JWT_SECRET is set here, and `table-search token` signs with it: unset it for a demo, or give the service the same.';

/** Advice that follows the message of a refusal. */
const ADVICE: Readonly<Record<string, string>> = {
  Unauthenticated:
    'Set TABLE_SEARCH_TOKEN or --token; `table-search token --user 1 --admin` prints one for a demo.',
  Unknown: 'Is --url or TABLE_SEARCH_URL the address of the service?',
};

function refusal({ message, code, problems, requestId, status }: ApiError): string {
  const places = problems.map(({ pointer, detail }) => `${pointer || '/'}: ${detail}`);
  const said = code === 'Unauthenticated' && /^Send a token/.test(message) ? NO_TOKEN : message;
  const id = status >= 500 && requestId !== undefined ? `(request ${requestId})` : undefined;
  const isUnknown =
    code === 'Unauthenticated' && said !== NO_TOKEN && !said.startsWith('The token expired');
  const advice = isUnknown && process.env.AUTH_JWT_SECRET ? OWN_SECRET : ADVICE[code];
  return [said, ...places, advice, id].filter((part) => part !== undefined).join(' ');
}

/** The service names its header, which no option shows. */
const NO_TOKEN = 'No token is set.';

/** @param name a file, or "The output" */
export function unwritable(name: string, error: Error): CliError {
  return new CliError(`${name} cannot be written: ${fileFault(error, 'folder')}.`, EXIT.failed);
}

/**
 * Where the command line names no file, the command line is wrong.
 *
 * @param advice a clause about a file that is not there
 */
export function unreadable(name: string, error: NodeJS.ErrnoException, advice = ''): CliError {
  const more = error.code === 'ENOENT' && advice !== '' ? `; ${advice}` : '';
  const isNone = error.code !== undefined && ['ENOENT', 'ENOTDIR', 'EISDIR'].includes(error.code);
  const code = isNone ? EXIT.usage : EXIT.failed;
  return new CliError(`${name} cannot be read: ${fileFault(error, 'file')}${more}.`, code);
}
