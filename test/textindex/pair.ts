/** A table and a scan that are told the same, and have to answer the same. */
import { expect } from 'chai';
import type {
  ExploreRequest,
  PageRequest,
  Row,
  RowId,
  Scalar,
  TableDefinition,
  TextTable,
} from '../../src/textindex/api.ts';
import { standardFold } from '../../src/textindex/caseFold.ts';
import { createIndex } from '../../src/textindex/index.ts';
import type { PartitionedOptions } from '../../src/textindex/partitions/partitioned.ts';
import { createScan } from '../oracles/scan.ts';
import { comparable, shown } from './explored.ts';

export class Pair {
  readonly index: TextTable;
  readonly scan: TextTable;

  constructor(definition: TableDefinition, options: Partial<PartitionedOptions> = {}) {
    const all = { fold: standardFold(), ...options };
    this.index = createIndex(definition, all);
    this.scan = createScan(definition, all);
  }

  put(row: Row): void {
    for (const table of [this.index, this.scan]) table.put(row);
  }

  remove(id: RowId): void {
    expect(this.index.remove(id)).to.equal(this.scan.remove(id));
  }

  relate(column: string, value: Scalar, label: string, texts: readonly string[]): void {
    for (const table of [this.index, this.scan]) table.relate(column, value, label, texts);
  }

  /** All the maintenance that there is, or one step of it. */
  maintain(budget = Number.POSITIVE_INFINITY): void {
    while (this.index.maintain(budget)) if (budget === 0) break;
  }

  /** @returns the number of rows found */
  search(request: PageRequest): number {
    const found = this.scan.search(request);
    expect(this.index.search(request), shown(request)).to.deep.equal(found);
    return found.total;
  }

  explore(request: ExploreRequest): void {
    const [got, wanted] = [this.index, this.scan].map((one) => comparable(one.explore(request)));
    expect(got, shown(request)).to.deep.equal(wanted);
  }
}
