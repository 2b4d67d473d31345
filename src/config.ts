/**
 * Every setting of the service, as one table: environment → frozen `Config`.
 *
 * The table is the only place that knows a setting: its name, what it takes, what stands for it when
 * it is unset, and what it means. The README's table is printed from it (`settingsTable`).
 * All bad values are reported at once, in one line; the value of a secret is never repeated.
 */
import { DEFAULT_TASK_PREFIX } from './resources/taskTypes.ts';
import {
  BadValue,
  bytes,
  integer,
  matching,
  ON_OFF,
  ORIGINS,
  oneOf,
  optional,
  PUBLIC_KEY,
  SECURE_URL,
  type Setting,
  secret,
  setting,
  TASK_TYPES,
  textOf,
} from './settings.ts';

const MILLISECONDS = (min: number, max: number) => integer(min, max, 'milliseconds');

export const SETTINGS = {
  mongodbUri: secret(
    'MONGODB_URI',
    matching('mongodb://, mongodb+srv:// or `embedded`', /^(embedded|mongodb(\+srv)?:\/\/\S+)$/),
    'The store, MongoDB 6.0 or newer: replica set or sharded cluster. Unset or `embedded`: an embedded one-node replica set is started, its data kept in `DATA_DIR`. With `NODE_ENV=production` it must be set.',
  ),
  mongodbDb: setting(
    'MONGODB_DB',
    matching('a database name', /^(?!(admin|config|local)$)[^\s/\\."$*<>:|?\0]{1,63}$/),
    'table_search',
    'Database the service works in.',
  ),
  dataDir: setting(
    'DATA_DIR',
    textOf('a folder'),
    '.data',
    'Where the embedded store and the demo secret are kept.',
  ),
  host: setting('HOST', textOf('a name or address'), '127.0.0.1', 'Address to listen on.'),
  storeIndexes: setting(
    'STORE_INDEXES',
    ON_OFF,
    'on',
    '`off` builds no database indexes. Lost then: without equal ones, permissions, task paths, logs and pipelines read whole collections.',
  ),
  storeHeartbeat: setting(
    'STORE_HEARTBEAT',
    ON_OFF,
    'on',
    '`off` writes no heartbeats to `search_heartbeat`. Lost then: after writes to other collections the index is up to 0.1 s late instead of 0.01, and an idle store is asked ten times a second instead of twice.',
  ),
  port: setting(
    'PORT',
    integer(0, 65_535),
    '8080',
    'Port to listen on; `0` picks a free one and logs it.',
  ),

  corsOrigins: optional(
    'CORS_ORIGINS',
    ORIGINS,
    'Pages of these origins may call from a browser, and read the headers of answers. Unset: none but those that come from here.',
  ),

  authJwtSecret: secret(
    'AUTH_JWT_SECRET',
    textOf('32 bytes or more', 32),
    'Tokens are HS256, signed with this secret. Exactly one of this, `AUTH_JWKS_URL` and `AUTH_PUBLIC_KEY` must be set.',
  ),
  authJwksUrl: optional(
    'AUTH_JWKS_URL',
    SECURE_URL,
    'Tokens are RS256, ES256 or EdDSA, signed by a key of this key set.',
  ),
  authPublicKey: optional(
    'AUTH_PUBLIC_KEY',
    PUBLIC_KEY,
    'Tokens are RS256, ES256 or EdDSA, signed by this key.',
  ),
  authIssuer: optional('AUTH_ISSUER', textOf('text'), 'Tokens must carry this `iss`.'),
  authAudience: optional('AUTH_AUDIENCE', textOf('text'), 'Tokens must carry this `aud`.'),

  oidcIssuer: optional(
    'OIDC_ISSUER',
    SECURE_URL,
    'The web UI offers to sign in at this OpenID provider, whose tokens must pass the checks above. `AUTH_AUDIENCE` is asked for as their audience.',
  ),
  oidcClientId: setting(
    'OIDC_CLIENT_ID',
    textOf('text'),
    'table-search',
    'What the web UI is to the provider: a public client with `<origin>/signed-in` as redirect URI, whose origin may call the token endpoint.',
  ),
  oidcScope: setting(
    'OIDC_SCOPE',
    textOf('text'),
    'openid',
    'What the web UI asks the provider for.',
  ),

  dbItemLimit: setting(
    'DB_ITEM_LIMIT',
    integer(1, 10_000),
    '100',
    'Largest page; a larger `per_page` is capped to it.',
  ),
  searchIndex: setting('SEARCH_INDEX', ON_OFF, 'on', '`off` answers every search by a pipeline.'),
  searchMaxBytes: setting(
    'SEARCH_MAX_BYTES',
    bytes('1mb', '4gb'),
    '4gb',
    'Memory the index may take for one collection, at most what a table can hold; a larger collection is answered by pipelines.',
  ),
  rowCacheBytes: setting(
    'ROW_CACHE_BYTES',
    bytes('1mb', '64gb'),
    '64mb',
    'Memory for rows of pages that were shown before; they need no read of the store.',
  ),
  rowsMemoryBytes: setting(
    'ROWS_MEMORY_BYTES',
    bytes('0', '64gb'),
    '256mb',
    'Memory for what records show of rows besides what is searched, those written last first; the others are read from the store. `0` reads all from there.',
  ),
  staleAnswersMs: setting(
    'STALE_ANSWERS_MS',
    MILLISECONDS(0, 600_000),
    '10000',
    "Longest time since the store's last sign of life for which searches are answered from memory, as of the moment that the index has reached; then 503. `0` never does.",
  ),
  queryTimeoutMs: setting(
    'QUERY_TIMEOUT_MS',
    MILLISECONDS(1, 600_000),
    '15000',
    'Longest time of a search; then 503 `SearchTimeout`.',
  ),
  maxSearches: setting(
    'MAX_SEARCHES',
    integer(1, 10_000),
    '16',
    'Searches by pipeline at once, an eighth of them explores. Four times as many wait, and callers are served in turn; more get 429 or 503. Searches by the index do not count.',
  ),
  maxSearchesPerUser: setting(
    'MAX_SEARCHES_PER_USER',
    integer(1, 10_000),
    '32',
    'Searches one user may have under way; more get 429 `TooManyRequests`.',
  ),
  maxRequests: setting(
    'MAX_REQUESTS',
    integer(1, 1_000_000),
    '2000',
    'Requests of known callers under way; more get 503 `Overloaded`.',
  ),
  maxRequestsPerUser: setting(
    'MAX_REQUESTS_PER_USER',
    integer(1, 1_000_000),
    '256',
    'Requests one user may have under way; more get 429 `TooManyRequests`.',
  ),
  maxChanges: setting(
    'MAX_CHANGES',
    integer(1, 10_000),
    '16',
    'Changes made at once; more wait, callers in turn.',
  ),
  maxLogReads: setting(
    'MAX_LOG_READS',
    integer(1, 1_000),
    '4',
    'Reads of logs at once: a page, a piece of a download or a count; more wait, callers in turn.',
  ),
  maxDownloads: setting(
    'MAX_DOWNLOADS',
    integer(1, 10_000),
    '32',
    'Downloads at once: of logs, of snapshots, and of pages whose rows have more than 1 MB. Four times as many wait, callers in turn.',
  ),
  maxExports: setting(
    'MAX_EXPORTS',
    integer(1, 10_000),
    '8',
    'Exports at once, at most two of one user; more get 429 or 503.',
  ),
  maxWatches: setting(
    'MAX_WATCHES',
    integer(1, 1_000_000),
    '2000',
    'Explores that are watched and logs that are followed; more get 503 `Overloaded`.',
  ),
  maxWatchesPerUser: setting(
    'MAX_WATCHES_PER_USER',
    integer(1, 1_000_000),
    '16',
    'Explores and logs that one user may watch and follow; more get 429 `TooManyRequests`.',
  ),
  watchMemoryBytes: setting(
    'WATCH_MEMORY_BYTES',
    bytes('0', '4gb'),
    '64mb',
    'Memory for counts that are kept of watched explores between two answers; those beyond it are searched for anew whenever something changes.',
  ),
  watchCommentMs: setting(
    'WATCH_COMMENT_MS',
    MILLISECONDS(100, 600_000),
    '15000',
    'A stream of events that was silent for so long gets a comment, so that no proxy takes it for dead.',
  ),
  maxDecompressing: setting(
    'MAX_DECOMPRESSING',
    integer(1, 64),
    '2',
    'Compressed bodies that are decompressed at once, off the event loop; more wait, callers in turn.',
  ),
  maxBodyBytes: setting(
    'MAX_BODY_BYTES',
    bytes('1mb', '64gb'),
    '64mb',
    'Memory for bodies that have not come whole; one caller may have at most as much as is still free.',
  ),
  maxUnsentBytes: setting(
    'MAX_UNSENT_BYTES',
    bytes('1mb', '64gb'),
    '64mb',
    'Memory for answers that were not taken yet, and for large rows before they are read; one caller may have at most as much as is still free.',
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

  bodyLimit: setting(
    'BODY_LIMIT',
    bytes('1kb', '16mb'),
    '1mb',
    'Largest body, compressed and decompressed; then 413.',
  ),
  maxConnections: setting(
    'MAX_CONNECTIONS',
    integer(1, 1_000_000),
    '10000',
    'Open connections; for further ones the oldest idle ones are closed.',
  ),
  headersTimeoutMs: setting(
    'HEADERS_TIMEOUT_MS',
    MILLISECONDS(100, 600_000),
    '10000',
    'Time a client has to send the head of a request.',
  ),
  requestTimeoutMs: setting(
    'REQUEST_TIMEOUT_MS',
    MILLISECONDS(100, 600_000),
    '30000',
    'Time a client has to send a whole request; then 408.',
  ),
  keepAliveTimeoutMs: setting(
    'KEEP_ALIVE_TIMEOUT_MS',
    MILLISECONDS(100, 600_000),
    '5000',
    'Time an idle connection is kept; behind a load balancer, more than its own.',
  ),
  stalledTimeoutMs: setting(
    'STALLED_TIMEOUT_MS',
    MILLISECONDS(100, 600_000),
    '10000',
    'Time in which a client has to take 16 kB of an answer that waits for it, or else is cut.',
  ),
  shutdownTimeoutMs: setting(
    'SHUTDOWN_TIMEOUT_MS',
    MILLISECONDS(0, 600_000),
    '10000',
    'Time that requests under way have to finish after SIGTERM; then they are cut and counted in the log.',
  ),
  logLevel: setting(
    'LOG_LEVEL',
    oneOf(['fatal', 'error', 'warn', 'info', 'debug', 'trace', 'silent']),
    'info',
    'Least severe level that is logged.',
  ),
  logFormat: setting(
    'LOG_FORMAT',
    oneOf(['auto', 'readable', 'json']),
    'auto',
    'How lines are written to stdout: `auto` is readable on a terminal, and JSON elsewhere.',
  ),
  otlpEndpoint: optional(
    'OTEL_EXPORTER_OTLP_ENDPOINT',
    matching('an http or https URL', /^https?:\/\/[^\s/]+\S*$/),
    'Traces of requests go there, by OTLP over HTTP (`/v1/traces` is added). Unset: none are made. Other `OTEL_` variables hold as OpenTelemetry specifies them.',
  ),
  metricsToken: secret(
    'METRICS_TOKEN',
    matching('16 or more letters, digits and - . _ ~ + /', /^[A-Za-z0-9\-._~+/]{16,}=*$/),
    'Bearer token for `/metrics`, and for the details of `/readyz` from elsewhere. Unset: `/metrics` is for loopback, and never through a proxy.',
  ),
  metricsPort: optional(
    'METRICS_PORT',
    integer(0, 65_535),
    'A port of its own on 127.0.0.1 for `/livez`, `/readyz` and `/metrics`, without a token: all who reach it may see everything. `0` picks a free one and logs it.',
  ),
} as const satisfies Record<string, Setting<unknown>>;

type Settings = typeof SETTINGS;
type ValueOf<S> = S extends Setting<infer T> ? T : never;

/** The settings in force, by the names of the table's members. */
export type Config = { readonly [K in keyof Settings]: ValueOf<Settings[K]> };

/** The settings do not fit; the message is one line that names each and says why. */
export class ConfigError extends Error {
  override readonly name = 'ConfigError';
}

/**
 * Reads all settings. A variable that is empty or blank counts as unset.
 *
 * @throws ConfigError when any value is bad, or not exactly one way to check tokens is set.
 */
export function readConfig(env: Readonly<Record<string, string | undefined>>): Config {
  const values: Record<string, unknown> = {};
  const problems: string[] = [];
  for (const [member, one] of Object.entries<Setting<unknown>>(SETTINGS)) {
    try {
      const text = textIn(env, one.name) ?? one.preset;
      values[member] = text === undefined ? undefined : one.kind.parse(text);
    } catch (error) {
      if (!(error instanceof BadValue)) throw error;
      problems.push(`${one.name}${shown(one, env)} ${oneLine(error.message)}`);
    }
  }
  problems.push(...tokenKeyProblems(env));
  if (problems.length > 0) throw new ConfigError(`Bad settings: ${problems.join('; ')}`);
  return Object.freeze(values) as Config;
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

function textIn(env: Readonly<Record<string, string | undefined>>, name: string) {
  const text = env[name];
  return text === undefined || text.trim() === '' ? undefined : text;
}

/** The value as given, as one short JSON string; nothing for a secret. */
function shown(one: Setting<unknown>, env: Readonly<Record<string, string | undefined>>): string {
  const text = env[one.name] ?? '';
  return one.secret ? '' : ` ${oneLine(JSON.stringify(text.slice(0, 80)))}`;
}

function oneLine(text: string): string {
  return text.replace(/[\0-\x1f\x7f-\x9f\u2028\u2029]+/g, ' ');
}

const TOKEN_KEYS = [SETTINGS.authJwtSecret, SETTINGS.authJwksUrl, SETTINGS.authPublicKey];

function tokenKeyProblems(env: Readonly<Record<string, string | undefined>>): string[] {
  const set = TOKEN_KEYS.map((one) => one.name).filter((name) => textIn(env, name) !== undefined);
  if (set.length === 1) return [];
  const names = TOKEN_KEYS.map((one) => one.name).join(', ');
  return [
    `exactly one of ${names} must be set, ${set.length === 0 ? 'none is' : `${set.join(' and ')} are`}`,
  ];
}

/** The table of settings as the README shows it, in Markdown. */
export function settingsTable(): string {
  const rows = Object.values<Setting<unknown>>(SETTINGS).map((one) => {
    const preset = one.preset === undefined ? 'unset' : `\`${one.preset}\``;
    return `| \`${one.name}\` | ${one.kind.takes.replaceAll('|', '\\|')} | ${preset} | ${one.about} |`;
  });
  return ['| setting | takes | default | meaning |', '|---|---|---|---|', ...rows].join('\n');
}
