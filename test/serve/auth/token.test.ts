/**
 * RFC 8725, row by row: which tokens are believed. Each bad one differs from a good one in one point,
 * so that nothing else can be why it is refused.
 */
import { createHmac, generateKeyPairSync, type KeyObject, sign } from 'node:crypto';
import { createServer, type Server, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import { expect } from 'chai';
import { AppError } from '../../../src/errors.ts';
import { KeySet } from '../../../src/serve/auth/keySet.ts';
import type { TokenVerifier } from '../../../src/serve/auth/token.ts';
import { until } from '../../support/until.ts';
import { SECRET, verifierOf } from '../edge.ts';

const encode = (value: unknown) =>
  Buffer.from(typeof value === 'string' ? value : JSON.stringify(value)).toString('base64url');

type Sign = (input: string) => Buffer;
const hmac = (secret: string | Buffer, hash = 'sha256'): Sign => {
  return (input) => createHmac(hash, secret).update(input).digest();
};
const asymmetric = (key: KeyObject, hash: string | null): Sign => {
  return (input) => sign(hash, Buffer.from(input), { key, dsaEncoding: 'ieee-p1363' });
};

/** A compact JWS; `payload` may be raw text, for numbers that JSON.stringify would not write. */
function jws(header: object, payload: object | string, by: Sign): string {
  const input = `${encode(header)}.${encode(payload)}`;
  return `${input}.${by(input).toString('base64url')}`;
}

const now = () => Math.floor(Date.now() / 1_000);
const good = () => ({ sub: '7', exp: now() + 60 });
const hs = (payload: object | string, header: object = {}) =>
  jws({ alg: 'HS256', typ: 'JWT', ...header }, payload, hmac(SECRET));

const expectBelieved = async (verifier: TokenVerifier, token: string) =>
  expect(await verifier.claims(token)).property('sub', '7');
const expectRefused = async (verifier: TokenVerifier, token: string) =>
  expect(await verifier.claims(token)).property('refused');

describe('tokens signed with the secret', () => {
  const verifier = verifierOf({ authJwtSecret: SECRET });

  const BELIEVED: Record<string, () => [token: string, admin: boolean]> = {
    'the least there can be': () => [hs(good()), false],
    'the role admin': () => [hs({ ...good(), roles: ['x', 'admin'] }), true],
    'no roles': () => [hs({ ...good(), roles: [] }), false],
    'another spelling of admin': () => [hs({ ...good(), roles: ['Admin'] }), false],
    'an iat a little ahead': () => [hs({ ...good(), iat: now() + 50 }), false],
    'an nbf a little ahead': () => [hs({ ...good(), nbf: now() + 50 }), false],
    'an old iat': () => [hs({ ...good(), iat: 0 }), false],
    'an exp almost 366 days ahead': () => [hs({ ...good(), exp: now() + 366 * 86_400 - 5 }), false],
    'an issuer and audience that were not asked for': () => [
      hs({ ...good(), iss: 'x', aud: 'y' }),
      false,
    ],
  };
  for (const [what, make] of Object.entries(BELIEVED)) {
    it(`are believed with ${what}`, async () => {
      const [token, admin] = make();
      expect(await verifier.claims(token)).to.include({ sub: '7', admin });
      // The second time it comes from those already verified.
      expect(await verifier.claims(token)).to.include({ sub: '7', admin });
    });
  }

  const without = (claim: 'sub' | 'exp') => {
    const claims: Record<string, unknown> = good();
    delete claims[claim];
    return hs(claims);
  };
  const REFUSED: Record<string, () => string> = {
    'alg none': () => `${encode({ alg: 'none' })}.${encode(good())}.`,
    'alg None': () => `${encode({ alg: 'None' })}.${encode(good())}.`,
    'no alg': () => jws({ typ: 'JWT' }, good(), hmac(SECRET)),
    'alg HS512, rightly signed': () => jws({ alg: 'HS512' }, good(), hmac(SECRET, 'sha512')),
    'another secret': () => jws({ alg: 'HS256' }, good(), hmac(`${SECRET}!`)),
    'no signature': () => hs(good()).replace(/[^.]*$/, ''),
    'a cut signature': () => hs(good()).slice(0, -4),
    'claims swapped under a signature': () => {
      const [header, , signature] = hs(good()).split('.');
      return `${header}.${encode({ ...good(), roles: ['admin'] })}.${signature}`;
    },
    'an unknown crit': () => hs(good(), { crit: ['exp2'], exp2: 1 }),
    'an empty crit': () => hs(good(), { crit: [] }),
    'b64 false': () => hs(good(), { b64: false, crit: ['b64'] }),
    'no exp': () => without('exp'),
    'exp a second ago': () => hs({ ...good(), exp: now() - 1 }),
    'exp now': () => hs({ ...good(), exp: now() }),
    'exp 1e308': () => hs(`{"sub":"7","exp":1e308}`),
    'exp beyond all numbers': () => hs(`{"sub":"7","exp":1e999}`),
    'exp negative beyond all numbers': () => hs(`{"sub":"7","exp":-1e999}`),
    'exp more than 366 days ahead': () => hs({ ...good(), exp: now() + 366 * 86_400 + 5 }),
    'exp as text': () => hs({ ...good(), exp: String(now() + 60) }),
    'exp null': () => hs({ ...good(), exp: null }),
    'iat 61 s ahead': () => hs({ ...good(), iat: now() + 62 }),
    'iat as text': () => hs({ ...good(), iat: String(now()) }),
    'iat null': () => hs({ ...good(), iat: null }),
    'nbf 61 s ahead': () => hs({ ...good(), nbf: now() + 62 }),
    'nbf as text': () => hs({ ...good(), nbf: String(now()) }),
    'no sub': () => without('sub'),
    'sub a number': () => hs({ ...good(), sub: 7 }),
    'sub empty': () => hs({ ...good(), sub: '' }),
    'sub with a sign': () => hs({ ...good(), sub: '+7' }),
    'sub negative': () => hs({ ...good(), sub: '-7' }),
    'sub with a leading zero': () => hs({ ...good(), sub: '07' }),
    'sub with blanks': () => hs({ ...good(), sub: ' 7' }),
    'sub in hexadecimal': () => hs({ ...good(), sub: '0x7' }),
    'sub in other digits': () => hs({ ...good(), sub: '٧' }),
    'sub beyond exact numbers': () => hs({ ...good(), sub: '9007199254740993' }),
    'roles a text': () => hs({ ...good(), roles: 'admin' }),
    'roles an object': () => hs({ ...good(), roles: { admin: true } }),
    'roles with a number among them': () => hs({ ...good(), roles: ['admin', 1] }),
    'roles null': () => hs({ ...good(), roles: null }),
    'claims that are a list': () => hs([good()]),
    'claims that are no JSON': () => hs('{"sub":"7",'),
    'two parts': () => hs(good()).replace(/\.[^.]*$/, ''),
    'nothing in it': () => '',
  };
  for (const [what, make] of Object.entries(REFUSED)) {
    it(`are refused with ${what}`, async () => {
      await expectRefused(verifier, make());
    });
  }

  const REASONS: Readonly<Record<string, RegExp>> = {
    'alg none': /not signed by an algorithm that is accepted here: HS256\.$/,
    'alg HS512, rightly signed': /algorithm/,
    'another secret': /signature .* wrong/,
    'claims swapped under a signature': /signature .* wrong/,
    'an unknown crit': /crit/,
    'no exp': /^The token has no exp \(when it ends/,
    'exp a second ago': /^The token expired at \d{4}-\d\d-\d\dT/,
    'exp negative beyond all numbers': /^The token expired; a new one is needed\.$/,
    'exp more than 366 days ahead': /366 days/,
    'exp as text': /has an exp .* does not fit/,
    'iat 61 s ahead': /iat/,
    'nbf 61 s ahead': /not valid yet/,
    'no sub': /^The token has no sub \(the id of its user/,
    'sub a number': /sub/,
    'roles a text': /roles/,
    'claims that are no JSON': /cannot be read/,
    'two parts': /cannot be read/,
  };
  for (const [what, reason] of Object.entries(REASONS)) {
    it(`say why they are refused: ${what}`, async () => {
      const verdict = await verifier.claims(REFUSED[what]!());
      expect(verdict).property('refused').match(reason);
    });
  }

  it('are refused in words that fit into a header, and hold nothing of the token', async () => {
    for (const make of Object.values(REFUSED)) {
      const { refused } = (await verifier.claims(make())) as { refused: string };
      expect(refused).match(/^[\x20\x21\x23-\x5b\x5d-\x7e]{1,200}$/);
    }
    const canary = hs({ sub: 'CANARY', exp: now() + 60, roles: 'CANARY' }, { kid: 'CANARY' });
    expect(await verifier.claims(canary))
      .property('refused')
      .not.match(/CANARY/);
  });

  it('say nothing of claims under a wrong signature', async () => {
    const old = jws({ alg: 'HS256' }, { ...good(), exp: 1 }, hmac(`${SECRET}!`));
    expect(await verifier.claims(old))
      .property('refused')
      .match(/signature/);
  });

  it('are not believed past their end, though they were before', async () => {
    const exp = now() + 4;
    const token = hs({ ...good(), exp });
    await expectBelieved(verifier, token);
    await until(() => Date.now() > exp * 1_000);
    expect(await verifier.claims(token))
      .property('refused')
      .match(/expired/);
  });
});

describe('tokens that alone decide', () => {
  const alone = (authRolesClaim = 'roles') =>
    verifierOf({ authJwtSecret: SECRET, rights: 'claims', authRolesClaim });

  it('are believed with any sub of up to 256 characters', async () => {
    for (const sub of ['ana@example.org', '007', 'ü', 'x'.repeat(256), '🦉'.repeat(256)]) {
      expect(await alone().claims(hs({ ...good(), sub }))).include({ sub, admin: false });
    }
    for (const sub of ['', 'x'.repeat(257), '🦉'.repeat(257), 7, null]) {
      expect(await alone().claims(hs({ ...good(), sub })), `${sub}`).property('refused');
    }
    // The store would have both as one owner of saved views, with U+FFFD for half a pair of surrogates.
    for (const sub of ['\ud800', 'ana\udfff']) {
      await expectRefused(alone(), hs({ ...good(), sub }));
    }
  });

  it('end within 24 hours', async () => {
    expect(await alone().claims(hs({ ...good(), exp: now() + 86_400 - 5 }))).property('sub');
    expect(await alone().claims(hs({ ...good(), exp: now() + 86_400 + 5 })))
      .property('refused')
      .match(/24 hours/);
  });

  it('have their roles where the setting says', async () => {
    const claims = {
      ...good(),
      realm_access: { roles: ['admin', 'x'] },
      'a.b': ['y'],
      a: { b: 1 },
    };
    const roles = async (claim: string) => {
      const found = await alone(claim).claims(hs(claims));
      return 'refused' in found ? found.refused : found.roles;
    };
    expect(await roles('realm_access.roles')).eql(['admin', 'x']);
    expect(await roles('a.b'), 'a whole name comes first').eql(['y']);
    expect(await roles('realm_access.none')).eql([]);
    expect(await roles('realm_access')).match(/no list of strings/);
    expect(await roles('__proto__.constructor')).eql([]);
  });
});

describe('tokens for an issuer and an audience', () => {
  const verifier = verifierOf({
    authJwtSecret: SECRET,
    authIssuer: 'https://issuer.example',
    authAudience: 'table-search',
  });
  const named = () => ({ ...good(), iss: 'https://issuer.example', aud: 'table-search' });

  it('are believed when they name both', async () => {
    await expectBelieved(verifier, hs(named()));
    await expectBelieved(verifier, hs({ ...named(), aud: ['x', 'table-search'] }));
  });
  for (const change of [
    { iss: 'x' },
    { iss: undefined },
    { aud: 'x' },
    { aud: undefined },
    { aud: [] },
  ]) {
    it(`are refused with ${JSON.stringify(change)} of ${Object.keys(change)}`, async () => {
      await expectRefused(verifier, hs({ ...named(), ...change }));
    });
  }
});

describe('tokens signed with a private key', () => {
  const rsa = generateKeyPairSync('rsa', { modulusLength: 2048 });
  const ec = generateKeyPairSync('ec', { namedCurve: 'prime256v1' });
  const ed = generateKeyPairSync('ed25519');
  const KEYS = {
    RS256: { pair: rsa, by: asymmetric(rsa.privateKey, 'sha256') },
    ES256: { pair: ec, by: asymmetric(ec.privateKey, 'sha256') },
    EdDSA: { pair: ed, by: asymmetric(ed.privateKey, null) },
  } as const;

  for (const [alg, { pair, by }] of Object.entries(KEYS)) {
    const verifier = verifierOf({ authPublicKey: pair.publicKey });
    it(`are believed as ${alg}`, async () => {
      await expectBelieved(verifier, jws({ alg }, good(), by));
    });
    it(`are refused as HS256 with the public key of ${alg} for a secret`, async () => {
      const forms = [
        pair.publicKey.export({ type: 'spki', format: 'pem' }) as string,
        (pair.publicKey.export({ type: 'spki', format: 'pem' }) as string).trim(),
        pair.publicKey.export({ type: 'spki', format: 'der' }) as Buffer,
      ];
      for (const secret of forms) {
        await expectRefused(verifier, jws({ alg: 'HS256' }, good(), hmac(secret)));
      }
    });
    it(`are refused from another ${alg} key, and as another algorithm`, async () => {
      for (const [other, key] of Object.entries(KEYS)) {
        if (other === alg) continue;
        await expectRefused(verifier, jws({ alg: other }, good(), key.by));
        await expectRefused(verifier, jws({ alg }, good(), key.by));
      }
    });
  }

  it('are refused as RS512', async () => {
    const verifier = verifierOf({ authPublicKey: rsa.publicKey });
    const by = asymmetric(rsa.privateKey, 'sha512');
    await expectRefused(verifier, jws({ alg: 'RS512' }, good(), by));
  });
});

describe('tokens signed by a key of a key set', () => {
  const ed = generateKeyPairSync('ed25519');
  const other = generateKeyPairSync('ed25519');
  const by = asymmetric(ed.privateKey, null);
  const keys: unknown[] = [];
  let server: Server;
  let authJwksUrl: URL;
  let broken = false;
  /** Answers that a test gives itself; undefined while the server does. */
  let held: ServerResponse[] | undefined;
  let fetches = 0;
  let padding = '';

  before(async () => {
    const jwk = ed.publicKey.export({ format: 'jwk' });
    keys.push({ ...jwk, kid: 'one', alg: 'EdDSA', use: 'sig' });
    keys.push({
      kty: 'oct',
      kid: 'two',
      alg: 'HS256',
      k: Buffer.from(SECRET).toString('base64url'),
    });
    server = createServer((_req, res) => {
      if (held) return void held.push(res);
      res.statusCode = broken ? 500 : 200;
      fetches += 1;
      res.end(JSON.stringify({ keys, padding }));
    });
    await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
    authJwksUrl = new URL(`http://127.0.0.1:${(server.address() as AddressInfo).port}/keys`);
  });
  after(() => server.close());

  it('are believed when the set has their key', async () => {
    const verifier = verifierOf({ authJwksUrl });
    await expectBelieved(verifier, jws({ alg: 'EdDSA', kid: 'one' }, good(), by));
  });

  it('are refused when the key is unknown, or a shared secret', async () => {
    const verifier = verifierOf({ authJwksUrl });
    const foreign = asymmetric(other.privateKey, null);
    await expectRefused(verifier, jws({ alg: 'EdDSA', kid: 'three' }, good(), foreign));
    await expectRefused(verifier, jws({ alg: 'EdDSA', kid: 'one' }, good(), foreign));
    await expectRefused(verifier, jws({ alg: 'HS256', kid: 'two' }, good(), hmac(SECRET)));
  });

  it('are refused when the key they name is malformed, and the others are believed', async () => {
    keys.push({ kty: 'OKP', crv: 'Ed25519', kid: 'bad', alg: 'EdDSA', x: '!' });
    const verifier = verifierOf({ authJwksUrl });
    await expectRefused(verifier, jws({ alg: 'EdDSA', kid: 'bad' }, good(), by));
    await expectBelieved(verifier, jws({ alg: 'EdDSA', kid: 'one' }, good(), by));
  });

  it('are refused with any critical header, those that libraries know included', async () => {
    const verifier = verifierOf({ authJwksUrl });
    const header = { alg: 'EdDSA', kid: 'one', b64: true, crit: ['b64'] };
    await expectRefused(verifier, jws(header, good(), by));
  });

  it('are checked with a set that is fetched again once a minute, not after each failure', async () => {
    let now = 0;
    const set = new KeySet(authJwksUrl, () => now);
    const ask = (kid: string) =>
      Promise.resolve(set.key({ alg: 'EdDSA', kid }, undefined as never)).then(
        () => 'key',
        (error: Error) => error.name,
      );
    const one = keys.shift();
    keys.push(one);
    fetches = 0;
    expect(await ask('one')).equal('key');
    expect([await ask('one'), fetches]).eql(['key', 1]);
    // Withdrawn: known for a minute, and no longer.
    keys.pop();
    now += 59_000;
    expect([await ask('one'), fetches]).eql(['key', 1]);
    now += 2_000;
    expect([await ask('one'), fetches]).eql(['JWKSNoMatchingKey', 2]);
    keys.push(one);
    now += 11_000;
    expect([await ask('one'), fetches]).eql(['key', 3]);
    // Out of reach: the kept one serves, and the address is left alone between tries.
    broken = true;
    now += 61_000;
    for (let i = 0; i < 20; i++) expect(await ask('one')).equal('key');
    expect(fetches).equal(4);
    now += 600_000;
    for (let i = 0; i < 20; i++) expect(await ask('one')).equal('KeySetUnreachable');
    expect(fetches).equal(5);
    broken = false;
  });

  /** A set that is kept, since its issuer failed when it was a minute old; the issuer is well again. */
  async function refreshedInVain() {
    let now = 0;
    const set = new KeySet(authJwksUrl, () => now);
    const ask = () => Promise.resolve(set.key({ alg: 'EdDSA', kid: 'one' }, undefined as never));
    const pass = (ms: number) => {
      now += ms;
    };
    await ask();
    broken = true;
    pass(61_000);
    await ask();
    broken = false;
    return { ask, pass };
  }

  it('are checked at once by the set that is kept, where the issuer failed and is silent now', async () => {
    const { ask, pass } = await refreshedInVain();
    held = [];
    pass(2_000);
    await ask();
    const late = await until(() => held![0]);
    held = undefined;
    // It is still waited for, though by no token.
    late.end('{"keys":[]}');
    await until(() =>
      ask().then(
        () => false,
        ({ name }: Error) => name === 'JWKSNoMatchingKey',
      ),
    );
  });

  it('wait for the issuer again where its failure is long ago, so that a withdrawn key is refused', async () => {
    const { ask, pass } = await refreshedInVain();
    const withdrawn = keys.splice(0);
    pass(122_000);
    const refused = await ask().catch(({ name }: Error) => name);
    keys.push(...withdrawn);
    expect(refused).equal('JWKSNoMatchingKey');
  });

  it('are neither when the set is larger than any set is', async () => {
    padding = 'x'.repeat(300_000);
    const token = jws({ alg: 'EdDSA', kid: 'one' }, good(), by);
    const failure = await verifierOf({ authJwksUrl })
      .claims(token)
      .then(
        () => undefined,
        (error: unknown) => error,
      );
    padding = '';
    expect(failure).instanceOf(AppError).with.property('code', 'StoreUnavailable');
  });

  it('are neither when the set cannot be had: that is 503, not 401', async () => {
    const token = jws({ alg: 'EdDSA', kid: 'one' }, good(), by);
    broken = true;
    const closed = new URL('http://127.0.0.1:1/keys');
    for (const url of [authJwksUrl, closed]) {
      const failure = await verifierOf({ authJwksUrl: url })
        .claims(token)
        .then(
          () => undefined,
          (error: unknown) => error,
        );
      expect(failure).instanceOf(AppError).with.property('code', 'StoreUnavailable');
    }
  });
});
