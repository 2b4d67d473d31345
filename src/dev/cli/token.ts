/**
 * `npm run token`, `table-search token`: prints a token for local use.
 *
 *     table-search token --user 1 [--admin] [--role support] [--claim region=eu] [--expires 8h]
 *
 * With BUILT_IN_TABLES=off the token alone decides (RIGHTS=claims): any text is a user then.
 * Signed with AUTH_JWT_SECRET, or else with the secret the demo keeps in DATA_DIR; stderr says which.
 * The command mints the token whether or not its user exists, and warns on stderr where it can ask a store.
 */

import { MongoClient } from 'mongodb';
import { secondsOf } from 'table-search/client';
import { CliError, usage } from '../../cli/failure.ts';
import { type Config, ConfigError, readConfig, storeUri, tokenKeysIn } from '../../config.ts';
import { mintToken, type TokenRequest } from '../../serve/auth/mint.ts';
import { isSubject, MAX_LIFE_ALONE_S, MAX_LIFE_S, MAX_SUB } from '../../serve/auth/token.ts';
import { textIn } from '../../settings.ts';
import { dataDirOf, existingDemoSecret, secretFile } from '../demoSecret.ts';
import { runningEmbedded } from '../embedded/running.ts';

export interface TokenOptions {
  readonly user?: string;
  readonly admin?: boolean;
  readonly role?: readonly string[];
  readonly claim?: readonly string[];
  readonly expires: string;
}

/** Claims that other options and settings make. */
const OWN_CLAIMS = ['sub', 'iat', 'exp', 'nbf', 'iss', 'aud'];

/** `region=eu`, `region=["eu","us"]`: a value that is no JSON is text. */
function claimOf(given: string, rolesClaim: string): readonly [name: string, value: unknown] {
  const [, name, text] = /^([^=]+)=(.*)$/s.exec(given) ?? [];
  if (name === undefined || text === undefined) {
    throw usage(`--claim ${given}: write name=value, such as region=eu.`);
  }
  if (name === rolesClaim || OWN_CLAIMS.includes(name)) {
    throw usage(`--claim ${given}: ${name} follows from --user, --role, --expires and settings.`);
  }
  try {
    return [name, JSON.parse(text)];
  } catch {
    return [name, text];
  }
}

/** @param alone whether the token alone decides */
function request(
  { user = '', admin = false, role: roles = [], claim = [], expires }: TokenOptions,
  alone: boolean,
  rolesClaim: string,
): TokenRequest {
  if (alone && !(user.trim() !== '' && isSubject(user))) {
    throw usage(
      `--user takes a name of 1 to ${MAX_SUB} characters, such as --user ann@example.com.`,
    );
  }
  if (!alone && !/^(0|[1-9]\d{0,14})$/.test(user)) {
    throw usage(
      '--user takes the id of a user, such as --user 1; any name only with BUILT_IN_TABLES=off.',
    );
  }
  const lifeS = secondsOf(expires) ?? 0;
  if (!(lifeS > 0 && lifeS <= (alone ? MAX_LIFE_ALONE_S : MAX_LIFE_S))) {
    throw usage(
      alone
        ? '--expires takes a time such as 30m or 8h, at most 24h with BUILT_IN_TABLES=off.'
        : '--expires takes a time such as 30m, 8h or 7d, at most 366d.',
    );
  }
  const claims = Object.fromEntries(claim.map((one) => claimOf(one, rolesClaim)));
  return { userId: user, admin, roles, claims, lifeS };
}

interface Signing {
  readonly config: Config;
  readonly secret: string;
  /** Where the secret is from, for stderr. */
  readonly source: string;
}

/** @throws CliError where no secret is at hand */
function signing(env: NodeJS.ProcessEnv): Signing {
  if (tokenKeysIn(env).length > 0) {
    const config = readConfig(env);
    if (config.authJwtSecret === undefined) {
      throw usage('Tokens are signed elsewhere: AUTH_JWKS_URL or AUTH_PUBLIC_KEY is set.');
    }
    return { config, secret: config.authJwtSecret, source: 'AUTH_JWT_SECRET' };
  }
  const dataDir = dataDirOf(env);
  const secret = existingDemoSecret(dataDir);
  if (secret === undefined) {
    throw new CliError(
      `There is no secret to sign with: set AUTH_JWT_SECRET to the service's own, or start the demo, which keeps one in ${secretFile(dataDir)}.`,
    );
  }
  const config = readConfig({ ...env, AUTH_JWT_SECRET: secret });
  return { config, secret, source: `the demo's secret, ${secretFile(dataDir)}` };
}

/** @throws CliError for a bad option, and where there is no secret */
export async function runToken(options: TokenOptions, env: NodeJS.ProcessEnv): Promise<void> {
  try {
    const rolesClaim = textIn(env, 'AUTH_ROLES_CLAIM') ?? 'roles';
    const wanted = request(options, env.BUILT_IN_TABLES === 'off', rolesClaim);
    const { config, secret, source } = signing(env);
    console.log(await mintToken(wanted, secret, config));
    console.error(`table-search: signed with ${source}`);
    // Without the built-in tables no user needs to be there.
    const warning = config.builtInTables
      ? await userWarning(Number(wanted.userId), config)
      : undefined;
    if (warning !== undefined) console.error(`table-search: ${warning}`);
  } catch (error) {
    throw error instanceof ConfigError ? usage(error.message) : error;
  }
}

/** How long the store may take to answer, milliseconds: the token is there already. */
const WAIT_MS = 2_000;

/** That no such user is there, or that they are not active; undefined where there is nothing to say. */
async function userWarning(userId: number, config: Config): Promise<string | undefined> {
  const uri = storeUri(config, undefined) ?? (await runningEmbedded(config.dataDir))?.uri;
  // A token that is made before the first start is nothing to warn of.
  if (uri === undefined) return undefined;
  const wait = { serverSelectionTimeoutMS: WAIT_MS, connectTimeoutMS: WAIT_MS };
  const client = new MongoClient(uri, { ...wait, socketTimeoutMS: WAIT_MS });
  try {
    const users = client
      .db(config.mongodbDb)
      .collection<{ _id: number; active?: unknown }>('users');
    const user = await users.findOne({ _id: userId });
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
  const some = await users.find({ active: true }).sort({ _id: 1 }).limit(3).toArray();
  if (some.length === 0) return `the database ${mongodbDb} has no active user.`;
  return `active ones are ${some.map(({ _id }) => _id).join(', ')}.`;
}
