/**
 * The protocol with an OpenID provider: authorization code with PKCE. It imports nothing of the web UI, so
 * that a browser loads it, and the package it needs, only where somebody signs in so: 7 kB of 92.
 * https://datatracker.ietf.org/doc/html/rfc9700
 */
import * as oauth from 'oauth4webapi';

/** As `/page/sign-in` tells it. */
export interface OpenIdProvider {
  readonly issuer: string;
  readonly client_id: string;
  readonly scope: string;
  readonly audience: string | null;
}

/** The values that the way back is checked with. */
export interface Started {
  readonly provider: OpenIdProvider;
  readonly verifier: string;
  readonly state: string;
}

/** For how long the provider may say nothing, milliseconds. */
const PATIENCE_MS = 10_000;

const asking = () => ({
  // http is for a provider on this machine: the service takes no other.
  [oauth.allowInsecureRequests]: true,
  signal: AbortSignal.timeout(PATIENCE_MS),
});

/** The address of the provider's sign-in. @throws the error that keeps it from asking the provider */
export async function started(
  provider: OpenIdProvider,
  redirect_uri: string,
): Promise<Started & { readonly url: URL }> {
  const server = await serverOf(provider);
  if (server.authorization_endpoint === undefined) throw new Error('it has no sign-in page');
  const verifier = oauth.generateRandomCodeVerifier();
  const state = oauth.generateRandomState();
  const url = new URL(server.authorization_endpoint);
  const { client_id, scope, audience } = provider;
  const question = {
    ...{ response_type: 'code', client_id, scope, state, redirect_uri },
    code_challenge: await oauth.calculatePKCECodeChallenge(verifier),
    code_challenge_method: 'S256',
    ...audienceOf(audience),
  };
  for (const [name, value] of Object.entries(question)) url.searchParams.set(name, value);
  return { provider, verifier, state, url };
}

/** The token for the code that the provider sent back. */
export async function tokenFor(
  parameters: URLSearchParams,
  { provider, verifier, state }: Started,
  redirect: string,
): Promise<string> {
  const server = await serverOf(provider);
  const client = { client_id: provider.client_id };
  const valid = oauth.validateAuthResponse(server, client, parameters, state);
  const response = await oauth.authorizationCodeGrantRequest(
    server,
    client,
    oauth.None(),
    valid,
    redirect,
    verifier,
    { ...asking(), additionalParameters: audienceOf(provider.audience) },
  );
  const { access_token } = await oauth.processAuthorizationCodeResponse(server, client, response);
  return access_token;
}

async function serverOf({ issuer }: OpenIdProvider): Promise<oauth.AuthorizationServer> {
  const url = new URL(issuer);
  return await oauth.processDiscoveryResponse(url, await oauth.discoveryRequest(url, asking()));
}

/** Whom the token is for: some providers know it as `audience`, others as `resource` (RFC 8707). */
function audienceOf(audience: string | null): Record<string, string> {
  if (audience === null) return {};
  return { audience, ...(URL.canParse(audience) && { resource: audience }) };
}

export function reasonOf(error: unknown): string {
  if (
    error instanceof oauth.AuthorizationResponseError ||
    error instanceof oauth.ResponseBodyError
  ) {
    return error.error_description ?? error.error;
  }
  return error instanceof Error ? error.message : String(error);
}
