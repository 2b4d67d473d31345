/** The soak's store: tasks, projects and users that hang together, and the changes made to them. */
import type { Db, Document, MongoClient } from 'mongodb';
import { insertTasks, taskAt } from './tasks.ts';

type Random = () => number;

const PROJECTS = 2_000;
const USERS = 1_000;

/** The identifier that `taskAt` writes for the n-th project. */
export const identifier = (n: number) =>
  `${n.toString(16).padStart(8, '0')}-0000-4000-a000-000000000000`;

const projectAt = (n: number, random: Random): Document => ({
  _id: n,
  identifier: identifier(n),
  name: `Project ${n} ${random().toString(36).slice(2, 6)}`,
  type: 'custom',
  members: membersAt(random),
  tc_creation: new Date(1_700_000_000_000 + n),
});
const membersAt = (random: Random): Document[] =>
  Array.from({ length: 1 + Math.floor(random() * 4) }, () => ({
    user_id: Math.floor(random() * USERS),
    role: 'member',
  }));
const userAt = (n: number): Document => ({
  _id: n,
  email: `user${n}@example.com`,
  first_name: `First${n % 50}`,
  last_name: `Last${n % 70}`,
  active: true,
});

export async function fill(db: Db, tasks: number, random: Random): Promise<void> {
  const many = (count: number, at: (n: number) => Document) =>
    Array.from({ length: count }, (_, n) => at(n));
  await db.collection('users').insertMany(many(USERS, userAt));
  await db.collection('projects').insertMany(many(PROJECTS, (n) => projectAt(n, random)));
  await insertTasks(db.collection('tasks'), tasks, random);
}

/** Keeps the store's size: what one change inserts, another one deletes. */
export class Changes {
  readonly #client: MongoClient;
  readonly #db: Db;
  readonly #random: Random;
  #oldest = 0;
  #newest: number;

  constructor(client: MongoClient, db: Db, tasks: number, random: Random) {
    this.#client = client;
    this.#db = db;
    this.#random = random;
    this.#newest = tasks;
  }

  /** Some tens of changed documents; returns how many. */
  async some(): Promise<number> {
    const dice = this.#random();
    if (dice < 0.6) return await this.#work();
    if (dice < 0.85) return await this.#turnover();
    if (dice < 0.95) return await this.#related();
    return await this.#transaction();
  }

  #anyTask(): never {
    const span = this.#newest - this.#oldest;
    return (this.#oldest + Math.floor(this.#random() * span)) as never;
  }

  /** Tasks go on. */
  async #work(): Promise<number> {
    const status = ['STARTED', 'SUCCESS', 'FAILURE'][Math.floor(this.#random() * 3)];
    const operations = Array.from({ length: 20 }, () => ({
      updateOne: {
        filter: { _id: this.#anyTask() },
        update: { $set: { status, date_done: new Date(), worker: `worker-${status}` } },
      },
    }));
    await this.#db.collection('tasks').bulkWrite(operations, { ordered: false });
    return operations.length;
  }

  /** New ones come, the oldest go. */
  async #turnover(): Promise<number> {
    const fresh = Array.from({ length: 20 }, () => taskAt(this.#newest++, this.#random));
    await this.#db.collection('tasks').insertMany(fresh, { ordered: false });
    const from = this.#oldest as never;
    this.#oldest += 20;
    const below = this.#oldest as never;
    await this.#db.collection('tasks').deleteMany({ _id: { $gte: from, $lt: below } });
    return 40;
  }

  /** Names and members that show in other collections' rows. */
  async #related(): Promise<number> {
    const n = Math.floor(PROJECTS * this.#random() ** 3);
    const { name, members } = projectAt(n, this.#random);
    const projects = this.#db.collection('projects');
    await projects.updateOne({ _id: n as never }, { $set: { name, members } });
    const user = Math.floor(this.#random() * USERS);
    const email = `user${user}@${this.#random() < 0.5 ? 'example' : 'sample'}.com`;
    await this.#db.collection('users').updateOne({ _id: user as never }, { $set: { email } });
    return 2;
  }

  /** A project and its tasks at once. */
  async #transaction(): Promise<number> {
    const n = Math.floor(PROJECTS * this.#random());
    const name = `Project ${n} together`;
    await this.#client.withSession((session) =>
      session.withTransaction(async () => {
        const one = { _id: n as never };
        await this.#db.collection('projects').updateOne(one, { $set: { name } }, { session });
        const of = { project_id: identifier(n), _id: { $gte: this.#oldest as never } };
        await this.#db.collection('tasks').updateOne(of, { $set: { folder: name } }, { session });
      }),
    );
    return 2;
  }
}
