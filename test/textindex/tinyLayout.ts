/** A layout in which blocks split, segments follow each other and lists become bitmaps early. */
import type { Layout } from '../../src/textindex/storage/space.ts';

export const TINY_LAYOUT: Partial<Layout> = {
  segmentBits: 7,
  blockRows: 4,
  denseRows: 8,
  freshRows: 3,
  precomputeRows: 8,
  fewHits: 2,
  listedRows: 3,
  probedRows: 6,
  walkedBlocks: 1,
  infixTextBytes: 64,
  largeTextBytes: 64,
  textBlockBits: 0,
};
