/**
 * Every setting of the service, as one table: environment → frozen `Config`.
 *
 * A definition holds a setting's name, kind, default and meaning. A test makes docs/settings.md of
 * them. All bad values are reported at once, in one line; the value of a secret is never repeated.
 */
import { DEFAULT_TASK_PREFIX } from './apps/admin/resources/taskTypes.ts';
import { oneLine } from './oneLine.ts';
import {
  BadValue,
  bytes,
  DATABASE,
  type Environment,
  HTTP_URL,
  integer,
  matching,
  ON_OFF,
  ORIGINS,
  oneOf,
  optional,
  PUBLIC_KEY,
  SECURE_URL,
  type Setting,
  STORE,
  secret,
  setting,
  TABLES_FILE,
  TASK_TYPES,
  tableProblems,
  textIn,
  textOf,
  VIEWS,
  viewsProblems,
  withoutSecrets,
  wrongFile,
} from './settings.ts';
import { CLAIM_PATH } from './tables/definition/claim.ts';

const MILLISECONDS = (min: number, max: number) => integer(min, max, 'milliseconds');

/** Every installation sets these: the store, and one of three ways to check tokens. */
const NEEDED = {
  mongodbUri: secret(
    'MONGODB_URI',
    STORE,
    'The store: MongoDB 6.0 or newer, a replica set or a sharded cluster. Unset or `embedded` starts an embedded one-node replica set with its data in `DATA_DIR`. `NODE_ENV=production` requires a value.',
  ),
  mongodbDb: setting('MONGODB_DB', DATABASE, 'table_search', 'The database.'),
  authJwtSecret: secret(
    'AUTH_JWT_SECRET',
    textOf('32 bytes or more', 32),
    'Shared secret: the service accepts HS256 tokens signed with it. Set exactly one of `AUTH_JWT_SECRET`, `AUTH_JWKS_URL` and `AUTH_PUBLIC_KEY`.',
  ),
  authJwksUrl: optional(
    'AUTH_JWKS_URL',
    SECURE_URL,
    'Key set: the service accepts RS256, ES256 and EdDSA tokens signed by one of its keys.',
  ),
  authPublicKey: secret(
    'AUTH_PUBLIC_KEY',
    PUBLIC_KEY,
    'Public key: the service accepts RS256, ES256 or EdDSA tokens signed by its private key.',
  ),
};

