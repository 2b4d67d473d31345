/** The text of `contract.ts` as it should be, from the routes of the service as they are. */
import { execFileSync } from 'node:child_process';
import { createRequire } from 'node:module';
import path from 'node:path';
import { openApiOf } from '../../src/serve/openapi/document.ts';
import { contractOf, type Document } from './contract.ts';
import { everyRoute, KNOWN } from './everyRoute.ts';

export function contractSource(): string {
  return formatted(contractOf(openApiOf(everyRoute(), KNOWN) as Document));
}

/** As the rest of the project is formatted. */
function formatted(source: string): string {
  const root = path.resolve(import.meta.dirname, '../..');
  const biome = createRequire(import.meta.url).resolve('@biomejs/biome/bin/biome');
  const args = [biome, 'format', '--stdin-file-path=clients/typescript/contract.ts'];
  return execFileSync(process.execPath, args, { cwd: root, input: source, encoding: 'utf8' });
}
