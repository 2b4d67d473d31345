/** Settings: values that the service takes, and values that stop it. */
import { generateKeyPairSync } from 'node:crypto';
import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect } from 'chai';
import { ConfigError, readConfig, storeUri } from '../src/config.ts';
import { useFolder } from './support/folder.ts';

const SECRET = { AUTH_JWT_SECRET: 'x'.repeat(32) };

function problem(env: Record<string, string>): string {
  try {
    readConfig(env);
  } catch (error) {
    expect(error).instanceOf(ConfigError);
    return (error as Error).message;
  }
  throw new Error(`taken: ${JSON.stringify(env)}`);
}

describe('settings', () => {
  it('have the decided defaults', () => {
    const config = readConfig(SECRET);
    expect(config).to.include({
      mongodbUri: undefined,
      mongodbDb: 'table_search',
      dataDir: '.data',
      host: '127.0.0.1',
      port: 8080,
      dbItemLimit: 100,
      searchIndex: true,
      queryTimeoutMs: 15_000,
      bodyLimit: 1_048_576,
      logLevel: 'info',
      metricsToken: undefined,
    });
    expect(Object.isFrozen(config)).equal(true);
  });

  it('name the store in production, be it the embedded one', () => {
    const uri = 'mongodb://db/';
    const of = (text: string | undefined, env: string | undefined) =>
      storeUri(readConfig({ ...SECRET, MONGODB_URI: text }), env);
    expect(of(uri, 'production')).equal(uri);
    expect(of('embedded', 'production')).equal(undefined);
    expect(of(undefined, 'development')).equal(undefined);
    expect(() => of(undefined, 'production')).throw(ConfigError, /MONGODB_URI is not set/);
  });

  it('are read as typed values', () => {
    const env = {
      ...SECRET,
      PORT: '0',
      SEARCH_INDEX: 'off',
      BODY_LIMIT: '64KB',
      SEARCH_MAX_BYTES: '48gb',
    };
    expect(readConfig(env)).to.include({
      port: 0,
      searchIndex: false,
      bodyLimit: 65_536,
      searchMaxBytes: 48 * 2 ** 30,
    });
  });

  it('count as unset when blank', () => {
    expect(readConfig({ ...SECRET, PORT: '', METRICS_TOKEN: '  ' }).port).equal(8080);
  });

  const BAD: [name: string, value: string][] = [
    ['PORT', '65536'],
    ['PORT', '-1'],
    ['PORT', '80.5'],
    ['PORT', '0x50'],
    ['PORT', '8080 '],
    ['DB_ITEM_LIMIT', '0'],
    ['DB_ITEM_LIMIT', '1e3'],
    ['QUERY_TIMEOUT_MS', '0'],
    ['SEARCH_INDEX', 'ON'],
    ['SEARCH_INDEX', 'true'],
    ['REQUEST_MEMORY_BYTES', '1mb'],
    ['SEARCH_MAX_BYTES', '1025gb'],
    ['BODY_LIMIT', '1tb'],
    ['BODY_LIMIT', '1gb'],
    ['BODY_LIMIT', '1.5mb'],
    ['LOG_LEVEL', 'loud'],
    ['MONGODB_URI', 'postgres://x'],
    ['MONGODB_URI', 'mongodb://db:99999/'],
    ['MONGODB_URI', 'mongodb://db/?replicaset=rs0&raedPreference=primary'],
    ['MONGODB_URI', 'mongodb://ann:p:w@db/'],
    ['MONGODB_DB', 'a.b'],
    ['MONGODB_DB', 'admin'],
    ['TASK_PREFIX', 'a b'],
    ['METRICS_TOKEN', 'short'],
    ['AUTH_JWT_SECRET', 'x'.repeat(31)],
    ['TASK_TYPES_FILE', '/nowhere/at/all.json'],
    ['TABLES', '/nowhere/at/all.yaml'],
    ['VIEWS_COLLECTION', '.a'],
    ['VIEWS_COLLECTION', 'a..b'],
    ['VIEWS_COLLECTION', 'OFF'],
    ['VIEWS_COLLECTION', 'projects'],
    ['VIEWS_COLLECTION', 'snapshots.files'],
    ['VIEWS_COLLECTION', 'search_heartbeat'],
    ['AUTH_ROLES_CLAIM', 'a..b'],
    ['OTEL_EXPORTER_OTLP_ENDPOINT', 'http://collector:99999'],
  ];
  for (const [name, value] of BAD) {
    it(`refuse ${name}=${value}`, () => {
      const message = problem({ ...SECRET, [name]: value });
      expect(message).match(new RegExp(`\\b${name}\\b`));
      expect(message).not.include('\n');
    });
  }

  it('report all bad ones at once, in one line', () => {
    const message = problem({
      ...SECRET,
      PORT: 'a\nb\u2028c',
      DB_ITEM_LIMIT: 'x',
      LOG_LEVEL: '\u001b[31m',
    });
    expect(message).include('PORT').include('DB_ITEM_LIMIT').include('LOG_LEVEL');
    expect(message).not.match(/[\n\r\u2028\u001b]/);
  });

  it('never repeat a secret', () => {
    const message = problem({
      AUTH_JWT_SECRET: 'sesame',
      METRICS_TOKEN: 'open sesame',
      MONGODB_URI: 'mongo://u:sesame@h',
    });
    for (const uri of [
      'mongodb://u:se/sesame@h/',
      'mongodb://u:p@sesame@h/',
      'mongodb://u:sesame%zz@h/',
      'mongodb://u:sesame@h:99999/',
      'mongodb://u:sesame',
      'mongodb://u:p@sesame:x/y',
      'mongodb://u:p@h?sesame=b@h/',
      'mongodb://u:p@h/x?sesame@h/',
    ]) {
      expect(problem({ ...SECRET, MONGODB_URI: uri })).not.include('sesame');
    }
    const others = problem({
      AUTH_PUBLIC_KEY: `-----BEGIN EC ${'PRIVATE'} KEY-----\nsesame`,
      AUTH_JWKS_URL: 'http://u:sesame@idp/keys?key=sesame',
      OTEL_EXPORTER_OTLP_ENDPOINT: 'htp://u:sesame@p@collector',
      CORS_ORIGINS: 'https://u:sesame@app.example.com',
    });
    expect(others).not.include('sesame').not.include('BEGIN');
    expect(others).include('AUTH_JWKS_URL "http://…@idp/keys?…"');
    expect(message).include('AUTH_JWT_SECRET').include('METRICS_TOKEN').include('MONGODB_URI');
    expect(message).not.include('sesame');
  });
});

