/** A mongod as a test wants it: on its own folder and port, ended the hard way. */
import { findMongod } from '../../src/dev/embedded/binary.ts';
import { Mongod, type MongodOptions } from '../../src/dev/embedded/mongod.ts';
import { testLog } from './mongod.ts';

/** Returns once it listens. */
export async function startMongod(
  options: Omit<MongodOptions, 'path' | 'version'>,
): Promise<Mongod> {
  const mongod = new Mongod({ ...(await findMongod(testLog)), ...options });
  await mongod.start();
  return mongod;
}
