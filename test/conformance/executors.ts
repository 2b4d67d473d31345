/**
 * The executors of one contract: each returns the same answers to the same cases, and says so in
 * `Search-Route`.
 */
import type { CreateTable } from '../../src/tables/index/searchIndex.ts';
import { createScan } from '../oracles/scan.ts';

export interface ExecutorUnderTest {
  readonly name: string;
  /** Settings of the service that make it answer by this executor. */
  readonly settings: Readonly<Record<string, string>>;
  /** The value of `Search-Route` in every answer. */
  readonly route: 'pipeline' | 'index';
  /** Makes the table of the index's rows; the service's own choice when left out. */
  readonly createTable?: CreateTable;
}

export const PIPELINE: ExecutorUnderTest = {
  name: 'pipeline',
  settings: { SEARCH_INDEX: 'off', STORE_INDEXES: 'on' },
  route: 'pipeline',
};
export const INDEX: ExecutorUnderTest = { name: 'index', settings: {}, route: 'index' };

/** Without rows from the store, for cases that look into no record. */
export const BOTH: readonly ExecutorUnderTest[] = [PIPELINE, INDEX];

export const EXECUTORS: readonly ExecutorUnderTest[] = [
  ...BOTH,
  { name: 'index, rows from the store', settings: { ROWS_MEMORY_BYTES: '0' }, route: 'index' },
];

/** The oracle that random tests of the index compare with; random searches prove it too. */
export const SCAN: ExecutorUnderTest = {
  name: 'scan',
  settings: {},
  route: 'index',
  createTable: (definition, fold) => createScan(definition, { fold }),
};
