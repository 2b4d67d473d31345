/** The store that a command looks at: its connection, its database, and advice where either fails. */
import { type Db, MongoClient } from 'mongodb';
import { INDEXES, OTHERS } from '../../apps/views/savedView.ts';
import { SETTINGS } from '../../config.ts';
import { DATABASE, STORE, withoutSecrets } from '../../settings.ts';
import { faultOf } from '../../store/faults.ts';
import { refusesAccount } from '../../store/storeVerdict.ts';
import { probed } from '../../store/storeWatch.ts';
import { byReason, firstOf, type Look, look } from '../../tables/sample/index.ts';
import { CliError, EXIT, usage } from '../failure.ts';
import { settingNow, taken } from './settingNow.ts';

const WAIT_MS = 5_000;
/** A store that falls silent in the middle of a look. */
const SILENCE_MS = 30_000;
/** Collections that are named of those that are left out for one reason. */
const MOST_NAMES = 5;
const OF_THE_SERVER: ReadonlySet<string> = new Set(['admin', 'config', 'local']);

/**
 * Works on a database of the store: the given one, the URI's, or the only one there is.
 *
 * @throws CliError with one line that says what to do
 */
export async function atStore<T>(
  uri: string,
  dbName: string | undefined,
  work: (db: Db) => Promise<T>,
): Promise<T> {
  if (!/^mongodb(\+srv)?:\/\//.test(uri)) {
    throw usage(
      `${withoutSecrets(uri)} is no connection string; it begins with mongodb:// or mongodb+srv://.`,
    );
  }
  const client = new MongoClient(taken(STORE, uri, withoutSecrets(uri)), {
    appName: 'table-search-init',
    serverSelectionTimeoutMS: WAIT_MS,
    connectTimeoutMS: WAIT_MS,
    socketTimeoutMS: SILENCE_MS,
    maxPoolSize: 8,
  });
  const named = databaseOf(uri, dbName);
  try {
    await client.connect();
    return await work(client.db(named ?? (await onlyDatabase(client))));
  } catch (error) {
    throw await sayWhatToDo(error, uri);
  } finally {
    await client.close();
  }
}

/**
 * Looks at collections, and tells which are left out.
 *
 * @throws CliError where there is nothing to make a table of
 */
export async function lookAt(
  db: Db,
  options: Parameters<typeof look>[1],
  onUnfollowable: (kind: 'sharded' | 'standalone') => void,
): Promise<Look> {
  const found = await look(db, { ...options, without: await ownCollections(db) });
  const { unfollowable } = found.survey;
  if (unfollowable !== null) onUnfollowable(unfollowable);
  for (const line of leftOutLines(found.drafts.leftOut)) console.error(line);
  if (found.drafts.tables.length > 0) return found;
  const asked = options.only?.length ? `${options.only.join(' or ')} ` : '';
  const none = `${db.databaseName} has no collection ${asked}to make a table of.`;
  throw new CliError(none, EXIT.missing);
}

/** A line for each collection, or the first of them in one line where many are left out for one reason. */
function leftOutLines(leftOut: Look['drafts']['leftOut']): string[] {
  return [...byReason(leftOut)].flatMap(([why, names]) => {
    const lines = names.length > MOST_NAMES ? [firstOf(names, MOST_NAMES)] : names;
    return lines.map((line) => `Left out: ${line}, ${why}.`);
  });
}

/** A line for a collection of saved views that is another program's; undefined if it is not. */
export async function foreignViews(db: Db, viewsCollection: string): Promise<string | undefined> {
  if (viewsCollection === 'off') return;
  // The account of the look need not read this collection.
  const other = await db
    .collection(viewsCollection)
    .findOne(OTHERS)
    .catch(() => null);
  if (!other) return;
  return (
    `note: the service would keep saved views in ${viewsCollection}, where another program has ` +
    'documents: set VIEWS_COLLECTION to another name, or to off.'
  );
}

/** The database of `--db`, or of the URI's path, which may name the server's own: accounts are there. */
function databaseOf(uri: string, given: string | undefined): string | undefined {
  if (given !== undefined) return taken(DATABASE, given, `--db ${JSON.stringify(given)}`);
  const [, path] = /^mongodb(?:\+srv)?:\/\/[^/?]*\/([^?]+)/.exec(uri) ?? [];
  const name = path && decodeURIComponent(path);
  if (name === undefined || OF_THE_SERVER.has(name)) return undefined;
  return taken(DATABASE, name, `${JSON.stringify(name)} in the URI`);
}

async function onlyDatabase(client: MongoClient): Promise<string> {
  const { databases } = await client.db('admin').command({ listDatabases: 1, nameOnly: true });
  const names = (databases as { name: string }[])
    .map(({ name }) => name)
    .filter((name) => !OF_THE_SERVER.has(name));
  if (names.length === 1) return names[0]!;
  const list = names.length === 0 ? 'there is none yet' : `there are ${names.join(', ')}`;
  throw usage(`Name a database by --db or at the end of the URI: ${list}.`);
}

/**
 * Collections that the service itself writes, with their purposes. Another program's may have the
 * same name: saved views are told by their database indexes.
 */
async function ownCollections(db: Db): Promise<Readonly<Record<string, string>>> {
  const name = settingNow(SETTINGS.viewsCollection);
  if (name === 'off') return {};
  const found = await db
    .collection(name)
    .indexes()
    .catch(() => []);
  const keys = found.map(({ key }) => JSON.stringify(key));
  const isOwn = INDEXES.every(({ key }) => keys.includes(JSON.stringify(key)));
  return isOwn ? { [name]: 'the saved views of table-search' } : {};
}

/** The failure as one line for the person at the terminal; a defect stays as it is. */
async function sayWhatToDo(error: unknown, uri: string): Promise<unknown> {
  if (error instanceof CliError || !(error instanceof Error)) return error;
  const at = withoutSecrets(uri);
  if (refusesAccount(error.message)) {
    return new CliError(`${at}: wrong user or password; check both, and authSource.`, EXIT.refused);
  }
  switch (faultOf(error)) {
    case 'denied':
      if (!uri.includes('@')) {
        return new CliError(
          `${at}: MongoDB asks who you are: name a user in the URI, as mongodb://user:password@… does.`,
          EXIT.refused,
        );
      }
      return new CliError(
        `${at}: this account may not look at the database; grant it the role \`read\` there, as db.grantRolesToUser(…, ["read"]) does.`,
        EXIT.refused,
      );
    case 'away':
    case 'notYet': {
      const found = await probed(uri);
      // The fault of servers that answer, and the remedy.
      const said = found.state === 'down' && found.unfit ? `${found.cause}.` : unreached(error);
      return new CliError(`${at}: ${said}`, EXIT.unavailable);
    }
    case 'outOfTime':
      return new CliError(`${at}: MongoDB took too long to answer; try again.`, EXIT.unavailable);
    default:
      return error;
  }
}

const unreached = ({ message }: Error): string =>
  `no MongoDB answers (${message}). Is it running, and may this machine reach it?`;

/** The line about a store that the index cannot follow. */
export const notFollowed = (what: 'sharded' | 'standalone'): string =>
  what === 'standalone'
    ? 'This is a standalone server, and table-search needs a replica set, of one node at least: start mongod with --replSet rs0 and run rs.initiate() once; the data stay.'
    : 'This is a sharded cluster, and the index follows replica sets alone: `table-search serve --tables` searches here by pipelines, which are slow.';
