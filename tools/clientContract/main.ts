/**
 * `npm run client:contract`: makes `contract.ts` from the definitions that the service validates by.
 *
 *     route table ──► OpenAPI document ──► types and data ──► formatted source
 */
import { writeFileSync } from 'node:fs';
import path from 'node:path';
import { contractSource } from './source.ts';

const FILE = path.resolve(import.meta.dirname, '../../clients/typescript/contract.ts');
writeFileSync(FILE, contractSource());
