/**
 * The meaning of the server's and the driver's errors: one table for searches, changes and the
 * follower. Each of them acts on a meaning in its own way.
 *
 *     error ─▶ the server's code, or the driver's class ─▶ fault
 *
 * An error that is not in the table is `unknown`: a command that is wrong, a bug.
 */
import {
  MongoClientClosedError,
  type MongoError,
  MongoExpiredSessionError,
  MongoNetworkError,
  MongoNotConnectedError,
  MongoOperationTimeoutError,
  MongoServerClosedError,
  MongoServerError,
  MongoStalePrimaryError,
  MongoSystemError,
  MongoTopologyClosedError,
} from 'mongodb';
import { Ended } from './deadline.ts';

/**
 * - `away`: no server that could answer: network, election, start, end
 * - `notYet`: the server cannot do it yet, and will be able to
 * - `interrupted`: an operator or the server ended the command or its cursor
 * - `outOfTime`: the time that was given is over
 * - `busy`: too much is under way
 * - `conflict`: another was first, or holds what is needed
 * - `undone`: the server has no such transaction, or no longer: nothing of it was kept
 * - `unconfirmed`: done by one server, and perhaps not by a majority
 * - `overtaken`: this moment cannot be read (any more): a later one may be
 * - `replanned`: an index or a collection went away under the read
 * - `unreadable`: no moment of the collection can be read
 * - `collated`: a view or a time series has a collation of its own, and takes or is joined by no other
 * - `lost`: the change stream cannot go on from here
 * - `denied`: the account may not do this
 */
export type Fault =
  | 'away'
  | 'notYet'
  | 'interrupted'
  | 'outOfTime'
  | 'busy'
  | 'conflict'
  | 'undone'
  | 'unconfirmed'
  | 'overtaken'
  | 'replanned'
  | 'unreadable'
  | 'collated'
  | 'lost'
  | 'denied'
  | 'unknown';

/** Codes of a server that is no primary, or no longer one. */
const NOT_PRIMARY = {
  189: 'PrimarySteppedDown',
  10058: 'LegacyNotPrimary',
  10107: 'NotWritablePrimary',
  11602: 'InterruptedDueToReplStateChange',
  13435: 'NotPrimaryNoSecondaryOk',
  13436: 'NotPrimaryOrSecondary',
};

/** The server's codes by their meaning, with the server's own names for them. */
export const CODES: Readonly<Partial<Record<Fault, Readonly<Record<number, string>>>>> = {
  away: {
    ...NOT_PRIMARY,
    6: 'HostUnreachable',
    7: 'HostNotFound',
    89: 'NetworkTimeout',
    91: 'ShutdownInProgress',
    94: 'NotYetInitialized',
    133: 'FailedToSatisfyReadPreference',
    279: 'ClientDisconnect',
    9001: 'SocketException',
    11600: 'InterruptedAtShutdown',
  },
  notYet: {
    63: 'StaleShardVersion',
    134: 'ReadConcernMajorityNotAvailableYet',
    150: 'StaleEpoch',
    211: 'KeyNotFound', // the keys that sign cluster times, after a start
    234: 'RetryChangeStream',
    13388: 'StaleConfig',
  },
  interrupted: {
    43: 'CursorNotFound',
    237: 'CursorKilled',
    11601: 'Interrupted',
  },
  outOfTime: {
    50: 'MaxTimeMSExpired',
    202: 'NetworkInterfaceExceededTimeLimit',
    262: 'ExceededTimeLimit',
  },
  busy: {
    261: 'TooManyLogicalSessions',
    462: 'IngressRequestRateLimitExceeded',
  },
  conflict: {
    24: 'LockTimeout',
    46: 'LockBusy',
    112: 'WriteConflict',
    117: 'ConflictingOperationInProgress',
    267: 'PreparedTransactionInProgress',
  },
  undone: {
    217: 'IncompleteTransactionHistory',
    225: 'TransactionTooOld',
    251: 'NoSuchTransaction',
    290: 'TransactionExceededLifetimeLimitSeconds',
  },
  unconfirmed: {
    64: 'WriteConcernFailed',
    79: 'UnknownReplWriteConcern',
    100: 'UnsatisfiableWriteConcern',
  },
  overtaken: {
    239: 'SnapshotTooOld',
    246: 'SnapshotUnavailable', // the collection's catalogue entry is younger
    361: 'CollectionUUIDMismatch', // the name stands for another collection by now
  },
  replanned: {
    26: 'NamespaceNotFound', // the collection that `$lookup` joins is gone since the plan
    175: 'QueryPlanKilled',
  },
  collated: {
    167: 'OptionNotSupportedOnView',
  },
  lost: {
    136: 'CappedPositionLost', // the oplog overtook the reader
    222: 'CloseChangeStream',
    260: 'InvalidResumeToken',
    280: 'ChangeStreamFatalError',
    286: 'ChangeStreamHistoryLost',
    40576: 'the event of the resume token is not there any more',
    40615: 'the resume token came from an invalidate event',
    50811: 'the resume token came from another kind of stream',
  },
  denied: {
    13: 'Unauthorized',
  },
};