describe('TABLES', () => {
  const folder = useFolder('tables');
  const withFile = (content: string | Uint8Array) => {
    const path = join(folder, 'tables.yaml');
    writeFileSync(path, content);
    return { ...SECRET, TABLES: path };
  };

  it('names a definition file', () => {
    const text = 'version: 1\ntables: { notes: { collection: notes, fields: { id: objectId } } }';
    expect(readConfig(withFile(text)).tables?.map(({ name }) => name)).eql(['notes']);
    expect(readConfig(SECRET).tables).equal(undefined);
    const inLatin1 = withFile(Buffer.from(text.replace('notes:', 'café:'), 'latin1'));
    expect(() => readConfig(inLatin1)).throw(/names a file with 1 problem/);
  });

  it('has no table that the other settings exclude, and says where it stands', () => {
    const one = (collection: string) => `    { collection: ${collection}, fields: { id: string } }`;
    const env = withFile(`version: 1\ntables:\n  users:\n${one('u')}\n  kept:\n${one('views')}\n`);
    try {
      readConfig(env);
      expect.fail('taken');
    } catch (error) {
      expect((error as ConfigError).message).match(/^Bad settings: TABLES "[^"]+" .* 2 problems$/);
      expect((error as ConfigError).lines).eql([
        `${env.TABLES}:4:5  a built-in table has the name users, too: rename this one, or set BUILT_IN_TABLES=off`,
        `${env.TABLES}:6:5  saved views are kept in the collection of kept: give VIEWS_COLLECTION another name`,
      ]);
    }
    const other = { ...env, BUILT_IN_TABLES: 'off', VIEWS_COLLECTION: 'off' };
    expect(readConfig(other).tables).length(2);
  });

  it('tells every problem of the file in a line', () => {
    const env = withFile('version: 2\ntables: { notes: { fields: {} } }\n');
    try {
      readConfig({ ...env, PORT: 'x' });
      expect.fail('taken');
    } catch (error) {
      expect((error as ConfigError).message).match(/^Bad settings: PORT.*TABLES.*4 problems$/);
      expect((error as ConfigError).lines).eql([
        `${env.TABLES}:1:10  version must be 1, not 2`,
        `${env.TABLES}:2:11  "collection" is missing in notes`,
        `${env.TABLES}:2:20  notes has no field "id", the key: add it with its type, such as id: objectId`,
        `${env.TABLES}:2:28  fields must have at least 1 entry`,
      ]);
    }
  });
});

