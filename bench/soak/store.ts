/** The soak's store: generated tasks, projects and users that hang together, and the changes made to them. */
import { randomUUID } from 'node:crypto';
import type { Db, Document, MongoClient } from 'mongodb';
import { GENERATED_FROM, planOf } from '../../src/dev/fixtures/generate/plan.ts';
import { loadFixtures } from '../../src/dev/fixtures/load/load.ts';

type Random = () => number;
type Numbered = Document & { _id: number };

const SEED = 7;
const plan = (tasks: number) => planOf({ tasks, seed: SEED, logs: 0 });

export async function fill(db: Db, tasks: number): Promise<void> {
  await loadFixtures(db, { plan: plan(tasks) });
}

/** Keeps the store's size: what one change inserts, another one deletes. */
export class Changes {
  readonly #client: MongoClient;
  readonly #db: Db;
  readonly #random: Random;
  readonly #projects: number;
  readonly #users: number;
  #oldest = GENERATED_FROM;
  #newest: number;

  constructor(client: MongoClient, db: Db, tasks: number, random: Random) {
    this.#client = client;
    this.#db = db;
    this.#random = random;
    this.#projects = plan(tasks).projects;
    this.#users = plan(tasks).users;
    this.#newest = GENERATED_FROM + tasks;
  }

  /** Some tens of changed documents; returns how many. */
  async some(): Promise<number> {
    const dice = this.#random();
    if (dice < 0.6) return await this.#work();
    if (dice < 0.85) return await this.#turnover();
    if (dice < 0.95) return await this.#related();
    return await this.#transaction();
  }

  #below(count: number): number {
    return Math.floor(count * this.#random());
  }

  #anyTask(): number {
    return this.#oldest + this.#below(this.#newest - this.#oldest);
  }

  /** Low numbers more often: of these projects most tasks are. */
  #anyProject(): number {
    return GENERATED_FROM + Math.floor(this.#projects * this.#random() ** 3);
  }

  #collection(name: 'tasks' | 'projects' | 'users') {
    return this.#db.collection<Numbered>(name);
  }

  /** Tasks go on. */
  async #work(): Promise<number> {
    const status = ['STARTED', 'SUCCESS', 'FAILURE'][this.#below(3)];
    const operations = Array.from({ length: 20 }, () => ({
      updateOne: {
        filter: { _id: this.#anyTask() },
        update: { $set: { status, date_done: new Date(), worker: `worker-${status}` } },
      },
    }));
    await this.#collection('tasks').bulkWrite(operations, { ordered: false });
    return operations.length;
  }

  /** New ones come, the oldest go. */
  async #turnover(): Promise<number> {
    const tasks = this.#collection('tasks');
    const like = await tasks.findOne({ _id: this.#anyTask() });
    const fresh = Array.from({ length: 20 }, () => ({
      ...{ ...like, _id: this.#newest++, task_id: randomUUID(), date_queued: new Date() },
    }));
    await tasks.insertMany(fresh, { ordered: false });
    const from = this.#oldest;
    this.#oldest += 20;
    await tasks.deleteMany({ _id: { $gte: from, $lt: this.#oldest } });
    return 40;
  }

  /** Names and members that show in other collections' rows. */
  async #related(): Promise<number> {
    const name = `Project ${this.#random().toString(36).slice(2, 6)}`;
    const member = { user_id: GENERATED_FROM + this.#below(this.#users), role: 'member' };
    const one = { _id: this.#anyProject() };
    await this.#collection('projects').updateOne(one, { $set: { name, members: [member] } });
    const user = GENERATED_FROM + this.#below(this.#users);
    const email = `user${user}@${this.#random() < 0.5 ? 'example' : 'sample'}.com`;
    await this.#collection('users').updateOne({ _id: user }, { $set: { email } });
    return 2;
  }

  /** A project and one of its tasks at once. */
  async #transaction(): Promise<number> {
    const projects = this.#collection('projects');
    const one = { _id: this.#anyProject() };
    const name = `Project ${one._id} together`;
    await this.#client.withSession((session) =>
      session.withTransaction(async () => {
        const project = await projects.findOneAndUpdate(one, { $set: { name } }, { session });
        const of = { project_id: project!.identifier, _id: { $gte: this.#oldest } };
        await this.#collection('tasks').updateOne(of, { $set: { folder: name } }, { session });
      }),
    );
    return 2;
  }
}
