/** Tables of a definition file, as the service describes them: nothing of them is known before. */
import { type OwnTable, type ViewDescription, viewOf } from 'table-search/client';

/** A table as command lines ask for it; a table of a file also has its `fields`. */
export interface TableDescription extends ViewDescription {
  readonly fields?: OwnTable['fields'];
}

/** Facets that `explore` counts by default. */
const COUNTED = 5;

export function askedOwn(own: OwnTable) {
  const { name, columns, facets } = own;
  const shown = facets.slice(0, COUNTED);
  return {
    ...{ word: name, view: name, path: {}, columns, facets: shown },
    description: { ...viewOf(own), fields: own.fields },
  };
}
