/** The poller: every task that ends, once, in whatever order the ends become visible. */
import { expect } from 'chai';
import { type EndedTask, endedTasks } from '../../examples/poller/endedTasks.ts';
import { useWorld } from '../client/world.ts';
import { task, uuid } from '../conformance/documents.ts';
import { until } from '../support/until.ts';

describe('a poller that never misses a row', function poller() {
  this.timeout(60_000);
  const world = useWorld();

  it('sees each end once: late ones, ends of one moment, and those of tasks that ran again', async () => {
    const from = new Date('2026-05-01T12:00:00Z');
    const at = (seconds: number) => new Date(from.getTime() + seconds * 1_000);
    const stop = new AbortController();
    const seen: EndedTask[] = [];
    const tasks = world.client.table('adminTasks');
    const options = { from, overlapMs: 60_000, everyMs: 20, signal: stop.signal };
    const polling = (async () => {
      for await (const one of endedTasks(tasks, options)) seen.push(one);
    })().catch((error: Error) => error);

    const collection = world.database.db.collection('tasks');
    const ended = (n: number, seconds: number) =>
      task(n, { status: 'SUCCESS', date_done: at(seconds) });
    const expected: string[] = [];
    const write = async (documents: ReturnType<typeof ended>[]) => {
      await collection.insertMany(documents);
      expected.push(...documents.map((one) => `${one.task_id} ${one.date_done.toISOString()}`));
      await until(() => seen.length >= expected.length, 'not all ends are seen');
    };
    // More than a page of one moment.
    await write(Array.from({ length: 150 }, (_, i) => ended(1_000 + i, 10)));
    await write([ended(2_000, 100), ended(2_001, 70)]);
    // They ended before the last one seen, and become visible now.
    await write([ended(3_000, 41), ended(3_001, 99.5)]);
    // One that had ended runs again.
    const again = at(120);
    await collection.updateOne({ _id: 2_000 as never }, { $set: { date_done: again } });
    expected.push(`${uuid(2_000)} ${again.toISOString()}`);
    await until(() => seen.length >= expected.length, 'the second end is not seen');
    await write([ended(4_000, 500)]);

    stop.abort();
    expect(await polling)
      .instanceOf(Error)
      .property('name', 'AbortError');
    const keys = seen.map(({ task_id, date_done }) => `${task_id} ${date_done}`);
    expect(keys).members(expected);
    expect(new Set(keys).size).equal(keys.length);
  });
});
