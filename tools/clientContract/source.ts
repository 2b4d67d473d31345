/** The text of `contract.ts` as it should be, from the routes of the service as they are. */
import { execFileSync } from 'node:child_process';
import { createRequire } from 'node:module';
import path from 'node:path';
import { taskCatalogue } from '../../src/apps/admin/resources/taskTypes.ts';
import { REFERENCE, type RouteServices, routes } from '../../src/apps/admin/routes/index.ts';
import { VIEWS_REFERENCE, viewRoutes } from '../../src/apps/views/routes.ts';
import type { SavedViews } from '../../src/apps/views/savedViews.ts';
import { openApiOf } from '../../src/serve/openapi/document.ts';
import { allRoutes } from '../../src/serve/routes/index.ts';
import { TABLES_REFERENCE } from '../../src/serve/tables/described.ts';
import { type TableServices, tableRoutes } from '../../src/serve/tables/routes.ts';
import { contractOf, type Document } from './contract.ts';

export function contractSource(): string {
  // What routes are described by needs no service: none is asked while the document is made.
  const management = { catalogue: taskCatalogue() };
  const services = { management } as unknown as RouteServices;
  const known = {
    parameters: {
      ...REFERENCE.parameters,
      ...TABLES_REFERENCE.parameters,
      ...VIEWS_REFERENCE.parameters,
    },
    groups: { ...REFERENCE.groups, ...TABLES_REFERENCE.groups, ...VIEWS_REFERENCE.groups },
  };
  const every = [
    ...routes(services),
    ...tableRoutes({} as TableServices),
    ...viewRoutes({} as SavedViews),
  ];
  const all = allRoutes(every, known, { pages: [] });
  return formatted(contractOf(openApiOf(all, known) as Document));
}

/** As the rest of the project is formatted. */
function formatted(source: string): string {
  const root = path.resolve(import.meta.dirname, '../..');
  const biome = createRequire(import.meta.url).resolve('@biomejs/biome/bin/biome');
  const args = [biome, 'format', '--stdin-file-path=clients/typescript/contract.ts'];
  return execFileSync(process.execPath, args, { cwd: root, input: source, encoding: 'utf8' });
}
