/**
 * Cluster times as numbers that compare: seconds in the upper 32 bits, the increment below.
 *
 * The driver's `Timestamp` is what callers see; inside, times are compared for every event.
 */
import { Timestamp } from 'mongodb';

export type ClusterTime = bigint;

export const toClusterTime = (time: Timestamp): ClusterTime =>
  (BigInt(time.getHighBitsUnsigned()) << 32n) | BigInt(time.getLowBitsUnsigned());

export const toTimestamp = (time: ClusterTime): Timestamp => new Timestamp(time);

export const later = (a: ClusterTime, b: ClusterTime): ClusterTime => (a > b ? a : b);
