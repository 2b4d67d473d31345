/**
 * Signing in at an OpenID provider: authorization code with PKCE, by the web UI alone.
 *
 *     provider's address ──► sign-in there ──► back, with a code ──► token ──► where one was
 *
 * The code stands in the address for a moment, and is worth nothing without the verifier, which this tab
 * alone knows until it asks for the token. https://datatracker.ietf.org/doc/html/rfc9700
 */
import * as oauth from 'oauth4webapi';
import { say } from '../words/words.ts';
import { signIn } from './session.ts';

/** As `/page/sign-in` tells it. */
export interface OpenIdProvider {
  readonly issuer: string;
  readonly client_id: string;
  readonly scope: string;
  readonly audience: string | null;
}

interface Pending {
  readonly provider: OpenIdProvider;
  readonly verifier: string;
  readonly state: string;
  /** Where the UI was: all that it showed is in its address. */
  readonly back: string;
}

const RETURN_PATH = '/signed-in';
const PENDING = 'signing-in';

/** For how long the provider may say nothing, milliseconds. */
const PATIENCE_MS = 10_000;

const asking = () => ({
  // http is for a provider on this machine: the service takes no other.
  [oauth.allowInsecureRequests]: true,
  signal: AbortSignal.timeout(PATIENCE_MS),
});

/** Leaves the UI for the provider's. @throws what keeps the provider from being asked */
export async function goToProvider(provider: OpenIdProvider): Promise<void> {
  const server = await serverOf(provider);
  if (server.authorization_endpoint === undefined) throw new Error('it has no sign-in page');
  const verifier = oauth.generateRandomCodeVerifier();
  const state = oauth.generateRandomState();
  const { pathname, search } = location;
  const back = pathname === RETURN_PATH ? '/' : pathname + search;
  keep({ provider, verifier, state, back });
  const url = new URL(server.authorization_endpoint);
  const { client_id, scope, audience } = provider;
  const question = {
    ...{ response_type: 'code', client_id, scope, state },
    redirect_uri: returnAddress(),
    code_challenge: await oauth.calculatePKCECodeChallenge(verifier),
    code_challenge_method: 'S256',
    ...audienceOf(audience),
  };
  for (const [name, value] of Object.entries(question)) url.searchParams.set(name, value);
  location.assign(url);
}

/**
 * Takes what the provider sent back, if it did: signed in, and the address is what it was before.
 *
 * @returns why nobody is signed in; undefined when somebody is, or nobody came back
 */
export async function comeBack(): Promise<string | undefined> {
  if (location.pathname !== RETURN_PATH) return undefined;
  const parameters = new URLSearchParams(location.search);
  const pending = takeKept();
  history.replaceState(null, '', pending?.back ?? '/');
  // The view follows the address, as when one goes back.
  dispatchEvent(new PopStateEvent('popstate'));
  if (!pending) return 'This sign-in was not started in this tab. Try again.';
  try {
    return signIn(await tokenFor(parameters, pending));
  } catch (error) {
    return say('Sign-in failed: {why}.', { why: reasonOf(error) });
  }
}

async function tokenFor(
  parameters: URLSearchParams,
  { provider, verifier, state }: Pending,
): Promise<string> {
  const server = await serverOf(provider);
  const client = { client_id: provider.client_id };
  const valid = oauth.validateAuthResponse(server, client, parameters, state);
  const response = await oauth.authorizationCodeGrantRequest(
    server,
    client,
    oauth.None(),
    valid,
    returnAddress(),
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

const returnAddress = () => new URL(RETURN_PATH, location.origin).href;

/** Whom the token is for: some providers know it as `audience`, others as `resource` (RFC 8707). */
function audienceOf(audience: string | null): Record<string, string> {
  if (audience === null) return {};
  return { audience, ...(URL.canParse(audience) && { resource: audience }) };
}

function reasonOf(error: unknown): string {
  if (
    error instanceof oauth.AuthorizationResponseError ||
    error instanceof oauth.ResponseBodyError
  ) {
    return error.error_description ?? error.error;
  }
  return error instanceof Error ? error.message : String(error);
}

function keep(pending: Pending): void {
  sessionStorage.setItem(PENDING, JSON.stringify(pending));
}

function takeKept(): Pending | undefined {
  const text = sessionStorage.getItem(PENDING);
  sessionStorage.removeItem(PENDING);
  return text === null ? undefined : (JSON.parse(text) as Pending);
}
