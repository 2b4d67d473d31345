/**
 * Mechanisms of the text index that a bench can leave out, to see which promise each one keeps:
 *
 *     npm run bench -- --only searches --without infixes,ngrams
 *
 * Answers stay the same: the layout and the hints of a definition never decide any.
 */

import type { TableDefinition } from '../src/textindex/index.ts';
import type { IndexOptions } from '../src/textindex/indexTable.ts';

interface Without {
  readonly layout?: IndexOptions['layout'];
  readonly definition?: (definition: TableDefinition) => TableDefinition;
}

const NEVER = Number.POSITIVE_INFINITY;

const MECHANISMS = {
  infixes: { layout: { infixTextBytes: NEVER } },
  signatures: { layout: { largeTextBytes: NEVER } },
  ngrams: { definition: (definition) => ({ ...definition, together: [] }) },
  /** Values of many rows as bitmaps. */
  dense: { layout: { denseRows: 2 ** 31 } },
  /** Few rows as lists, and conditions on them row by row. */
  lists: { layout: { listedRows: 0, probedRows: 0 } },
  /** Pages of few hits by selection. */
  selection: { layout: { fewHits: 0 } },
  /** Pages of many hits by the rank index. */
  ranks: { layout: { walkedBlocks: NEVER } },
  /** A caller's rows tested one by one. */
  rowTest: { layout: { visibleRows: 0 } },
} as const satisfies Readonly<Record<string, Without>>;

export const MECHANISM_NAMES = Object.keys(MECHANISMS).join(', ');

/** Processes of the bench inherit the names. */
const VARIABLE = 'BENCH_WITHOUT';

/** Leaves these out from now on, in this process and in those that it starts. */
export function leaveOut(names: string): void {
  for (const name of names.split(',')) {
    if (!(name in MECHANISMS)) throw new Error(`--without takes some of: ${MECHANISM_NAMES}`);
  }
  process.env[VARIABLE] = names;
}

const left: readonly Without[] = (process.env[VARIABLE] ?? '')
  .split(',')
  .flatMap((name) => (name in MECHANISMS ? MECHANISMS[name as keyof typeof MECHANISMS] : []));

/** The definition that an index under measure gets. */
export const definitionUnderTest = (definition: TableDefinition): TableDefinition =>
  left.reduce((one, without) => without.definition?.(one) ?? one, definition);

/** The sizes of an index under measure. */
export const layoutUnderTest: NonNullable<IndexOptions['layout']> = Object.assign(
  {},
  ...left.map(({ layout }) => layout),
);
