/** The file of a checkpoint: whole, or refused with the reason. */
import { execFile, execFileSync } from 'node:child_process';
import { mkdir, mkdtemp, readdir, readFile, rm, stat, truncate, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { expect } from 'chai';
import { CheckpointReader, CheckpointWriter, Damaged } from '../../src/tables/checkpoint/file.ts';

const FILE = new URL('../../src/tables/checkpoint/file.ts', import.meta.url).href;

const SECTIONS: Readonly<Record<string, Buffer>> = {
  small: Buffer.from('some bytes'),
  none: Buffer.alloc(0),
  large: Buffer.alloc(5 << 20, 'pieces'),
};

function* piecesOf(bytes: Buffer): Generator<Uint8Array> {
  for (let from = 0; from < bytes.length; from += 1 << 20)
    yield bytes.subarray(from, from + (1 << 20));
}

describe('the file of a checkpoint', () => {
  const { signal } = new AbortController();
  let folder: string;
  let path: string;

  beforeEach(async () => {
    folder = await mkdtemp(join(tmpdir(), 'checkpoint-'));
    path = join(folder, 'in', 'one.checkpoint');
    const writer = new CheckpointWriter(path);
    await writer.open();
    for (const [name, bytes] of Object.entries(SECTIONS))
      await writer.section(name, piecesOf(bytes));
    await writer.finish({ at: 7 });
  });
  afterEach(() => rm(folder, { recursive: true, force: true }));

  /** Reads all sections. */
  async function readAll(): Promise<unknown> {
    const file = await CheckpointReader.open(path, signal);
    try {
      for (const [name, bytes] of Object.entries(SECTIONS)) {
        const found = Buffer.alloc(file!.bytesOf(name));
        await file!.read(name, found);
        expect(found.equals(bytes), name).to.equal(true);
      }
      return file!.manifest;
    } finally {
      await file?.close();
    }
  }

  const refusal = () =>
    readAll().then(
      () => undefined,
      (error) => error,
    );

  it('is given up where the disk does not answer', async function halts() {
    if (process.platform !== 'linux') this.skip();
    this.timeout(30_000);
    // Node tries for good to make a folder there.
    const script = `
      import { CheckpointWriter } from ${JSON.stringify(FILE)};
      await new CheckpointWriter('/proc/none/one.checkpoint').open().catch(({ message }) => console.log(message));
      process.exit();`;
    const args = ['--import', 'tsx', '--input-type=module', '-e', script];
    const { stdout } = await promisify(execFile)(process.execPath, args);
    expect(stdout).to.equal('the disk has not answered for 5 s\n');
  });

  it('is what was written, and only its owner may read it', async () => {
    expect(await readAll()).to.include({ at: 7 });
    expect((await stat(path)).mode & 0o777).to.equal(0o600);
    expect(await readdir(join(folder, 'in'))).to.deep.equal(['one.checkpoint']);
    expect(await CheckpointReader.open(join(folder, 'two.checkpoint'), signal)).to.equal(undefined);
  });

  it('is refused when a byte of any part is another one, or bytes are missing', async () => {
    const whole = await readFile(path);
    const ends = whole.length - 25;
    const manifest = whole.lastIndexOf('{"at"');
    for (const at of [
      0,
      10,
      manifest - 1,
      manifest,
      ends - 1,
      ends,
      ends + 4,
      ends + 9,
      whole.length - 1,
    ]) {
      const damaged = Buffer.from(whole);
      damaged[at]! ^= 4;
      await writeFile(path, damaged);
      expect(await refusal(), `byte ${at} of ${whole.length}`).to.be.instanceOf(Damaged);
    }
    await writeFile(path, whole);
    for (const length of [whole.length - 1, whole.length - 30, manifest, 10, 0]) {
      await truncate(path, length);
      expect(await refusal(), `${length} bytes`).to.be.instanceOf(Damaged);
    }
  });

  it('is refused, and not waited for, where a pipe has its name', async () => {
    await rm(path);
    execFileSync('python3', ['-c', 'import os, sys; os.mkfifo(sys.argv[1])', path]);
    expect(await refusal()).to.be.instanceOf(Damaged);
  });

  it('is not read to its end once nothing waits for it', async () => {
    const given = new AbortController();
    const file = await CheckpointReader.open(path, given.signal);
    const reading = file!.read('large', Buffer.alloc(file!.bytesOf('large')));
    given.abort(new Error('the service ends'));
    const said = await reading.catch((error: Error) => error.message);
    await file!.close();
    expect(said).to.equal('the service ends');
  });

  it('stays while a newer one is being written, and when that is given up', async () => {
    const writer = new CheckpointWriter(path);
    await writer.open();
    await writer.section('small', piecesOf(Buffer.from('newer')));
    expect(await readAll()).to.include({ at: 7 });
    await writer.giveUp();
    expect(await readdir(join(folder, 'in'))).to.deep.equal(['one.checkpoint']);
    expect(await readAll()).to.include({ at: 7 });
  });

  it('is given up without an error, also where nothing can be removed', async () => {
    const writer = new CheckpointWriter(path);
    await writer.open();
    await rm(`${path}.new`);
    // A folder there is not removed: as on a disk that has become read-only.
    await mkdir(`${path}.new`);
    await writer.giveUp();
    expect(await readAll()).to.include({ at: 7 });
  });
});
