/** `table-search role`: the least MongoDB role with which the service can serve a definition file. */
import { SETTINGS } from '../../config.ts';
import { HEARTBEAT_COLLECTION } from '../../follow/heartbeat.ts';
import { DATABASE, VIEWS } from '../../settings.ts';
import { readTablesFile } from '../../tables/file/index.ts';
import { usage } from '../failure.ts';
import { bytesOf } from './check.ts';
import { settingNow, taken } from './settingNow.ts';

export interface RoleOptions {
  readonly db?: string;
  readonly indexes?: true;
  /** False for an account that may write no heartbeats. */
  readonly heartbeat: boolean;
  /** VIEWS_COLLECTION of the service, left out for this environment's; `off` if it keeps no views. */
  readonly viewsCollection?: string;
}

const NAME = 'tableSearchTables';
const INDEXES = ['createIndex', 'listIndexes'];
const DEFAULT_DB = 'table_search';

/** Prints a `createRole` command as JSON. @throws CliError for a bad name or a file with problems */
export async function runRole(
  fileName: string,
  { db = DEFAULT_DB, indexes, heartbeat, viewsCollection: given }: RoleOptions,
): Promise<void> {
  // An empty name would mean every database, or every collection.
  taken(DATABASE, db, `--db ${JSON.stringify(db)}`);
  const viewsCollection =
    given === undefined
      ? settingNow(SETTINGS.viewsCollection)
      : taken(VIEWS, given, `--views-collection ${JSON.stringify(given)}`);
  const read = readTablesFile(await bytesOf(fileName));
  if ('problems' in read) {
    const advice = `\`table-search check ${fileName}\` lists them`;
    throw usage(`${fileName} has problems; ${advice}.`);
  }
  const on = (collection: string, ...actions: string[]) => ({
    resource: { db, collection },
    actions,
  });
  const views = viewsCollection === 'off' ? [] : [viewsCollection];
  const collections = [...new Set(read.tables.map(({ collection }) => collection))].sort();
  const privileges = [
    // One change stream follows the database: MongoDB asks for both actions on all of it.
    on('', 'changeStream', 'find', 'listCollections'),
    ...(indexes ? collections.map((name) => on(name, ...INDEXES)) : []),
    ...views.map((name) => on(name, 'insert', 'update', 'remove', ...INDEXES)),
    ...(heartbeat ? [on(HEARTBEAT_COLLECTION, 'insert', 'update')] : []),
  ];
  console.log(JSON.stringify({ createRole: NAME, privileges, roles: [] }, null, 2));
  console.error(
    `The role reads every collection of ${db}: MongoDB asks for \`find\` on all of a database that is followed. Where others must stay unread, keep the tables in a database of their own.`,
  );
}
