/** Searches in an own table, and their answers by a look at every document. */
import { readFileSync } from 'node:fs';
import path from 'node:path';
import fc from 'fast-check';
import { present } from '../../src/tables/definition/record.ts';
import { readTablesFile } from '../../src/tables/file/index.ts';
import { type SameLetters, values } from '../properties/oracle.ts';
import { type GeneratedExplore, LETTERS, type Stored } from '../properties/worlds.ts';

export const OWN_VIEW = 'own table of tasks';
export const OWN_PATH = '/api/v2/tables/jobs/search';
export const DEFINITION = path.join(import.meta.dirname, 'tables.yaml');

const read = readTablesFile(readFileSync(DEFINITION, 'utf8'));
if ('problems' in read) throw new Error(JSON.stringify(read.problems));
const { record } = read.tables[0]!.resource;

const letters = LETTERS.filter((letter) => letter !== '\0' && letter !== ' ');
const text = fc.array(fc.constantFrom(...letters), { minLength: 1, maxLength: 2 });
const word = text.map((some) => some.join(''));
const moment = fc.integer({ min: 0, max: 5 }).map((n) => new Date(n * 1_000).toISOString());
const condition = fc.oneof(
  fc.constantFrom('SUCCESS', 'FAILURE', 'STARTED', 'REVOKED').map((status) => ({
    ...{ field: 'status', in: [status] },
  })),
  fc.boolean().map((kept) => ({ field: 'kept', in: [kept] })),
  moment.map((from) => ({ field: 'queued', from })),
);

export const ownRequest: fc.Arbitrary<GeneratedExplore> = fc.record({
  view: fc.constant(OWN_VIEW),
  caller: fc.constant(1),
  filters: fc.oneof(
    fc.constant({}),
    fc.record({ q: word }),
    fc.record({ name: word }),
    fc.record({ q: word, worker: word }),
  ),
  select: fc.array(condition, { maxLength: 1 }),
  pagination: fc.record({ page: fc.integer({ min: 1, max: 3 }), per_page: fc.constant(10) }),
  sorting: fc.record({
    sort_by: fc.constant('id'),
    sort_order: fc.constantFrom('asc' as const, 'desc' as const),
  }),
});

/** Pagination, then the records of the page. */
export function ownAnswer(
  { filters, select = [], pagination, sorting }: GeneratedExplore,
  documents: readonly Stored[],
  same: SameLetters,
): readonly unknown[] {
  const holds = (one: Stored, paths: readonly string[], wanted: unknown) =>
    paths
      .flatMap((at) => values(one, at))
      .some((value) => typeof value === 'string' && same(value).includes(same(String(wanted))));
  const meets = (one: Stored, { field, in: among, from }: Stored) => {
    const found = values(one, PATHS[field]!);
    if (among) return found.some((value) => among.includes(value));
    return found.some((value) => value instanceof Date && value >= new Date(from));
  };
  const hits = documents
    .filter((one) =>
      Object.entries(filters).every(([name, wanted]) =>
        holds(one, name === 'q' ? ['name', 'worker'] : [name], wanted),
      ),
    )
    .filter((one) => select.every((condition) => meets(one, condition)))
    .sort((a, b) => (a._id - b._id) * (sorting.sort_order === 'desc' ? -1 : 1));
  const { page: asked = 1, per_page: perPage = 10 } = pagination;
  const page = Math.min(asked, Math.max(1, Math.ceil(hits.length / perPage)));
  const shown = hits.slice((page - 1) * perPage, page * perPage);
  return [
    [hits.length, page, perPage, shown.length],
    ...shown.map((document) => present(record, { document, joined: {} }, CONTEXT)),
  ];
}

const CONTEXT = { labels: {}, options: new Set<string>() };
const PATHS: Readonly<Record<string, string>> = {
  status: 'status',
  kept: 'preserve',
  queued: 'date_queued',
};
