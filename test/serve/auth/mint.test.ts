/** The demo's secret and the command that mints tokens with it. */
import { chmodSync, mkdtempSync, readdirSync, rmSync, statSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { expect } from 'chai';
import { endingOf } from '../../../src/cli/failure.ts';
import { runToken, type TokenOptions } from '../../../src/dev/cli/token.ts';
import { demoSecret } from '../../../src/dev/demoSecret.ts';
import { commandOf } from '../../cli/answered.ts';
import { ADMIN, INACTIVE, PEOPLE } from '../../conformance/documents.ts';
import { useDatabase } from '../../support/database.ts';
import { failCommand, failNone } from '../../support/failCommand.ts';
import { run as tableSearch } from '../../support/tableSearch.ts';
import { verifierOf } from '../edge.ts';

let folder: string;
beforeEach(() => {
  folder = mkdtempSync(join(tmpdir(), 'demo-secret-'));
});
afterEach(() => rmSync(folder, { recursive: true }));

describe('the demo secret', () => {
  it('is made once, in a folder that is made too, for its owner alone', () => {
    const dataDir = join(folder, 'new', 'data');
    const secret = demoSecret(dataDir);
    expect(secret).match(/^[0-9a-f]{64}$/);
    expect(demoSecret(dataDir)).equal(secret);
    expect(readdirSync(dataDir)).eql(['demo-secret']);
    expect(statSync(join(dataDir, 'demo-secret')).mode & 0o777).equal(0o600);
  });

  it('differs from folder to folder', () => {
    expect(demoSecret(join(folder, 'a'))).not.equal(demoSecret(join(folder, 'b')));
  });

  it('is refused when it is short, or open to others', () => {
    const file = join(folder, 'demo-secret');
    writeFileSync(file, 'short\n', { mode: 0o600 });
    expect(() => demoSecret(folder)).throw('holds no secret');
    writeFileSync(file, 'x'.repeat(64));
    chmodSync(file, 0o644);
    expect(() => demoSecret(folder)).throw('can be read by others');
  });
});

describe('npm run token', () => {
  const run = (args: string[], env: Record<string, string> = {}) =>
    tableSearch(['token', ...args], { DATA_DIR: folder, ...env });
  /** How the command ends, without a process. */
  const refused = (args: string[], env: Record<string, string> = {}) => {
    const options = commandOf('token', args).opts<TokenOptions>();
    return runToken(options, { DATA_DIR: folder, ...env }).then(() => expect.fail(), endingOf);
  };
  const verifier = (authJwtSecret: string, named = {}) => verifierOf({ authJwtSecret, ...named });

  it('mints with the secret that a demo has left, for 8 hours, and says so', async () => {
    const secret = demoSecret(folder);
    const { code, out, err } = await run(['--user', '42', '--admin']);
    expect([code, err]).eql([
      0,
      `table-search: signed with the demo's secret, ${folder}/demo-secret\n`,
    ]);
    const claims = await verifier(secret).claims(out.trim());
    if ('refused' in claims) throw new Error(claims.refused);
    expect(claims).to.include({ sub: '42', admin: true });
    expect(claims!.expires - Date.now() / 1_000).closeTo(8 * 3_600, 60);
  });

  it('mints with the configured secret, issuer, audience and time', async () => {
    const AUTH_JWT_SECRET = 's'.repeat(40);
    const env = { AUTH_JWT_SECRET, AUTH_ISSUER: 'me', AUTH_AUDIENCE: 'you' };
    const { out, err } = await run(['--user', '7', '--expires', '30m'], env);
    expect(err).equal('table-search: signed with AUTH_JWT_SECRET\n');
    const named = { authIssuer: 'me', authAudience: 'you' };
    const claims = await verifier(AUTH_JWT_SECRET, named).claims(out.trim());
    if ('refused' in claims) throw new Error(claims.refused);
    expect(claims).to.include({ sub: '7', admin: false });
    expect(claims!.expires - Date.now() / 1_000).closeTo(1_800, 60);
    expect(readdirSync(folder)).eql([]);
  });

  it('mints roles, into the claim that the service reads, and claims of text and of JSON', async () => {
    const AUTH_JWT_SECRET = 's'.repeat(40);
    const authRolesClaim = 'realm_access.roles';
    const env = { AUTH_JWT_SECRET, AUTH_ROLES_CLAIM: authRolesClaim };
    const args = ['--user', '7', '--admin', '--role', 'support', '--role', 'packer'];
    const more = ['--claim', 'region=eu', 'teams=["a", "b=c"]', '--claim', 'n=5'];
    const { out } = await run([...args, ...more], env);
    const claims = await verifier(AUTH_JWT_SECRET, { authRolesClaim }).claims(out.trim());
    if ('refused' in claims) throw new Error(claims.refused);
    expect(claims.roles).eql(['admin', 'support', 'packer']);
    expect(claims.admin).equal(true);
    expect(claims.claims).deep.include({ region: 'eu', n: 5, teams: ['a', 'b=c'] });
  });

  it('makes no secret of its own, which no service would know', async () => {
    const { code, sentence } = await refused(['--user', '1']);
    expect(code).equal(1);
    expect(sentence).match(/^There is no secret to sign with: set AUTH_JWT_SECRET .+$/);
    expect(readdirSync(folder)).eql([]);
  });

  it('says in a sentence that the secret of the demo cannot be used', async () => {
    writeFileSync(join(folder, 'demo-secret'), 'short\n', { mode: 0o600 });
    const { code, sentence } = await refused(['--user', '1']);
    expect(code).equal(1);
    expect(sentence).match(/^\S+ holds no secret; remove it to get a new one$/);
  });

  it('mints for any name where the token alone decides, for a day at most', async () => {
    const AUTH_JWT_SECRET = 's'.repeat(40);
    const env = { AUTH_JWT_SECRET, BUILT_IN_TABLES: 'off' };
    const { out } = await run(['--user', 'ann@example.com', '--role', 'support'], env);
    const claims = await verifier(AUTH_JWT_SECRET, { rights: 'claims' }).claims(out.trim());
    if ('refused' in claims) throw new Error(claims.refused);
    expect(claims).to.include({ sub: 'ann@example.com', admin: false });
    const wrong: [args: string[], says: RegExp][] = [
      [['--user', ' '], /--user takes a name of 1 to 256 characters/],
      [['--user', 'x'.repeat(257)], /--user takes a name of 1 to 256 characters/],
      [['--user', 'ann', '--expires', '25h'], /at most 24h with BUILT_IN_TABLES=off/],
    ];
    for (const [args, says] of wrong) {
      const { code, sentence } = await refused(args, env);
      expect(code).equal(2);
      expect(sentence).match(says);
    }
  });

  const NO_USER =
    '--user takes the id of a user, such as --user 1; any name only with BUILT_IN_TABLES=off.';
  const wrong: [args: string[], says: string][] = [
    [['--user', 'x'], NO_USER],
    [
      ['--user', '1', '--expires', '367d'],
      '--expires takes a time such as 30m, 8h or 7d, at most 366d.',
    ],
  ];
  for (const [args, sentence] of wrong) {
    it(`says what is wrong with ${JSON.stringify(args)}`, async () => {
      expect(await refused(args)).eql({ code: 2, sentence });
    });
  }

  it('says in a line on stderr what is wrong', async () => {
    const err = "table-search: unknown option '--xyz'; `table-search token --help` has examples.\n";
    expect(await run(['--user', '1', '--xyz'])).eql({ code: 2, out: '', err });
    expect(await run([])).eql({ code: 2, out: '', err: `table-search: ${NO_USER}\n` });
  });
});

describe('npm run token, beside a store', () => {
  const database = useDatabase();
  const AUTH_JWT_SECRET = 's'.repeat(40);

  it('warns on stderr of a user who is not there, or not active, and prints the token', async () => {
    await database.db.collection('users').insertMany(PEOPLE as never);
    const { uri: MONGODB_URI, name: MONGODB_DB } = database;
    const env = { AUTH_JWT_SECRET, MONGODB_URI, MONGODB_DB };
    const [there, inactive, nobody] = await Promise.all(
      [ADMIN, INACTIVE, 99].map((user) => tableSearch(['token', '--user', String(user)], env)),
    );
    for (const { code, out } of [there!, inactive!, nobody!]) {
      expect(code).equal(0);
      expect(out).match(/^eyJ[\w.-]+\n$/);
    }
    const signed = 'table-search: signed with AUTH_JWT_SECRET\n';
    expect(there!.err).equal(signed);
    expect(inactive!.err).equal(
      `${signed}table-search: User 4 is not active: the token will be refused.\n`,
    );
    expect(nobody!.err).equal(
      `${signed}table-search: There is no user 99 in the store: the token will be refused; active ones are 1, 2, 3.\n`,
    );
  });

  it('does not wait for a store that falls silent', async () => {
    const { client, uri: MONGODB_URI, name: MONGODB_DB } = database;
    const namespace = `${MONGODB_DB}.users`;
    const silent = { namespace, blockConnection: true, blockTimeMS: 8_000 };
    await failCommand(client, 'alwaysOn', { failCommands: ['find'], ...silent });
    const { code, err } = await tableSearch(['token', '--user', '1'], {
      ...{ AUTH_JWT_SECRET, MONGODB_URI, MONGODB_DB },
    });
    await failNone(client);
    expect(code).equal(0);
    expect(err).match(/Whether user 1 is there is not known: the store did not answer\.\n$/);
  });
});
