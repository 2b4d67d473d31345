/**
 * `npm run client:contract`: makes `contract.ts` from the definitions that the service validates by.
 *
 *     route table ──► OpenAPI document ──► types and data ──► formatted source
 */
import { writeFileSync } from 'node:fs';
import path from 'node:path';
import { contractSource } from './source.ts';

writeFileSync(path.join(import.meta.dirname, '..', 'contract.ts'), contractSource());
