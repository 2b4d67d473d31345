/**
 * Cluster times: the store's own clock, the moment whose state an answer shows.
 *
 * Callers see the driver's `Timestamp`. The follower compares times for every event, as numbers:
 * seconds in the upper 32 bits, the increment below.
 */
import { Timestamp } from 'mongodb';

export type ClusterTime = bigint;

export const toClusterTime = (time: Timestamp): ClusterTime =>
  (BigInt(time.getHighBitsUnsigned()) << 32n) | BigInt(time.getLowBitsUnsigned());

export const toTimestamp = (time: ClusterTime): Timestamp => new Timestamp(time);

export const later = (a: ClusterTime, b: ClusterTime): ClusterTime => (a > b ? a : b);

/** The time in whole seconds, as milliseconds since the epoch. */
export const epochMsOf = (time: ClusterTime): number => Number(time >> 32n) * 1_000;

/** `<seconds>.<increment>`, the form of the header `Search-As-Of`. */
export const printTime = (time: Timestamp): string =>
  `${time.getHighBitsUnsigned()}.${time.getLowBitsUnsigned()}`;

/**
 * The header of an answer as old as the store's last sign of life, in whole seconds; none while the
 * store answers.
 */
export const ageHeader = (silentMs: number | undefined): Record<string, string> =>
  silentMs === undefined ? {} : { Age: String(Math.round(silentMs / 1_000)) };

/** Reads the form that `printTime` writes; undefined for any other text. */
export function parseTime(text: string): Timestamp | undefined {
  const [, seconds, increment] = /^(\d{1,10})\.(\d{1,10})$/.exec(text) ?? [];
  const [t, i] = [Number(seconds), Number(increment)];
  return t <= MOST && i <= MOST ? new Timestamp({ t, i }) : undefined;
}

/** Seconds and increments have 32 bits. */
const MOST = 2 ** 32 - 1;

export const laterOf = (a: Timestamp | undefined, b: Timestamp): Timestamp =>
  a?.greaterThan(b) ? a : b;

/** The next time there can be. */
export const justAfter = (time: Timestamp): Timestamp =>
  new Timestamp({ t: time.getHighBitsUnsigned(), i: time.getLowBitsUnsigned() + 1 });
