/** Signing in at a real OpenID provider: code flow with PKCE, from the web UI and back to where it was. */
import { createServer, type Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import { expect } from 'chai';
import Provider from 'oidc-provider';
import type { Page } from 'playwright-core';
import { ADMIN, suite, useStage } from './stage.ts';

const AUDIENCE = 'https://table-search.example';

suite('signing in at a provider', () => {
  const settings: Record<string, string> = {};
  let server: Server;
  let issuer: string;

  before(async () => {
    server = createServer();
    await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
    issuer = `http://localhost:${(server.address() as AddressInfo).port}`;
    Object.assign(settings, {
      AUTH_JWT_SECRET: '',
      AUTH_JWKS_URL: `${issuer}/jwks`,
      AUTH_ISSUER: issuer,
      AUTH_AUDIENCE: AUDIENCE,
      OIDC_CLIENT_ID: 'table-search',
    });
  });
  const stage = useStage(settings);
  before(() => {
    server.on('request', providerFor(issuer, stage.service.url).callback());
  });
  after(() => {
    server.closeAllConnections();
    server.close();
  });

  /** Fills in the provider's own pages: the name, and the consent. */
  async function identify(page: Page, login: string): Promise<void> {
    await page.locator('input[name=login]').fill(login);
    await page.locator('input[name=password]').fill('any');
    await page.locator('button[type=submit]').click();
    await page.getByRole('button', { name: 'Continue' }).click();
  }

  const begin = async (address: string) => {
    stage.expectInConsole(new RegExp(`^a request elsewhere: ${issuer}/`));
    const page = await stage.open(address, { as: 'nobody' });
    await page.getByRole('button', { name: 'Sign in with localhost' }).click();
    return page;
  };

  it('comes back to the view that was asked for, with a token that the service takes', async () => {
    const page = await begin('/tasks?status=FAILURE');
    await identify(page, String(ADMIN));
    await page.locator('tr.row').first().waitFor();
    expect(page.url()).equal(`${stage.service.url}/tasks?status=FAILURE`);
    const kept = await page.evaluate<string[]>('Object.keys(sessionStorage)');
    expect(kept, 'nothing of the way is kept').not.include('signing-in');
    const addresses = await page.evaluate("performance.getEntriesByType('resource')");
    expect(JSON.stringify(addresses), 'no token in an address').not.match(/eyJ/);
    await page.reload();
    await page.locator('tr.row').first().waitFor();
  });

  it('says so when the provider was told no', async () => {
    const page = await begin('/tasks?status=FAILURE');
    await page.getByRole('link', { name: 'Cancel' }).click();
    await page.getByRole('alert').filter({ hasText: 'Sign-in failed' }).waitFor();
    expect(page.url()).equal(`${stage.service.url}/tasks?status=FAILURE`);
  });

  it('takes no code that was not asked for in this tab', async () => {
    const page = await stage.open('/signed-in?code=stolen&state=known', { as: 'nobody' });
    await page.getByRole('alert').filter({ hasText: 'not started in this tab' }).waitFor();
    expect(page.url()).equal(`${stage.service.url}/`);
  });
});

/** A provider that believes everyone's name, and makes everyone an admin. */
function providerFor(issuer: string, origin: string): Provider {
  return new Provider(issuer, {
    clients: [
      {
        client_id: 'table-search',
        token_endpoint_auth_method: 'none',
        redirect_uris: [`${origin}/signed-in`],
      },
    ],
    clientBasedCORS: (_ctx, asking) => asking === origin,
    findAccount: (_ctx, accountId) => ({ accountId, claims: () => ({ sub: accountId }) }),
    extraTokenClaims: () => ({ roles: ['admin'] }),
    features: {
      devInteractions: { enabled: true },
      resourceIndicators: {
        enabled: true,
        getResourceServerInfo: () => ({
          ...{ scope: 'openid', audience: AUDIENCE },
          ...{ accessTokenFormat: 'jwt', accessTokenTTL: 600 },
        }),
        useGrantedResource: () => true,
      },
    },
    cookies: { keys: ['for a test'] },
  });
}
