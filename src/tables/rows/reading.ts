/**
 * The members read of a collection's documents, and the making of a row from a document.
 *
 *     document ──► its members, found once ─┬─► cells
 *                                           └─► rest
 */

import { compileExtract, type Extract, projectionOf } from '../../follow/extract.ts';
import { Members } from '../../store/bson/members.ts';
import type { Row } from '../../textindex/index.ts';
import type { TableLayout } from '../definition/tableDefinition.ts';
import { compileRest, type KeptOfRow, membersOf } from './rests/encodeRest.ts';
import type { RestLayout } from './rests/restLayout.ts';

/** A row, and the members kept beside the table: see `KeptOfRow`. */
export type ReadRow = Row & Pick<KeptOfRow, 'odd'>;

export interface Reading {
  readonly extract: (...asked: Parameters<Extract>) => ReadRow;
  readonly projection: Readonly<Record<string, 1>>;
}

/** @param rest the layout of rows' rests; left out, there are none */
export function readingOf({ sources }: TableLayout, rest?: RestLayout): Reading {
  if (!rest) return { extract: compileExtract(sources), projection: projectionOf(sources) };
  const paths = sources.flatMap(({ path, to = path }) => [path, to]);
  const named = paths.map((path) => path.split('.', 1)[0]!);
  const members = new Members([...new Set([...membersOf(rest), ...named])]);
  const cellsOf = compileExtract(sources, members);
  const restOf = compileRest(rest, members);
  return {
    extract(document) {
      members.read(document);
      const { id, cells } = cellsOf(document);
      const { rest, odd } = restOf(document);
      return { id, cells, rest, odd };
    },
    projection: projectionOf([...sources, ...rest.reads.map((path) => ({ path }))]),
  };
}
