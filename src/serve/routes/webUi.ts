/**
 * The web UI: tables for people, at `/`, and the files it loads. Made by `npm run build` from
 * `web/`.
 *
 * ```
 * /  /orders  /people …     index.html: never kept, under a policy that lets nothing in from elsewhere
 * /assets/*                 named by what they hold, so kept for ever; compressed copies lie beside them
 * /signed-in                the same, for people who come back from an OpenID provider
 * any unknown path          the same with status 404, for browsers that open it; not below /api and /page
 * /page/sign-in             how to sign in: at that provider; in a demo, as its people, from this machine alone
 * ```
 *
 * The service lists the folder when it starts, and serves no other file.
 */
import { existsSync, readdirSync, readFileSync } from 'node:fs';
import { fileURLToPath } from 'node:url';
import type { Context } from 'koa';
import { isLocal } from '../operator.ts';
import { PUBLIC_GET, type Route, type RouteContext, UNKNOWN_PATH } from '../route.ts';

/** A person whom a demo lets in. */
export interface DemoPerson {
  readonly user_id: number;
  readonly name: string;
  readonly about: string;
  readonly token: string;
}

/** Makes the tokens of a demo's people, on request. */
export type DemoPeople = () => Promise<readonly DemoPerson[]>;

/** An OpenID provider, as the web UI needs to know it. */
export interface OpenIdProvider {
  readonly issuer: URL;
  readonly clientId: string;
  readonly scope: string;
  readonly audience: string | undefined;
}

export interface WebUi {
  /** Where its addresses begin, besides `/`; which table it is, the web UI finds out. */
  readonly pages: readonly string[];
  /** How people sign in, beside pasting a token. */
  readonly openId?: OpenIdProvider | undefined;
  /** In a demo alone. */
  readonly demoPeople?: DemoPeople | undefined;
}

const FOLDER = fileURLToPath(new URL('../../../build/webUi/', import.meta.url));

/** @param provider the OpenID provider, which the web UI may ask besides the service */
const policyWith = (provider: string) =>
  [
    "default-src 'none'",
    "script-src 'self'",
    "style-src 'self'",
    "img-src 'self'",
    "font-src 'self'",
    `connect-src 'self'${provider}`,
    "frame-src 'self'",
    "form-action 'self'",
    "base-uri 'none'",
    "frame-ancestors 'none'",
    "require-trusted-types-for 'script'",
  ].join('; ');

const TYPES: Readonly<Record<string, string>> = {
  css: 'text/css; charset=utf-8',
  html: 'text/html; charset=utf-8',
  js: 'text/javascript; charset=utf-8',
  svg: 'image/svg+xml',
  woff2: 'font/woff2',
};

/** Best first. */
const COMPRESSED = [
  ['br', '.br'],
  ['gzip', '.gz'],
] as const;

export function uiRoutes({ pages, demoPeople, openId }: WebUi): Route[] {
  const openid = openId ? providerOf(openId) : null;
  const signIn = get('/page/sign-in', async (ctx) => {
    const people = demoPeople && isLocal(ctx.req) ? await demoPeople() : null;
    ctx.body = { people, openid };
  });
  if (!existsSync(`${FOLDER}index.html`)) return [signIn];
  const index = file('index.html');
  const shown = {
    'Cache-Control': 'no-store',
    'Content-Security-Policy': policyWith(openId ? ` ${openId.issuer.origin}` : ''),
    'Referrer-Policy': 'no-referrer',
    'Cross-Origin-Opener-Policy': 'same-origin',
  };
  const assets = readdirSync(`${FOLDER}assets`).filter((name) => !/\.(br|gz)$/.test(name));
  return [
    ...['/', ...pages, '/signed-in'].map((path) => get(path, (ctx) => send(ctx, index, shown))),
    get(UNKNOWN_PATH, (ctx) => {
      ctx.status = 404;
      send(ctx, index, shown);
    }),
    ...assets.map((name) => {
      const asset = file(`assets/${name}`);
      return get(`/assets/${name}`, (ctx) => send(ctx, asset, KEPT));
    }),
    signIn,
  ];
}

const get = (path: string, handle: Route['handle']): Route => ({
  ...PUBLIC_GET,
  path,
  description: 'not listed',
  handle,
});

const providerOf = ({ issuer, clientId, scope, audience }: OpenIdProvider) => ({
  // As the provider writes it: URL adds a slash to a bare origin, and to nothing else.
  issuer: issuer.pathname === '/' ? issuer.origin : issuer.href,
  client_id: clientId,
  scope,
  audience: audience ?? null,
});

interface File {
  readonly type: string;
  readonly bytes: Buffer;
  /** The compressed copies, by the names of `Accept-Encoding`. */
  readonly compressed: Readonly<Partial<Record<string, Buffer>>>;
}

function file(name: string): File {
  const path = `${FOLDER}${name}`;
  const [, ending = ''] = /\.(\w+)$/.exec(name) ?? [];
  const compressed = COMPRESSED.flatMap(([coding, suffix]) =>
    existsSync(path + suffix) ? [[coding, readFileSync(path + suffix)] as const] : [],
  );
  return {
    type: TYPES[ending] ?? 'application/octet-stream',
    bytes: readFileSync(path),
    compressed: Object.fromEntries(compressed),
  };
}

const KEPT = { 'Cache-Control': 'public, max-age=31536000, immutable' };

function send(
  ctx: RouteContext,
  { type, bytes, compressed }: File,
  headers: Readonly<Record<string, string>>,
): void {
  ctx.set({ ...headers, 'Content-Type': type });
  ctx.vary('Accept-Encoding');
  const coding = (ctx as unknown as Context).acceptsEncodings(
    ...Object.keys(compressed),
    'identity',
  );
  const body = coding ? compressed[coding] : undefined;
  if (body && coding) ctx.set('Content-Encoding', coding);
  ctx.body = body ?? bytes;
}
