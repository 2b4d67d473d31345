/**
 * Values at some ranks among the numbers, or dates, of a column over a set of rows.
 */
import type { Scalar, StatsRequest, StatsResult } from '../api.ts';
import type { Column } from '../column.ts';
import { isNumeric } from '../decimal.ts';
import { compareScalars, isListed, isNothing } from '../scalars.ts';
import type { RowNumber } from '../storage/brands.ts';
import type { Space } from '../storage/space.ts';
import type { RowSet } from './rowSet.ts';

export class Quantiles {
  readonly #space: Space;

  constructor(space: Space) {
    this.#space = space;
  }

  of(column: Column, { ranks }: StatsRequest, rows: RowSet): StatsResult {
    const isDate = column.definition.expect === 'date';
    const values: Scalar[] = [];
    let missing = 0;
    rows.each((list, n) => {
      const { u32 } = this.#space.memory;
      for (let i = 0; i < n; i++) {
        for (const value of column.valuesAt(u32[(list >>> 2) + i]! as RowNumber)!) {
          const counts = isDate ? value instanceof Date : isNumeric(value) && isListed(value);
          if (counts) values.push(value);
          else if (!isNothing(value)) missing++;
        }
      }
    });
    values.sort(compareScalars);
    const count = values.length;
    const wanted = count === 0 ? [] : ranks(count).map((rank) => values[rank]!);
    return { count, missing, values: wanted };
  }
}
