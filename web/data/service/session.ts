/**
 * The session: a token in the memory of this tab, kept in its session storage so that a reload
 * changes nothing. It never stands in an address.
 */
import { computed, effect, signal } from '@preact/signals';
import { signIns } from '../../state/surroundings.ts';

export interface Session {
  readonly token: string;
  readonly userId: string;
  readonly admin: boolean;
}

const KEPT = 'token';

export const session = signal<Session | undefined>(kept());
/** Why the UI asks for a token again, while it goes on showing the rows. */
export const refusal = signal<string | undefined>(undefined);

/** Why signing in came to nothing. */
export const notSignedIn = signal<string | undefined>(undefined);

/** The id of the person who is signed in. A new token of the same person changes nothing. */
export const person = computed(() => session.value?.userId);

export const isAdmin = computed(() => session.value?.admin === true);

/**
 * Takes a token, also as a header or the link that signs in has it.
 *
 * @returns the fault of the token, if the UI can see one
 */
export function signIn(token: string): string | undefined {
  const read = sessionOf(token.trim().replace(/^(bearer\s+|https?:\S*#token=)/i, ''));
  if (typeof read === 'string') return read;
  sessionStorage.setItem(KEPT, read.token);
  session.value = read;
  refusal.value = undefined;
  notSignedIn.value = undefined;
  signIns.value += 1;
  return undefined;
}

/**
 * Signs in by the link that a command on this machine prints: `#token=…`. Elsewhere a link could sign
 * people in as somebody else.
 *
 * @returns the fault of the token
 */
export function takeToken(): string | undefined {
  const [, token] = /^#token=([\w.-]+)$/.exec(location.hash) ?? [];
  if (token === undefined || !/^(127\.0\.0\.1|localhost|\[::1\])$/.test(location.hostname)) return;
  history.replaceState(history.state, '', location.pathname + location.search);
  return signIn(token);
}

/** The same for a link that is opened where the UI shows already: the browser loads nothing then. */
export function takeTokens(): void {
  addEventListener('hashchange', () => {
    const before = person.peek();
    notSignedIn.value = takeToken() ?? notSignedIn.peek();
    // Nothing of one person is to stay beside another one.
    if (before !== undefined && person.peek() !== before) location.reload();
  });
}

export function signOut(): void {
  sessionStorage.removeItem(KEPT);
  session.value = undefined;
  refusal.value = undefined;
}

/** The service takes the token no more: it is asked for, and nothing else changes. */
export function refuse(reason: string): void {
  sessionStorage.removeItem(KEPT);
  refusal.value = reason;
}

/**
 * Learns something once for each token, since another caller may see other things of it.
 *
 * @param forget as somebody signs out
 */
export function oncePerToken(learn: () => Promise<void>, forget: () => void): () => Promise<void> {
  let learned: { readonly token: string | undefined; readonly done: Promise<void> } | undefined;
  effect(() => {
    if (session.value) return;
    learned = undefined;
    forget();
  });
  return () => {
    const token = session.peek()?.token;
    if (!learned || learned.token !== token) learned = { token, done: learn() };
    return learned.done;
  };
}

function kept(): Session | undefined {
  const token = sessionStorage.getItem(KEPT);
  const read = token === null ? undefined : sessionOf(token);
  return typeof read === 'object' ? read : undefined;
}

/** The token's own claims. The service alone decides whether that is true. */
function sessionOf(token: string): Session | string {
  const [, payload] = /^[\w-]+\.([\w-]+)\.[\w-]+$/.exec(token) ?? [];
  if (payload === undefined)
    return 'This is not a valid token: it needs three parts separated by dots.';
  try {
    const claims = JSON.parse(textOf(payload)) as Readonly<Record<string, unknown>>;
    const { sub, roles, exp } = claims;
    if (Number(exp) * 1_000 <= Date.now()) return 'This token has expired. Request a new one.';
    const admin = Array.isArray(roles) && roles.includes('admin');
    return { token, userId: String(sub), admin };
  } catch {
    return 'This is not a valid token: its middle part cannot be read.';
  }
}

function textOf(base64url: string): string {
  const binary = atob(base64url.replaceAll('-', '+').replaceAll('_', '/'));
  return new TextDecoder().decode(Uint8Array.from(binary, (char) => char.charCodeAt(0)));
}
