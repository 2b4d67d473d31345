/** How many connections of a client are in use, and how many commands wait for one. */
import type { MongoClient } from 'mongodb';

export interface PoolFigures {
  readonly inUse: number;
  readonly waiting: number;
}

/**
 * Counts check-outs from now on; the driver's own monitors have connections of their own.
 *
 * The driver tells nothing of a command that is given up while it waits. Waiting commands are served in their
 * order. So when one has been served, those that began before it wait no more.
 */
export function poolFigures(client: MongoClient): PoolFigures {
  let inUse = 0;
  /** When each one began that waits, by the driver's clock. */
  const begun: number[] = [];
  const served = ({ durationMS }: { readonly durationMS: number }) => {
    const since = driverNow() - durationMS;
    const place = begun.findIndex((one) => one >= since);
    begun.splice(0, place < 0 ? begun.length : place + 1);
  };
  client.on('connectionCheckOutStarted', () => begun.push(driverNow()));
  client.on('connectionCheckOutFailed', served);
  client.on('connectionCheckedOut', (event) => {
    served(event);
    inUse += 1;
  });
  client.on('connectionCheckedIn', () => {
    inUse -= 1;
  });
  return {
    get inUse() {
      return inUse;
    },
    get waiting() {
      return begun.length;
    },
  };
}

/** Whole milliseconds. */
const driverNow = () => Math.floor(performance.now());
