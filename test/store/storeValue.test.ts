/** Stored values as the index has them, and ids told apart: a timestamp is no number. */
import { expect } from 'chai';
import { type Db, Long, Timestamp } from 'mongodb';
import { idKey, scalarOf } from '../../src/store/bson/storeValue.ts';
import { Deadline } from '../../src/store/deadline.ts';
import { SnapshotRead } from '../../src/store/snapshotRead.ts';
import type { Resource } from '../../src/tables/definition/definition.ts';
import { relationKeyOf } from '../../src/tables/definition/relationKey.ts';
import { readRows } from '../../src/tables/rows/readRows.ts';
import { useDatabase } from '../support/database.ts';

const MOMENT = new Timestamp({ t: 0, i: 5 });

describe('a timestamp', () => {
  const database = useDatabase();

  it('is no number, which leads to documents', () => {
    expect(scalarOf(MOMENT)).equal(undefined);
    expect(relationKeyOf(MOMENT, 'number')).equal(undefined);
    expect(relationKeyOf(Long.fromNumber(5), 'number')).equal(5);
  });

  it('is another id than the number of its bits', () => {
    expect(idKey(MOMENT)).not.equal(idKey(5));
    expect(idKey(MOMENT)).equal(idKey(new Timestamp(5n)));
  });

  it('names its own row of a page', async () => {
    const events = (database.db as Db).collection<{ _id: unknown; name: string }>('events');
    await events.insertMany([
      { _id: MOMENT, name: 'by time' },
      { _id: 5, name: 'by number' },
    ]);
    const deadline = new Deadline(10_000);
    const read = new SnapshotRead(database.db, { deadline });
    const resource = { collection: 'events', joins: [] as const } as unknown as Resource;
    const rows = await readRows(read, resource, {}, [MOMENT, 5]);
    deadline.close();
    expect(rows.map((row) => row!.document.name)).eql(['by time', 'by number']);
  });
});
