/**
 * Signing in at an OpenID provider: authorization code with PKCE, by the web UI alone.
 *
 *     provider's address ──► sign-in there ──► back, with a code ──► token ──► where one was
 *
 * The code stands in the address for a moment, and is worth nothing without the verifier, which this tab
 * alone knows until it asks for the token. `provider.ts` has the protocol.
 */
import { say } from '../../words/words.ts';
import type { OpenIdProvider, Started } from './provider.ts';
import { signIn } from './session.ts';

interface Pending extends Started {
  /** Where the UI was: all that it showed is in its address. */
  readonly back: string;
}

const RETURN_PATH = '/signed-in';
const PENDING = 'signing-in';

const protocol = () => import('./provider.ts');

/** Leaves the UI for the provider's. @throws the error that keeps it from asking the provider */
export async function goToProvider(provider: OpenIdProvider): Promise<void> {
  const { started } = await protocol();
  const { url, ...pending } = await started(provider, returnAddress());
  const { pathname, search } = location;
  keep({ ...pending, back: pathname === RETURN_PATH ? '/' : pathname + search });
  location.assign(url);
}

/**
 * Takes the provider's answer, if there is one: signs in, and restores the address.
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
  const { reasonOf, tokenFor } = await protocol();
  try {
    return signIn(await tokenFor(parameters, pending, returnAddress()));
  } catch (error) {
    return say('Sign-in failed: {why}.', { why: reasonOf(error) });
  }
}

const returnAddress = () => new URL(RETURN_PATH, location.origin).href;

function keep(pending: Pending): void {
  sessionStorage.setItem(PENDING, JSON.stringify(pending));
}

function takeKept(): Pending | undefined {
  const text = sessionStorage.getItem(PENDING);
  sessionStorage.removeItem(PENDING);
  return text === null ? undefined : (JSON.parse(text) as Pending);
}
