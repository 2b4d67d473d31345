/** Ways on where no rows match. */
import { countRows } from '../data/rows/asking.ts';
import { labelOf } from '../data/service/projects.ts';
import { go, table, view } from '../data/store.ts';
import { Empty } from '../parts/table/Empty.tsx';

export const EmptyRegion = () => (
  <Empty {...{ table: table.value, view: view.value, labelOf, count: countRows, go }} />
);