/** Many operators set these. */
const USUAL = {
  host: setting('HOST', textOf('a name or address'), '127.0.0.1', 'Address to listen on.'),
  port: setting(
    'PORT',
    integer(0, 65_535),
    '8080',
    'Port to listen on; `0` picks a free one and logs it.',
  ),
  dataDir: setting(
    'DATA_DIR',
    textOf('a folder'),
    '.data',
    "Folder for the embedded store and the demo's secret.",
  ),
  authRolesClaim: setting(
    'AUTH_ROLES_CLAIM',
    matching('a claim, or a dotted path to one', new RegExp(CLAIM_PATH)),
    'roles',
    "The token's claim that lists the caller's roles, such as `realm_access.roles`.",
  ),
  authIssuer: optional(
    'AUTH_ISSUER',
    textOf('text'),
    'The `iss` that every token must carry. With `OIDC_CLIENT_ID` it is the https URL of the OpenID provider.',
  ),
  authAudience: optional('AUTH_AUDIENCE', textOf('text'), 'The `aud` that every token must carry.'),
  oidcClientId: optional(
    'OIDC_CLIENT_ID',
    textOf('text'),
    "The web UI's client id at the OpenID provider `AUTH_ISSUER`: a public client with the redirect URI `<origin>/signed-in`, allowed to call the token endpoint from that origin. The UI requests `AUTH_AUDIENCE` as the audience of its tokens. Unset, the web UI takes pasted tokens alone.",
  ),
  oidcScope: setting(
    'OIDC_SCOPE',
    textOf('text'),
    'openid',
    'Scope that the web UI requests from the provider.',
  ),
  corsOrigins: optional(
    'CORS_ORIGINS',
    ORIGINS,
    'Other origins whose pages may call the API from a browser and read its headers.',
  ),
  dbItemLimit: setting(
    'DB_ITEM_LIMIT',
    integer(1, 10_000),
    '100',
    'Largest page. The service caps a larger `per_page` to it.',
  ),
  queryTimeoutMs: setting(
    'QUERY_TIMEOUT_MS',
    MILLISECONDS(1, 600_000),
    '15000',
    'Time limit of a search; then 503 `SearchTimeout`.',
  ),
  rowsMemoryBytes: setting(
    'ROWS_MEMORY_BYTES',
    bytes('0', '64gb'),
    '256mb',
    'Memory for the members of records that searches do not use, newest rows first; users and projects stay longest. The service reads other rows from the store.',
  ),
  checkpointDir: optional(
    'CHECKPOINT_DIR',
    textOf('a folder'),
    'Folder for a checkpoint of the index: a copy of all searched data, which the next start reads instead of every document. Each instance needs its own. See [operations.md](operations.md#checkpoints).',
  ),
  tables: optional(
    'TABLES',
    TABLES_FILE,
    'Definition file of tables of your own: see [tables.md](tables.md). A problem in the file stops the service; it prints every problem with line and column.',
  ),
  viewsCollection: setting(
    'VIEWS_COLLECTION',
    VIEWS,
    'views',
    'Collection for saved views. `off`: the service keeps none, and the web UI keeps views in the browser.',
  ),
  builtInTables: setting(
    'BUILT_IN_TABLES',
    ON_OFF,
    'on',
    '`off` serves the tables of `TABLES` alone: the service neither reads nor writes the collections of the built-in tables, and the token alone decides (`RIGHTS=claims`).',
  ),
  rights: optional(
    'RIGHTS',
    oneOf(['data', 'claims']),
    'What decides about callers: `data`, the users and projects of the store, or `claims`, the token alone. It follows from `BUILT_IN_TABLES`, and a value that contradicts it is refused.',
  ),
  taskTypes: optional(
    'TASK_TYPES_FILE',
    TASK_TYPES,
    'List of `{value, label, scopes}` that replaces the built-in task types.',
  ),
  taskPrefix: setting(
    'TASK_PREFIX',
    matching('letters, digits and _ . -', /^[A-Za-z0-9][A-Za-z0-9_.-]{0,63}$/),
    DEFAULT_TASK_PREFIX,
    'First part of task names and routing keys.',
  ),
  logLevel: setting(
    'LOG_LEVEL',
    oneOf(['fatal', 'error', 'warn', 'info', 'debug', 'trace', 'silent']),
    'info',
    'Least severe level to log.',
  ),
  otlpEndpoint: optional(
    'OTEL_EXPORTER_OTLP_ENDPOINT',
    HTTP_URL,
    'OpenTelemetry collector: the service sends traces of requests there by OTLP over HTTP (it adds `/v1/traces`). The other `OTEL_` variables work as OpenTelemetry specifies.',
  ),
  metricsToken: secret(
    'METRICS_TOKEN',
    matching('16 or more letters, digits and - . _ ~ + /', /^[A-Za-z0-9\-._~+/]{16,}=*$/),
    'Bearer token for `/metrics` and for the details of `/readyz`. Unset, `/metrics` answers loopback only, and no request through a proxy.',
  ),
  keepAliveTimeoutMs: setting(
    'KEEP_ALIVE_TIMEOUT_MS',
    MILLISECONDS(100, 600_000),
    '5000',
    'Time until the service closes an idle connection. Behind a load balancer, set more than its own.',
  ),
};

