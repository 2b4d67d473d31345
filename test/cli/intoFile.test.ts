/** Files that commands write: whole or not at all, with the mode of the file before, and through links. */
import {
  chmodSync,
  lstatSync,
  readdirSync,
  readFileSync,
  statSync,
  symlinkSync,
  writeFileSync,
} from 'node:fs';
import path from 'node:path';
import { expect } from 'chai';
import { EXIT } from '../../src/cli/failure.ts';
import { intoFile } from '../../src/cli/intoFile.ts';
import { useFolder } from '../support/folder.ts';

describe('intoFile', () => {
  const folder = useFolder('into-file');
  const [file, link] = ['a.csv', 'link.csv'].map((name) => path.join(folder, name)) as [
    string,
    string,
  ];
  const modeOf = (name: string) => statSync(name).mode & 0o777;
  const write = (name: string, text: string) => intoFile(name, (to) => to(Buffer.from(text)));

  before(() => {
    writeFileSync(file, 'before');
    symlinkSync('a.csv', link);
  });
  beforeEach(() => writeFileSync(file, 'before'));

  for (const mode of [0o600, 0o666]) {
    it(`keeps the mode ${mode.toString(8)} of the file before, also through a link`, async () => {
      for (const name of [file, link]) {
        chmodSync(file, mode);
        await intoFile(name, async (to) => {
          const [draft] = readdirSync(folder).filter((one) => one.endsWith('.part'));
          expect(modeOf(path.join(folder, draft!))).equal(mode);
          await to(Buffer.from(name));
        });
        expect([readFileSync(file, 'utf8'), modeOf(file)]).eql([name, mode]);
        expect(lstatSync(link).isSymbolicLink()).equal(true);
      }
    });
  }

  it('leaves the old file where it fails, also behind a link', async () => {
    for (const name of [file, link]) {
      const failed = intoFile(name, async (to) => {
        await to(Buffer.from('a part'));
        throw new Error('cut');
      });
      expect(await failed.catch(({ message }) => message)).equal('cut');
      expect(readFileSync(file, 'utf8')).equal('before');
    }
    expect(readdirSync(folder).sort()).eql(['a.csv', 'link.csv']);
  });

  it('keeps writers apart who write one file at once', async () => {
    await intoFile(file, async (to) => {
      await to(Buffer.from('slow '));
      await write(file, 'quick');
      expect(readFileSync(file, 'utf8')).equal('quick');
      await to(Buffer.from('and whole'));
    });
    expect(readFileSync(file, 'utf8')).equal('slow and whole');
  });

  it('says that there is no such folder', async () => {
    const { code, message } = await write('/nowhere/x.csv', '').catch((error) => error);
    expect([code, message]).eql([
      EXIT.failed,
      '/nowhere/x.csv cannot be written: there is no such folder.',
    ]);
  });

  it('writes a new file behind a link that leads nowhere yet', async () => {
    const [target, dangling] = ['new.csv', 'dangling.csv'].map((name) => path.join(folder, name));
    symlinkSync('new.csv', dangling!);
    await write(dangling!, 'new');
    expect(readFileSync(target!, 'utf8')).equal('new');
    expect(lstatSync(dangling!).isSymbolicLink()).equal(true);
  });
});
