/** When checkpoints are written: with changes, and where the file before is old. */
import { expect } from 'chai';
import type { Timestamp } from 'mongodb';
import type { Follower } from '../../src/follow/follower.ts';
import { type ClusterTime, toTimestamp } from '../../src/store/clusterTime.ts';
import { Checkpoints } from '../../src/tables/checkpoint/checkpoints.ts';
import { readTablesFile } from '../../src/tables/file/index.ts';
import { Tables } from '../../src/tables/index/tables.ts';
import { createIndex, standardFold } from '../../src/textindex/index.ts';
import { Said } from '../follow/support/following.ts';
import { useFolder } from '../support/folder.ts';

const FILE = `
version: 1
tables:
  orders: { collection: orders, fields: { id: number } }
`;
const HOUR_S = 3_600n;
const START = 1_790_000_000n;

describe('checkpoints', () => {
  const folder = useFolder('checkpoints');
  const fold = standardFold();
  const read = readTablesFile(FILE);
  if ('problems' in read) throw new Error(JSON.stringify(read.problems));
  const { resource } = read.tables[0]!;

  /**
   * A life that ends at this moment, in seconds, in which so many rows come; returns its log. `latest`: the moment of
   * the latest event.
   */
  async function live(seconds: bigint, rows = 0, latest = seconds): Promise<string> {
    const tables = new Tables({
      ...{ resources: { [resource.name]: resource }, maxBytes: 1e9, maxRestBytes: 1e9 },
      createTable: (definition) => createIndex(definition, { fold }),
      onBroken: ({ error }) => {
        throw error;
      },
    });
    const log = new Said();
    const decides = () => resource.name;
    const checkpoints = new Checkpoints({
      ...{ folder, decides, dbName: 'db', fold: () => fold, tables, log },
    });
    await checkpoints.restore(new AbortController().signal);
    const { name } = resource;
    const columns = tables.of(name).layout.sources;
    const put = Array.from({ length: rows }, (_, id) => ({ id, cells: columns.map(() => null) }));
    if (rows > 0) tables.load(name, put, []);
    checkpoints.start(followerAt(seconds << 32n, latest << 32n));
    await checkpoints.close();
    tables.close();
    return log.lines.join('\n');
  }

  function followerAt(
    at: ClusterTime,
    latest: ClusterTime,
  ): Pick<Follower, 'standStill' | 'state'> {
    const time = latest.toString(16).padStart(16, '0').toUpperCase();
    const moment = {
      ...{ at, anchor: `82${time}2B022C0100296E04` },
      ...{ uuids: new Map([[resource.name, 'a UUID']]), isVoid: () => false },
    };
    const state = { phase: 'live', frontier: toTimestamp(at) as Timestamp | null };
    return { standStill: (work) => work(moment), state: state as Follower['state'] };
  }

  it('are written at an end where something has changed, or where the file is of over an hour ago', async () => {
    expect(await live(START, 3))
      .include('there is none')
      .include('checkpoint written');
    expect(await live(START + HOUR_S / 2n))
      .include('checkpoint read')
      .not.include('written');
    expect(await live(START + 2n * HOUR_S))
      .include('checkpoint read')
      .include('checkpoint written');
    expect(await live(START + 3n * HOUR_S)).not.include('written');
    expect(await live(START + 3n * HOUR_S, 4)).include('checkpoint written');
  });

  it('are not written again where the oplog would have to reach back as far', async () => {
    const latest = START + 4n * HOUR_S;
    expect(await live(latest, 5)).include('checkpoint written');
    expect(await live(latest + 2n * HOUR_S, 0, latest))
      .include('checkpoint read')
      .not.include('written');
    expect(await live(latest + 2n * HOUR_S)).include('checkpoint written');
  });
});
