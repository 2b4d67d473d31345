/** How many connections of a client are in use, and how many commands wait for one. */
import type { MongoClient } from 'mongodb';

export interface PoolFigures {
  readonly inUse: number;
  readonly waiting: number;
}

/** Counts check-outs from now on; the driver's own monitors have connections of their own. */
export function poolFigures(client: MongoClient): PoolFigures {
  const figures = { inUse: 0, waiting: 0 };
  client.on('connectionCheckOutStarted', () => {
    figures.waiting += 1;
  });
  client.on('connectionCheckOutFailed', () => {
    figures.waiting -= 1;
  });
  client.on('connectionCheckedOut', () => {
    figures.waiting -= 1;
    figures.inUse += 1;
  });
  client.on('connectionCheckedIn', () => {
    figures.inUse -= 1;
  });
  return figures;
}
