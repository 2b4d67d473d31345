/** What is to be said of the user of a token: that no such user is there, or that they are not active. */
import { MongoClient } from 'mongodb';
import { type Config, storeUri } from '../../config.ts';
import { runningEmbedded } from '../embedded/running.ts';

/** How long the store may take to answer, milliseconds: the token is there already. */
const WAIT_MS = 2_000;

/** Undefined where there is nothing to say. */
export async function userWarning(userId: number, config: Config): Promise<string | undefined> {
  const uri = storeUri(config, undefined) ?? (await runningEmbedded(config.dataDir))?.uri;
  // A token that is made before the first start is nothing to warn of.
  if (uri === undefined) return undefined;
  const wait = { serverSelectionTimeoutMS: WAIT_MS, connectTimeoutMS: WAIT_MS };
  const client = new MongoClient(uri, wait);
  try {
    const users = client
      .db(config.mongodbDb)
      .collection<{ _id: number; active?: unknown }>('users');
    const [user] = await users.find({ _id: userId }, { timeoutMS: WAIT_MS }).limit(1).toArray();
    if (!user) return `${nobody(userId)}; ${await known(client, config)}`;
    if (user.active !== true) return `User ${userId} is not active: the token will be refused.`;
    return undefined;
  } catch {
    return `Whether user ${userId} is there is not known: the store did not answer.`;
  } finally {
    await client.close();
  }
}

const nobody = (userId: number) =>
  `There is no user ${userId} in the store: the token will be refused`;

/** Some that would do. */
async function known(client: MongoClient, { mongodbDb }: Config): Promise<string> {
  const users = client.db(mongodbDb).collection<{ _id: number }>('users');
  const options = { projection: { _id: 1 }, timeoutMS: WAIT_MS } as const;
  const some = await users.find({ active: true }, options).sort({ _id: 1 }).limit(3).toArray();
  if (some.length === 0) return `the database ${mongodbDb} has no active user.`;
  return `active ones are ${some.map(({ _id }) => _id).join(', ')}.`;
}