/** Limits and switches with defaults that fit most machines. */
const RARE = {
  searchIndex: setting(
    'SEARCH_INDEX',
    ON_OFF,
    'on',
    '`off` answers every search by an aggregation pipeline.',
  ),
  storeIndexes: setting(
    'STORE_INDEXES',
    oneOf(['on', 'all', 'off']),
    'on',
    '`all` also builds one for the order of each table in the definition file. `off` builds no database indexes. Without equal ones of yours, permission checks, task paths, logs and pipelines scan whole collections.',
  ),
  searchMaxBytes: setting(
    'SEARCH_MAX_BYTES',
    bytes('1mb', '1024gb'),
    '4gb',
    'Index memory for one table, as much as the machine has for it. Pipelines search a table that needs more.',
  ),
  maxSearches: setting(
    'MAX_SEARCHES',
    integer(1, 10_000),
    '16',
    'Concurrent searches by pipeline, an eighth of them explores. Four times as many wait in a queue that is fair between callers; the rest get 429 or 503. Searches by the index do not count.',
  ),
  maxWatches: setting(
    'MAX_WATCHES',
    integer(1, 1_000_000),
    '2000',
    'Concurrent live explores and followed logs; more get 503 `Overloaded`.',
  ),
  maxWatchesPerUser: setting(
    'MAX_WATCHES_PER_USER',
    integer(1, 1_000_000),
    '16',
    'Live explores and followed logs of one user; more get 429 `TooManyRequests`.',
  ),
  requestMemoryBytes: setting(
    'REQUEST_MEMORY_BYTES',
    bytes('8mb', '64gb'),
    '128mb',
    'Memory for requests of callers: half for bodies that are incomplete, half for answers that are unsent and for large rows before they are read. One caller may hold as much as is still free.',
  ),
  bodyLimit: setting(
    'BODY_LIMIT',
    bytes('1kb', '16mb'),
    '1mb',
    'Largest request body, compressed and decompressed; larger ones get 413.',
  ),
};

/** The groups of docs/settings.md, in its order. */
export const SETTING_GROUPS = { needed: NEEDED, usual: USUAL, rare: RARE };

export const SETTINGS = { ...NEEDED, ...USUAL, ...RARE } satisfies Record<string, Setting<unknown>>;

/** Bounds that no operator can choose better than these. Tests choose smaller ones. */
const BOUNDS = {
  /** Concurrent requests of authenticated callers; more get 503 `Overloaded`. */
  maxRequests: 2_000,
  /** Concurrent searches of one user; more get 429 `TooManyRequests`. */
  maxSearchesPerUser: 32,
  /** Concurrent changes, reads of logs, downloads; more wait in a queue that is fair between callers. */
  maxChanges: 16,
  maxLogReads: 4,
  maxDownloads: 32,
  /** Concurrent exports; more get 429 or 503. */
  maxExports: 8,
  /** Concurrent decompressions of request bodies, off the event loop. */
  maxDecompressing: 2,
  /** After this silence an event stream gets a comment, so that proxies keep the connection open. */
  watchCommentMs: 15_000,
  /** Open connections. A further one closes the connection that has been idle longest. */
  maxConnections: 10_000,
  /** Time for a client to send a request's headers, and the whole request; then 408. */
  headersTimeoutMs: 10_000,
  requestTimeoutMs: 30_000,
  /** How long memory answers searches after the store's last sign of life; later ones get 503. */
  staleAnswersMs: 10_000,
  /** Time for requests in progress to finish after SIGTERM. The service then cuts the rest. */
  shutdownTimeoutMs: 10_000,
  /** Whether the service writes `search_heartbeat` where its account may (follow/heartbeat.ts). */
  heartbeats: true,
  /**
   * Time without progress after which the service cuts a client that does not read its answer. A client
   * that reads 25 kB a second always makes progress (serve/server/stalledReaders.ts).
   */
  stalledTimeoutMs: 60_000,
};

/** Bounds that follow from settings. */
const following = ({ maxWatchesPerUser }: Pick<Settings, 'maxWatchesPerUser'>) => ({
  /**
   * Concurrent requests of one user; more get 429 `TooManyRequests`. A live explore is a request until it
   * begins, and all of a user may begin at once.
   */
  maxRequestsPerUser: 240 + maxWatchesPerUser,
});

type ValueOf<S> = S extends Setting<infer T> ? T : never;
type Settings = {
  readonly [K in keyof typeof SETTINGS]: ValueOf<(typeof SETTINGS)[K]>;
} & { readonly rights: 'data' | 'claims' };

export type Bounds = Readonly<typeof BOUNDS & ReturnType<typeof following>>;

