/**
 * `table-search open`: from a URI to tables in a browser, for this run alone.
 *
 *     look ─▶ definitions in memory ─▶ the service on loopback, a free port, a new secret ─▶ the link
 *
 * Nothing is written, neither to the store nor to disk: no database index, no heartbeat, no file.
 */
import { randomBytes } from 'node:crypto';
import type { Db } from 'mongodb';
import { type Config, readConfig } from '../../config.ts';
import { createLog, formatted } from '../../log.ts';
import { mintToken } from '../../serve/auth/mint.ts';
import { startService } from '../../service.ts';
import { faultOf } from '../../store/faults.ts';
import type { OwnTable } from '../../tables/file/index.ts';
import { definitionOf, type Look, plural, type Survey } from '../../tables/sample/index.ts';
import { CliError, EXIT } from '../failure.ts';
import { aborted, interruption } from '../interruption.ts';
import { atStore, lookAt, notFollowed } from './store.ts';

export interface OpenOptions {
  readonly db?: string;
  readonly port?: number;
}

/** The token ends with the day at the latest; the service ends with the command. */
const LIFE_S = 12 * 3_600;
/** Documents drawn from each collection: few, so that the link comes soon. */
const DRAWN = 1_000;
const WHO = 'owner';

/**
 * Serves until Ctrl-C.
 *
 * @throws CliError with one line that says what to do
 */
export async function runOpen(
  uri: string,
  collections: readonly string[],
  { db, port = 0 }: OpenOptions,
): Promise<void> {
  const found = await atStore(uri, db, async (database) => {
    const looked = await lookAt(database, { only: collections, drawn: DRAWN }, (kind) => {
      throw new CliError(notFollowed(kind));
    });
    await tryToFollow(database);
    return looked;
  });
  // Until there is something to end in order, Ctrl-C ends the process at once.
  const ended = interruption();
  const secret = randomBytes(32).toString('hex');
  // The same tables as in the file that `init` writes.
  const { tables } = definitionOf(found, new Date());
  const config = {
    ...settings(secret, found.survey.db, port),
    tables: beginningWith(collections[0] ?? largestOf(found.survey), tables),
  };
  const log = createLog(config.logLevel, formatted(process.stderr, process.stderr));
  const service = await startService({ config, uri, log }).catch((error: unknown) => {
    const { syscall, code } = error as NodeJS.ErrnoException;
    // The sentence for a service would name its setting, which this command does not read.
    if (syscall !== 'listen') throw error;
    throw new CliError(`--port ${port} cannot be listened on (${code}); leave it out for any.`);
  });
  try {
    const token = await mintToken({ userId: WHO, admin: true, lifeS: LIFE_S }, secret, config);
    tell(found);
    console.log(`${service.url}/#token=${token}`);
    console.error('Open this link; it signs in. Ctrl-C ends it.');
    console.error('To keep these tables, write them to a file: table-search init … -o tables.yaml');
    await aborted(ended);
  } finally {
    await service.stop();
  }
}

function largestOf({ collections }: Survey): string | undefined {
  return collections.reduce((a, b) => (b.count > a.count ? b : a), collections[0]!)?.name;
}

/** The page shows the first table first. */
function beginningWith(collection: string | undefined, tables: readonly OwnTable[]): OwnTable[] {
  const isFirst = ({ resource }: OwnTable) => resource.collection === collection;
  return [...tables.filter(isFirst), ...tables.filter((one) => !isFirst(one))];
}

/** The service would only log that it may not, and answer by slow pipelines or not at all. */
async function tryToFollow(db: Db): Promise<void> {
  const stream = db.watch([], { maxAwaitTimeMS: 1 });
  try {
    await stream.tryNext();
  } catch (error) {
    if (faultOf(error) !== 'denied') throw error;
    throw new CliError(
      `This account may not follow the changes of ${db.databaseName}; grant it the role \`read\` there, as db.grantRolesToUser(…, ["read"]) does.`,
      EXIT.refused,
    );
  } finally {
    await stream.close();
  }
}

/** Settings that the environment may decide: bounds of memory and time, and the log. */
const TAKEN = ['LOG_LEVEL', 'ROWS_MEMORY_BYTES', 'SEARCH_MAX_BYTES', 'QUERY_TIMEOUT_MS'];

function settings(secret: string, db: string, port: number): Config {
  const taken = TAKEN.map((name) => [name, process.env[name]] as const);
  return readConfig(
    {
      ...{ LOG_LEVEL: 'warn', ...Object.fromEntries(taken.filter(([, value]) => value?.trim())) },
      ...{ HOST: '127.0.0.1', PORT: String(port), MONGODB_DB: db, AUTH_JWT_SECRET: secret },
      ...{ BUILT_IN_TABLES: 'off', RIGHTS: 'claims' },
      ...{ STORE_INDEXES: 'off', VIEWS_COLLECTION: 'off' },
    },
    { heartbeats: false },
  );
}

function tell({ drafts }: Look): void {
  for (const { name, count, fields } of drafts.tables) {
    console.error(`${name}: ${plural(count, 'document')}, ${plural(fields.length, 'field')}`);
  }
}
