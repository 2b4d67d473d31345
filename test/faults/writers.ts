/**
 * Writers straight into the store, past the service: documents of random worlds, now one, now
 * another, so that a few ids change all the time.
 *
 * A fault or the store may refuse a write: the history has the writes that the majority kept.
 */
import { setTimeout as sleep } from 'node:timers/promises';
import fc from 'fast-check';
import { type ClientSession, type Db, type Document, MongoClient } from 'mongodb';
import { anyWorld, type GeneratedWorld, type Stored } from '../properties/worlds.ts';
import { randomFrom } from '../worlds/random.ts';

export const KINDS = ['users', 'projects', 'schedules', 'tasks'] as const;
export type Kind = (typeof KINDS)[number];

/** People who ask, and the project of the paths, are always there. */
const LASTING: Readonly<Record<Kind, number>> = { users: 3, projects: 1, schedules: 0, tasks: 0 };
const lasts = (kind: Kind, id: unknown) => LASTING[kind] > 0 && Number(id) <= LASTING[kind];

const PAUSE_MS = 15;

export type Random = () => number;

/** Documents to write, from a seed. */
export class Documents {
  readonly #worlds: readonly GeneratedWorld[];
  readonly #random: Random;

  /** @param inMemory only documents whose rows the index shows without asking the store */
  constructor(seed: number, inMemory = false) {
    const worlds = fc.sample(anyWorld, { numRuns: 60, seed });
    this.#worlds = inMemory ? worlds.map(toldByColumns) : worlds;
    this.#random = randomFrom(seed);
  }

  /** The largest world. */
  first(): GeneratedWorld {
    const sizes = this.#worlds.map((world) => KINDS.flatMap((kind) => world[kind]).length);
    return this.#worlds[sizes.indexOf(Math.max(...sizes))]!;
  }

  pick<T>(from: readonly T[]): T {
    return from[Math.floor(this.#random() * from.length)]!;
  }

  one(kind: Kind): Stored {
    for (;;) {
      const documents = this.pick(this.#worlds)[kind];
      if (documents.length > 0) return this.pick(documents);
    }
  }

  /** With values in the wrong members, but where they would keep people out. */
  jumbled(kind: Kind): Stored {
    const { _id, ...members } = this.one(kind);
    const values = KINDS.flatMap((other) => Object.entries(this.one(other)))
      .filter(([name]) => name !== '_id' && name !== 'config')
      .map(([, value]) => value);
    const kept = new Set(['identifier', 'members', 'active', 'config']);
    const soiled = Object.keys(members).map((name) => [
      name,
      kept.has(name) ? members[name] : this.pick(values),
    ]);
    return { _id, ...Object.fromEntries(soiled) };
  }
}

/**
 * The same world without values that columns do not tell: arrays, numbers and ids of rare types.
 */
function toldByColumns(world: GeneratedWorld): GeneratedWorld {
  const told = (name: string, value: unknown) =>
    ['string', 'number', 'boolean'].includes(typeof value) ||
    value instanceof Date ||
    name === 'config' ||
    (name === 'members' && Array.isArray(value) && value.every(isMember));
  const kept = (kind: Kind) =>
    world[kind].map(({ _id, ...members }) => ({
      _id,
      ...Object.fromEntries(
        Object.entries(members).map(([name, value]) => [name, told(name, value) ? value : null]),
      ),
    }));
  const all = Object.fromEntries(KINDS.map((kind) => [kind, kept(kind)]));
  return { ...world, ...all } as GeneratedWorld;
}

const isMember = (one: unknown): boolean =>
  typeof one === 'object' && one !== null && Number.isInteger((one as Document).user_id);

type Write = (db: Db, documents: Documents, session: ClientSession) => Promise<unknown>;

const WRITES: readonly Write[] = [
  (db, documents, session) => put(db, documents, session),
  (db, documents, session) => put(db, documents, session),
  (db, documents, session) => change(db, documents, session),
  (db, documents, session) => change(db, documents, session),
  (db, documents, session) => remove(db, documents, session),
  (db, documents, session) => changeMany(db, documents, session),
  (db, documents, session) =>
    session.withTransaction(
      async () => {
        await put(db, documents, session);
        await change(db, documents, session);
        await remove(db, documents, session);
      },
      { writeConcern: { w: 'majority', wtimeoutMS: 2_000 }, maxCommitTimeMS: 2_000 },
    ),
];

async function put(db: Db, documents: Documents, session: ClientSession): Promise<void> {
  const kind = documents.pick(KINDS);
  const { _id, ...members } = documents.one(kind);
  await db.collection(kind).replaceOne({ _id }, members, { session, upsert: true });
}

async function change(db: Db, documents: Documents, session: ClientSession): Promise<void> {
  const kind = documents.pick(KINDS);
  const { _id, ...members } = documents.one(kind);
  await db.collection(kind).updateOne({ _id }, { $set: members }, { session });
}

async function remove(db: Db, documents: Documents, session: ClientSession): Promise<void> {
  const kind = documents.pick(KINDS);
  const { _id } = documents.one(kind);
  if (!lasts(kind, _id)) await db.collection(kind).deleteOne({ _id }, { session });
}

async function changeMany(db: Db, documents: Documents, session: ClientSession): Promise<void> {
  const kind = documents.pick(KINDS);
  const members = Object.entries(documents.one(kind)).filter(
    ([name]) => !['_id', 'identifier', 'members', 'active', 'config', ...CHANGED].includes(name),
  );
  if (members.length === 0) return;
  const [name, value] = documents.pick(members);
  await db.collection(kind).updateMany({}, { $set: { [name]: value } as Document }, { session });
}

/** Members that clients change through the service. */
const CHANGED = ['enabled', 'preserve', 'status', 'date_done', 'task_id', 'project_id', 'scope'];

/** Writes all documents of a world. */
export async function fill(db: Db, world: GeneratedWorld): Promise<void> {
  for (const kind of KINDS) {
    const documents = world[kind] as Document[];
    if (documents.length > 0) await db.collection(kind).insertMany(documents as never[]);
  }
}

/** Writes with `w: 1`, so that some of it is rolled back, until it is told to stop. */
export async function writeUntil(
  over: () => boolean,
  uri: string,
  dbName: string,
  documents: Documents,
): Promise<number> {
  const client = new MongoClient(uri, {
    writeConcern: { w: 1 },
    serverSelectionTimeoutMS: 2_000,
    socketTimeoutMS: 5_000,
    connectTimeoutMS: 2_000,
  });
  let done = 0;
  try {
    while (!over()) {
      const write = documents.pick(WRITES);
      await client
        .withSession((session) => write(client.db(dbName), documents, session))
        .then(
          () => done++,
          () => undefined,
        );
      await sleep(PAUSE_MS);
    }
  } finally {
    await client.close();
  }
  return done;
}