/** The settings in force, by the names of the table's members, and the bounds. */
export type Config = Settings & Bounds;

/** The settings do not fit; the message is one line that names each and says why. */
export class ConfigError extends BadValue {
  override readonly name = 'ConfigError';
}

/**
 * Reads all settings. A variable that is empty or blank counts as unset.
 *
 * @param bounds other bounds than the usual ones
 * @throws ConfigError when any value is bad, or not exactly one way to check tokens is set.
 */
export function readConfig(env: Environment, bounds: Partial<Bounds> = {}): Config {
  const values: Record<string, unknown> = {};
  const problems: string[] = [];
  const lines: string[] = [];
  const note = (one: Setting<unknown>, { message, lines: more }: BadValue) => {
    problems.push(`${one.name}${shown(one, env)} ${oneLine(message)}`);
    lines.push(...more.map((line) => oneLine(line)));
  };
  for (const [member, one] of Object.entries<Setting<unknown>>(SETTINGS)) {
    try {
      const text = textIn(env, one.name) ?? one.preset;
      values[member] = text === undefined ? undefined : one.kind.parse(text);
    } catch (error) {
      if (!(error instanceof BadValue)) throw error;
      note(one, error);
    }
  }
  problems.push(...tokenKeyProblems(env), ...providerProblems(values), ...viewsProblems(values));
  const unserved = tableProblems(values);
  if (unserved.length > 0) note(SETTINGS.tables, wrongFile(env.TABLES!, unserved));
  const rights = values.builtInTables === false ? 'claims' : 'data';
  if (values.rights !== undefined && values.rights !== rights) {
    problems.push(`RIGHTS is ${values.rights}, and BUILT_IN_TABLES asks for ${rights}`);
  }
  values.rights = rights;
  if (problems.length > 0) throw new ConfigError(`Bad settings: ${problems.join('; ')}`, lines);
  const settings = values as Settings;
  return Object.freeze({ ...settings, ...BOUNDS, ...following(settings), ...bounds });
}

/**
 * The connection string of the store that was named; undefined: an embedded mongod is wanted.
 *
 * @throws ConfigError in production when none was named: a setting that was forgotten would otherwise
 *   look like a store that is empty.
 */
export function storeUri(
  { mongodbUri }: Pick<Config, 'mongodbUri'>,
  nodeEnv: string | undefined,
): string | undefined {
  if (mongodbUri === undefined && nodeEnv === 'production') {
    throw new ConfigError(
      'Bad settings: NODE_ENV is production and MONGODB_URI is not set; set it to the connection string of the store, or to "embedded" for a mongod of its own',
    );
  }
  return mongodbUri === 'embedded' ? undefined : mongodbUri;
}

/** The value as given, as one short JSON string, without secrets of an address; nothing for a secret. */
function shown(one: Setting<unknown>, env: Environment): string {
  const text = withoutSecrets(env[one.name] ?? '');
  return one.secret ? '' : ` ${oneLine(JSON.stringify(text.slice(0, 80)))}`;
}

const TOKEN_KEYS = [SETTINGS.authJwtSecret, SETTINGS.authJwksUrl, SETTINGS.authPublicKey];

/** The ways to check tokens that the environment has, by their names. */
export const tokenKeysIn = (env: Environment): string[] =>
  TOKEN_KEYS.map((one) => one.name).filter((name) => textIn(env, name) !== undefined);

function tokenKeyProblems(env: Environment): string[] {
  const set = tokenKeysIn(env);
  if (set.length === 1) return [];
  const names = TOKEN_KEYS.map((one) => one.name).join(', ');
  const given = set.length === 0 ? 'none is' : `${set.join(' and ')} are`;
  return [`exactly one of ${names} must be set, ${given}`];
}

function providerProblems({ oidcClientId, authIssuer }: Record<string, unknown>): string[] {
  if (oidcClientId === undefined) return [];
  try {
    SECURE_URL.parse(String(authIssuer ?? ''));
    return [];
  } catch {
    return ['OIDC_CLIENT_ID needs AUTH_ISSUER, the https URL of the OpenID provider'];
  }
}
