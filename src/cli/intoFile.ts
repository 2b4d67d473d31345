/** A file that appears under its name once it is complete; a device or a pipe is written in place. */
import { lstat, open, rename, stat, unlink } from 'node:fs/promises';
import path from 'node:path';
import { CliError, EXIT, unwritable } from './failure.ts';

export type Write = (bytes: Uint8Array) => Promise<void>;

/** @throws CliError for a folder, before anything is asked */
export async function checkTarget(name: string): Promise<void> {
  const target = await stat(name).catch(() => undefined);
  if (!target?.isDirectory()) return;
  const inside = path.join(name, 'rows.csv');
  throw new CliError(
    `--out ${name} is a folder; name a file in it, such as ${inside}.`,
    EXIT.usage,
  );
}

export async function intoFile(name: string, fill: (write: Write) => Promise<void>): Promise<void> {
  const target = await lstat(name).catch(() => undefined);
  // A rename would put a file in the place of a device, a pipe or a link such as /dev/stdout.
  const draft = target === undefined || target.isFile() ? `${name}.part` : name;
  const file = await open(draft, 'w').catch((error: Error) => {
    throw unwritable(name, error);
  });
  const write: Write = async (bytes) => {
    await file.writeFile(bytes).catch((error: Error) => {
      throw unwritable(name, error);
    });
  };
  try {
    await fill(write);
    await file.close();
    if (draft !== name) {
      await rename(draft, name).catch((error: Error) => {
        throw unwritable(name, error);
      });
    }
  } catch (error) {
    await file.close().catch(() => {});
    if (draft !== name) await unlink(draft).catch(() => {});
    throw error;
  }
}