describe('RIGHTS', () => {
  const read = (env: Record<string, string>) => readConfig({ ...SECRET, ...env });

  it('follows from BUILT_IN_TABLES', () => {
    expect(read({}).rights).equal('data');
    expect(read({ BUILT_IN_TABLES: 'off' }).rights).equal('claims');
    expect(read({ BUILT_IN_TABLES: 'off', RIGHTS: 'claims' }).rights).equal('claims');
  });

  it('cannot contradict it', () => {
    expect(() => read({ RIGHTS: 'claims' })).throw('RIGHTS is claims, and BUILT_IN_TABLES asks');
    expect(() => read({ RIGHTS: 'data', BUILT_IN_TABLES: 'off' })).throw('asks for claims');
  });
});

describe('OIDC_CLIENT_ID', () => {
  it('needs the URL of the provider', () => {
    const client = { ...SECRET, OIDC_CLIENT_ID: 'table-search' };
    const needs = /OIDC_CLIENT_ID needs AUTH_ISSUER, the https URL/;
    expect(problem(client)).match(needs);
    expect(problem({ ...client, AUTH_ISSUER: 'our provider' })).match(needs);
    const authIssuer = 'https://id.example/';
    expect(readConfig({ ...client, AUTH_ISSUER: authIssuer })).include({ authIssuer });
  });
});

describe('the way to check tokens', () => {
  const pem = (type: 'spki' | 'pkcs8', key: ReturnType<typeof generateKeyPairSync>) =>
    type === 'spki'
      ? key.publicKey.export({ type, format: 'pem' }).toString()
      : key.privateKey.export({ type, format: 'pem' }).toString();
  const ed25519 = generateKeyPairSync('ed25519');

  it('must be exactly one', () => {
    expect(problem({})).include('none is');
    const two = { ...SECRET, AUTH_JWKS_URL: 'https://example.org/keys' };
    expect(problem(two)).include('AUTH_JWT_SECRET and AUTH_JWKS_URL are');
  });

  it('may be a public key, line ends written out or not', () => {
    const text = pem('spki', ed25519);
    for (const AUTH_PUBLIC_KEY of [text, text.replaceAll('\n', '\\n')]) {
      expect(readConfig({ AUTH_PUBLIC_KEY }).authPublicKey?.asymmetricKeyType).equal('ed25519');
    }
  });

  it('is no private key, no weak key, no other kind of key', () => {
    const refused = {
      private: pem('pkcs8', ed25519),
      weak: pem('spki', generateKeyPairSync('rsa', { modulusLength: 1024 })),
      curve: pem('spki', generateKeyPairSync('ec', { namedCurve: 'secp384r1' })),
      exchange: pem('spki', generateKeyPairSync('x25519') as never),
      nonsense: 'AAAA',
    };
    for (const key of Object.values(refused)) {
      expect(problem({ AUTH_PUBLIC_KEY: key })).include('AUTH_PUBLIC_KEY');
    }
  });

  it('fetches keys by https, or from this machine', () => {
    expect(readConfig({ AUTH_JWKS_URL: 'http://127.0.0.1:9/keys' }).authJwksUrl?.port).equal('9');
    for (const url of ['http://example.org/keys', 'file:///etc/passwd', 'keys']) {
      expect(problem({ AUTH_JWKS_URL: url })).include('AUTH_JWKS_URL');
    }
  });
});

describe('the file of task types', () => {
  const folder = useFolder('task-types');
  const withFile = (content: string) => {
    const path = join(folder, 'types.json');
    writeFileSync(path, content);
    return { ...SECRET, TASK_TYPES_FILE: path };
  };
  const GOOD = { value: 'bake_bread', label: 'Bake bread', scopes: ['project'] };

  it('replaces the catalogue', () => {
    expect(readConfig(withFile(JSON.stringify([GOOD]))).taskTypes).eql([GOOD]);
  });

  const BROKEN: Record<string, unknown> = {
    'no list': GOOD,
    'an empty list': [],
    'no value': [{ ...GOOD, value: undefined }],
    'a value with blanks': [{ ...GOOD, value: 'bake bread' }],
    'a blank label': [{ ...GOOD, label: ' ' }],
    'an unknown scope': [{ ...GOOD, scopes: ['galaxy'] }],
    'no scopes': [{ ...GOOD, scopes: [] }],
    'a value twice': [GOOD, { ...GOOD, label: 'Other' }],
    'a label twice, in another case': [GOOD, { ...GOOD, value: 'other', label: 'BAKE BREAD' }],
  };
  for (const [what, content] of Object.entries(BROKEN)) {
    it(`is refused with ${what}`, () => {
      expect(problem(withFile(JSON.stringify(content)))).include('TASK_TYPES_FILE');
    });
  }

  it('is refused when it is no JSON', () => {
    expect(problem(withFile('[{'))).include('cannot be read as JSON');
  });
});
