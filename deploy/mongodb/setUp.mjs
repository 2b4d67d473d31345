/**
 * Prepares a MongoDB for the service: a replica set, its administrator, and an account for the service
 * that may do what role.json lists and nothing else. What is there already is left, or brought up to date.
 *
 *     MONGODB_ADMIN_URI      where to connect: as an administrator, or over the loopback interface where there
 *                            is no user yet (mongodb://127.0.0.1/?directConnection=true)
 *     REPLICA_SET_MEMBERS    initiates a replica set of these: mongo-0:27017,mongo-1:27017,… The first is the
 *                            one that is connected to. Left out: there is one already
 *     MONGODB_ROOT_PASSWORD  makes the user `root`, where there is no user yet. Left out: there is one already
 *     MONGODB_PASSWORD       of the service's account
 *     MONGODB_USER           its name (table_search)
 *     MONGODB_DB             its database (table_search)
 */
import { readFileSync } from 'node:fs';
import { setTimeout as sleep } from 'node:timers/promises';
import { MongoClient } from 'mongodb';

// An empty variable counts as unset: an empty database would mean all of them.
const given = Object.fromEntries(Object.entries(process.env).filter(([, text]) => text.trim()));
const {
  MONGODB_ADMIN_URI = 'mongodb://127.0.0.1/?directConnection=true',
  REPLICA_SET_MEMBERS = '',
  MONGODB_ROOT_PASSWORD = '',
  MONGODB_PASSWORD = '',
  MONGODB_USER = 'table_search',
  MONGODB_DB = 'table_search',
} = given;
const REPLICA_SET = 'rs0';
const ROOT = 'root';
/** How long a store may take to come up, and a primary to be elected, in milliseconds. */
const PATIENCE_MS = 60_000;

const { role, privileges } = JSON.parse(
  readFileSync(new URL('role.json', import.meta.url), 'utf8'),
);
const say = (text) => process.stdout.write(`${text}\n`);

/** Runs a command on `admin`; of an error with one of these code names, undefined. */
async function command(client, document, ...allowed) {
  try {
    return await client.db('admin').command(document);
  } catch (error) {
    if (allowed.includes(error.codeName)) return undefined;
    throw error;
  }
}

async function connected(auth) {
  const options = { ...(auth && { auth }), serverSelectionTimeoutMS: PATIENCE_MS };
  return await MongoClient.connect(MONGODB_ADMIN_URI, options);
}

async function initiate(client) {
  const members = REPLICA_SET_MEMBERS.split(',').map((host, at) => {
    // The one that is connected to is to be the first primary: there the first user is made.
    return { _id: at, host: host.trim(), priority: at === 0 ? 2 : 1 };
  });
  const config = { _id: REPLICA_SET, members };
  // Where there are users already, asking for it needs one of them: it is initiated then.
  const there = ['AlreadyInitialized', 'Unauthorized'];
  const made = await command(client, { replSetInitiate: config }, ...there);
  say(made ? `replica set ${REPLICA_SET}: ${REPLICA_SET_MEMBERS}` : 'the replica set is there');
}

async function untilPrimary(client) {
  for (const deadline = Date.now() + PATIENCE_MS; ; await sleep(200)) {
    const { isWritablePrimary } = await client.db('admin').command({ hello: 1 });
    if (isWritablePrimary) return;
    if (Date.now() > deadline) throw new Error('there is no primary at MONGODB_ADMIN_URI');
  }
}

/** The administrator: made where there is no user yet, which the loopback interface alone may. */
async function asRoot(client) {
  if (MONGODB_ROOT_PASSWORD === '') return client;
  const roles = [{ role: 'root', db: 'admin' }];
  const made = await command(
    client,
    { createUser: ROOT, pwd: MONGODB_ROOT_PASSWORD, roles },
    'Unauthorized',
    'Location51003',
  );
  say(made ? `user ${ROOT}` : `the user ${ROOT} is there`);
  await client.close();
  return await connected({ username: ROOT, password: MONGODB_ROOT_PASSWORD });
}

async function account(client) {
  const { authInfo } = await command(client, { connectionStatus: 1 });
  if (authInfo.authenticatedUsers.some(({ user }) => user === MONGODB_USER)) {
    throw new Error(`MONGODB_USER is ${MONGODB_USER}, the administrator: name another account`);
  }
  const granted = privileges.map(({ on, actions }) => ({
    resource: { db: MONGODB_DB, collection: on },
    actions,
  }));
  const name = `${role}.${MONGODB_DB}`;
  const made = await command(
    client,
    { createRole: name, privileges: granted, roles: [] },
    'Location51002',
  );
  if (!made) await command(client, { updateRole: name, privileges: granted, roles: [] });
  const user = { pwd: MONGODB_PASSWORD, roles: [{ role: name, db: 'admin' }] };
  const created = await command(client, { createUser: MONGODB_USER, ...user }, 'Location51003');
  if (!created) await command(client, { updateUser: MONGODB_USER, ...user });
  say(`user ${MONGODB_USER} with the role ${name}`);
}

async function setUp() {
  if (MONGODB_PASSWORD === '') {
    throw new Error("MONGODB_PASSWORD is not set: choose the password of the service's account");
  }
  let client = await connected();
  try {
    if (REPLICA_SET_MEMBERS !== '') await initiate(client);
    await untilPrimary(client);
    client = await asRoot(client);
    await account(client);
  } finally {
    await client.close();
  }
}

try {
  await setUp();
} catch (error) {
  process.stderr.write(`setUp.mjs: ${error.message}\n`);
  process.exitCode = 1;
}
