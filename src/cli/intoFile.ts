/**
 * A file that appears under its name once it is complete. One that was there before leaves its mode, and
 * a link leads to it still; a device or a pipe is written in place.
 */
import { randomBytes } from 'node:crypto';
import { lstat, open, realpath, rename, stat, unlink } from 'node:fs/promises';
import path from 'node:path';
import { unwritable, usage } from './failure.ts';

export type Write = (bytes: Uint8Array) => Promise<void>;

/** @throws CliError for a folder, before anything is asked */
export async function checkTarget(name: string): Promise<void> {
  const target = await stat(name).catch(() => undefined);
  if (!target?.isDirectory()) return;
  const inside = path.join(name, 'rows.csv');
  throw usage(`--out ${name} is a folder; name a file in it, such as ${inside}.`);
}

export async function intoFile(name: string, fill: (write: Write) => Promise<void>): Promise<void> {
  const place = await placeOf(name);
  const target = await lstat(place).catch(() => undefined);
  // A rename would put a file in the place of a device, a pipe or a link such as /dev/stdout.
  const isReplaced = target === undefined || target.isFile();
  // Each writer has a name of its own: an export may begin while an earlier one is under way.
  const draft = isReplaced ? `${place}.${randomBytes(4).toString('hex')}.part` : place;
  const file = await open(draft, 'w').catch((error: Error) => {
    throw unwritable(name, error);
  });
  const write: Write = async (bytes) => {
    await file.writeFile(bytes).catch((error: Error) => {
      throw unwritable(name, error);
    });
  };
  try {
    // Before the first byte: the contents may be for the owner alone.
    if (target?.isFile()) await file.chmod(target.mode & 0o7777);
    await fill(write);
    await file.close();
    if (draft !== place) {
      await rename(draft, place).catch((error: Error) => {
        throw unwritable(name, error);
      });
    }
  } catch (error) {
    await file.close().catch(() => {});
    if (draft !== place) await unlink(draft).catch(() => {});
    throw error;
  }
}

/** Where a link leads; links of the system stand for the files of a process that has them open. */
async function placeOf(name: string): Promise<string> {
  if (/^\/(?:dev|proc)\//.test(path.resolve(name))) return name;
  return await realpath(name).catch(() => name);
}
