/** Downloads of logs and snapshots under way: they end with their caller's right, and only then. */
import { randomBytes } from 'node:crypto';
import { Readable } from 'node:stream';
import { pipeline } from 'node:stream/promises';
import { expect } from 'chai';
import { GridFSBucket } from 'mongodb';
import { until } from '../../support/until.ts';
import { type Any, HARBOUR, SAILOR, useScene } from './scene.ts';

const MB = 2 ** 20;

for (const SEARCH_INDEX of ['on', 'off'] as const) {
  describe(`downloads whose right ends (SEARCH_INDEX=${SEARCH_INDEX})`, function downloads() {
    this.timeout(60_000);
    const scene = useScene({ SEARCH_INDEX });
    const collection = (of: string) => scene.db.collection<Any>(of);
    /** More than all buffers between store and client hold. */
    let paths: readonly string[];

    before(async () => {
      const bucket = new GridFSBucket(scene.db, { bucketName: 'snapshots' });
      const upload = bucket.openUploadStream('atlas.json');
      await pipeline(Readable.from(many(32, () => randomBytes(MB))), upload);
      const { task_id } = await scene.task({ snapshot_file_id: upload.id });
      for (const seq of many(32, (n) => n)) {
        const message = randomBytes(MB / 2).toString('hex');
        await collection('task_logs').insertOne({ task_id, seq, level: 'INFO', message });
      }
      paths = [
        `/api/v2/tasks/${task_id}/snapshot/download`,
        `/api/v2/tasks/${task_id}/logs`,
        `/api/v2/projects/${HARBOUR}/tasks/${task_id}/logs`,
      ];
    });
    afterEach(async () => {
      await collection('users').updateOne({ _id: SAILOR }, { $set: { active: true } });
      const members = [{ user_id: SAILOR, role: 'owner' }];
      await collection('projects').updateOne({ identifier: HARBOUR }, { $set: { members } });
      await until(async () => {
        return (await scene.call('HEAD', paths[2]!, { as: SAILOR })).status === 200;
      });
      scene.service.logLines.length = 0;
    });

    /** A download whose client has taken its beginning. */
    async function begin(path: string, token: string) {
      const headers = { accept: 'text/plain, */*;q=0.1', 'accept-encoding': 'identity' };
      const answer = await fetch(scene.service.url + path, {
        headers: { ...headers, authorization: `Bearer ${token}` },
      });
      expect(answer.status).equal(200);
      const reader = answer.body!.getReader();
      await reader.read();
      return {
        /** Kept: an answer that nobody knows any more is given up by fetch. */
        answer,
        async rest(): Promise<'whole' | 'cut'> {
          try {
            while (!(await reader.read()).done);
            return 'whole';
          } catch {
            return 'cut';
          }
        },
      };
    }

    const ended = (reason: string) =>
      scene.service.logLines.filter((line) => line.includes(reason)).length === paths.length;

    for (const [what, change] of [
      [
        'membership',
        () => collection('projects').updateOne({ identifier: HARBOUR }, { $set: { members: [] } }),
      ],
      ['user', () => collection('users').updateOne({ _id: SAILOR }, { $set: { active: false } })],
    ] as const) {
      it(`are cut when their ${what} is gone, and those of others go on`, async () => {
        const own = await Promise.all(
          paths.map(async (path) => begin(path, await scene.token(SAILOR))),
        );
        const admins = await begin(paths[0]!, await scene.token());
        await change();
        await until(() => ended('You no longer have access to this.'));
        for (const one of own) expect(await one.rest()).equal('cut');
        expect(await admins.rest()).equal('whole');
      });
    }

    it('are cut when their token ends', async () => {
      const token = await scene.service.token(SAILOR, false, 3);
      const own = await Promise.all(paths.map((path) => begin(path, token)));
      await until(() => ended('The token has expired.'));
      for (const one of own) expect(await one.rest()).equal('cut');
    });

    it('come whole where nothing ends', async () => {
      const own = await begin(paths[1]!, await scene.token(SAILOR));
      await collection('projects').updateOne(
        { identifier: HARBOUR },
        { $set: { name: 'Harbour' } },
      );
      expect(await own.rest()).equal('whole');
    });
  });
}

const many = <T>(count: number, make: (n: number) => T): T[] =>
  Array.from({ length: count }, (_, n) => make(n));