const BY_CODE: ReadonlyMap<number, Fault> = new Map(
  Object.entries(CODES).flatMap(([fault, codes]) =>
    Object.keys(codes).map((code) => [Number(code), fault as Fault] as const),
  ),
);

/** The server sends it for moments that are over, and for every moment of a capped collection. */
const SNAPSHOT_UNAVAILABLE = 246;

/** The driver's errors for a server that was not reached or did not answer. */
const AWAY = [
  MongoNetworkError, // a pool that was cleared is one, too
  MongoSystemError, // no server could be selected
  MongoNotConnectedError,
  MongoServerClosedError,
  MongoTopologyClosedError,
  MongoClientClosedError,
  MongoStalePrimaryError,
  MongoExpiredSessionError, // the client was closed meanwhile
];

/** Classes that the driver does not export, by name. */
const BY_NAME: ReadonlyMap<string, Fault> = new Map([
  ['MongoPoolClosedError', 'away'],
  ['MongoWaitQueueTimeoutError', 'busy'],
  ['TimeoutError', 'outOfTime'], // thrown by `AbortSignal.timeout`
]);

/**
 * Codes of sockets and of names: the driver passes the error of a broken connection on unchanged, and that of a
 * `mongodb+srv://` whose servers cannot be looked up.
 */
const SOCKETS: ReadonlySet<unknown> = new Set([
  ...['ECONNRESET', 'EPIPE', 'ECONNABORTED', 'ECONNREFUSED', 'ETIMEDOUT'],
  ...['EHOSTUNREACH', 'ENETUNREACH', 'ENETDOWN'],
  ...['ENOTFOUND', 'ENODATA', 'ESERVFAIL', 'EREFUSED', 'ETIMEOUT'],
]);

/** The meaning of an error, or of anything else that was thrown. */
export function faultOf(error: unknown): Fault {
  if (!(error instanceof Error)) return 'unknown';
  if (error instanceof Ended) return error.end === 'time' ? 'outOfTime' : 'away';
  const code = codeOf(error);
  if (code === SNAPSHOT_UNAVAILABLE && error.message.includes('capped')) return 'unreadable';
  if (code !== undefined) return BY_CODE.get(code) ?? 'unknown';
  if (error instanceof MongoOperationTimeoutError) return 'outOfTime';
  if (AWAY.some((kind) => error instanceof kind)) return 'away';
  if (SOCKETS.has((error as NodeJS.ErrnoException).code)) return 'away';
  return BY_NAME.get(error.name) ?? 'unknown';
}

/** The server's code, if the server sent one. */
export const codeOf = (error: unknown): number | undefined =>
  error instanceof MongoServerError && typeof error.code === 'number' ? error.code : undefined;

/** Whether the server is no longer primary: its successor may be asked. */
export function hasSteppedDown(error: unknown): boolean {
  const code = codeOf(error);
  return code !== undefined && code in NOT_PRIMARY;
}

/** Whether the catalogue overtook a read: at a later moment the same read may do. */
export function isOvertaken(error: unknown): boolean {
  const fault = faultOf(error);
  return fault === 'overtaken' || fault === 'replanned';
}

/** Whether a read failed because its time was over, as the server or its silence says. */
export const isOutOfTime = (error: unknown): boolean => faultOf(error) === 'outOfTime';

/**
 * The server's own words, without the command that it goes on to quote, with the texts of callers. The name of a
 * denied command stays, since it tells the missing right.
 */
export function wordsOf({ message }: Error): string {
  const words = message.split(' {', 1)[0]!;
  const denied = DENIED.exec(message.slice(words.length));
  if (!denied || !words.endsWith(' to execute command')) return words;
  const [, command, stream = ''] = denied;
  const name = stream === '' ? command : 'aggregate with $changeStream';
  return `${words} ${name}; \`table-search role\` prints the rights that are needed`;
}

/** How a denied command begins. */
const DENIED = /^ \{ *(\w+): (?:1, pipeline: \[ *\{ *(\$changeStream):)?/;

/** Whether an error of the driver has one of the labels of MongoDB's specifications. */
export const hasLabel = (error: unknown, label: string): boolean =>
  error instanceof Error && (error as Partial<MongoError>).hasErrorLabel?.(label) === true;
