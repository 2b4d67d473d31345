/** What is kept of a watched search: within bounds, of the table that is there, and of no other. */
import { expect } from 'chai';
import { RESOURCES } from '../../../src/apps/admin/resources/index.ts';
import { adminProjects } from '../../../src/apps/admin/resources/views.ts';
import { parseExplore } from '../../../src/tables/explore/body.ts';
import type { ExplorePlan } from '../../../src/tables/explore/plan.ts';
import { GuardedTable } from '../../../src/tables/index/guardedTable.ts';
import { IndexCounts } from '../../../src/tables/index/indexCounts.ts';
import { tableLayout } from '../../../src/tables/index/tableDefinition.ts';
import {
  IncrementalSearch,
  IncrementalSearches,
} from '../../../src/tables/watch/incrementalSearch.ts';
import {
  type Cell,
  type RowChange,
  RowVersion,
  standardFold,
} from '../../../src/textindex/index.ts';
import { ANY_ADMIN, parseSettings } from '../../model/asks.ts';
import { createScan } from '../../oracles/scan.ts';

const fold = standardFold();
const settings = parseSettings(fold);
const { definition } = tableLayout(RESOURCES.projects);
const columns = definition.columns.map(({ name }) => name);

describe('what is kept of a watched search', () => {
  function stage(mostBytes = 2 ** 20) {
    const table = new GuardedTable({
      definition,
      create: () => createScan(definition, { fold }),
      onFailure: () => {},
    });
    table.create();
    const shared = new IncrementalSearches(mostBytes);
    const search = new IncrementalSearch(shared, settings.fold);
    const body = { facets: [{ field: 'type' }] };
    const plan = parseExplore(adminProjects, body as never, ANY_ADMIN, settings)
      .plan as ExplorePlan;
    const { within, where, sortBy, descending } = plan;
    const page = { within, where, sortBy, descending };
    const ask = () => ({
      counts: new IndexCounts(plan, { ...page, page: 1, perPage: 5 }, { shownBy: () => undefined }),
      definition,
      labelTexts: () => [],
    });
    return {
      ...{ table, shared, search },
      put(id: number, type: string) {
        const before = table.valuesOf(id, columns);
        const cells: Cell[] = columns.map((name) => (name === 'type' ? type : null));
        const version = (held: readonly (Cell | undefined)[], was?: RowVersion) =>
          new RowVersion(id, held, settings.fold, was);
        shared.changes++;
        const was = before && version(before);
        const change: RowChange = { before: was, after: version(cells, was) };
        search.note(change);
        table.put({ id, cells });
      },
      types: (of = table) => {
        const [facet] = search.answer(plan, of, ask)?.result.facets ?? [];
        return facet?.values.map(({ value, count }) => `${value} ${count}`);
      },
    };
  }

  it('follows what changes', () => {
    const { put, types, shared } = stage();
    expect(types()).to.deep.equal([]);
    for (let id = 1; id <= 3; id++) put(id, 'a');
    put(3, 'b');
    expect(types()).to.deep.equal(['a 2', 'b 1']);
    expect(shared.tally).to.deep.equal({ kept: 1, partly: 0, anew: 1 });
    expect(shared.bytes).to.be.above(0);
  });

  it('is run anew after more changes than one notes, or after others that are long ago', () => {
    const { put, types, shared, search } = stage();
    types();
    for (let n = 0; n < 3_001; n++) put(1, `a${n}`);
    expect(search.notesChanges).to.equal(false);
    expect(types()).to.deep.equal(['a3000 1']);
    put(1, 'b');
    search.bound();
    expect(search.notesChanges).to.equal(true);
    shared.changes += 8_193;
    search.bound();
    expect(search.notesChanges).to.equal(false);
    expect(types()).to.deep.equal(['b 1']);
    expect(shared.tally).to.deep.equal({ kept: 0, partly: 0, anew: 3 });
  });

  it('is not more than all together may take, and is given back', () => {
    const { put, types, shared, search } = stage(0);
    types();
    put(1, 'a');
    expect(types()).to.deep.equal(['a 1']);
    expect([search.notesChanges, shared.hasRoom]).to.deep.equal([true, false]);
    search.close();
    expect(shared.bytes).to.equal(0);
    put(1, 'b');
    expect(types()).to.deep.equal(['b 1']);
    expect([search.notesChanges, shared.bytes]).to.deep.equal([false, 0]);
  });

  it('is no answer of a table that broke, nor of another one', () => {
    const one = stage();
    one.types();
    one.put(1, 'a');
    const other = stage();
    other.put(1, 'b');
    expect(one.types(other.table)).to.deep.equal(['b 1']);
    one.types();
    one.table.relate('no such column', 1, 'x', []);
    expect(one.table.failure).to.not.equal(undefined);
    expect(one.types()).to.equal(undefined);
  });
});
