/**
 * The reference: `/openapi.json`, made of the route table, `/docs`, where it is read and tried, and
 * `/tables.schema.json`, by which editors check definition files.
 *
 * `/docs` and all that it loads come from here, under a policy that lets nothing else in: no inline
 * script, no `eval`, no other address. None holds data, so all are public; a call from `/docs`
 * needs a token like every call.
 */
import { createHash } from 'node:crypto';
import { readFile } from 'node:fs/promises';
import { LRUCache } from 'lru-cache';
import type { Deadline } from '../../store/deadline.ts';
import { TABLES_SCHEMA } from '../../tables/file/index.ts';
import type { Principal } from '../auth/principal.ts';
import type { Rights } from '../auth/rights.ts';
import { type Description, jsonAnswer, UNCHANGED } from '../description.ts';
import { type AppReference, openApiOf } from '../openapi/document.ts';
import { isUnmodified } from '../request/preconditions.ts';
import { type ListedRoute, PUBLIC_GET, type Route } from '../route.ts';

/** A file as it is sent. */
interface File {
  readonly bytes: Buffer;
  readonly etag: string;
}

const POLICY = [
  "default-src 'none'",
  "script-src 'self'",
  "style-src 'self'",
  "img-src 'self' data:",
  "connect-src 'self'",
  "base-uri 'none'",
  "form-action 'none'",
  "frame-ancestors 'none'",
].join('; ');

const HTML = 'text/html; charset=utf-8';
const SCRIPT = 'text/javascript; charset=utf-8';
const STYLE = 'text/css; charset=utf-8';

const PAGE = `<!doctype html>
<html lang="en">
<head>
<meta charset="utf-8">
<meta name="viewport" content="width=device-width, initial-scale=1">
<title>table-search: reference</title>
<link rel="icon" href="data:,">
<link rel="stylesheet" href="docs/swagger-ui.css">
</head>
<body>
<div id="reference"></div>
<noscript>This page needs scripts; the same stands in <a href="openapi.json">openapi.json</a>.</noscript>
<script src="docs/swagger-ui-bundle.js"></script>
<script src="docs/start.js"></script>
</body>
</html>
`;

/** No validator elsewhere is asked about the document, and no token is kept. */
const START = `SwaggerUIBundle({
  url: 'openapi.json',
  dom_id: '#reference',
  deepLinking: true,
  docExpansion: 'list',
  defaultModelsExpandDepth: 0,
  persistAuthorization: false,
  validatorUrl: null,
});
`;

/** References for callers with the same roles that are kept. */
const MAX_TYPED = 16;

/** The routes of the reference of `others` and of themselves. */
export function referenceRoutes(
  others: readonly ListedRoute[],
  known: AppReference,
  rights?: Pick<Rights, 'claims' | 'authenticate'>,
): Route[] {
  const reference = (more: readonly ListedRoute[]) =>
    asset(
      '/openapi.json',
      'application/json',
      () => JSON.stringify(openApiOf([...others, ...all, ...more], known)),
      {
        id: 'readReference',
        group: 'Operations',
        summary: 'The OpenAPI 3.1 document; with a token, also of the tables that its caller sees',
        answers: { 200: jsonAnswer('OpenAPI 3.1.', { type: 'object' }, ['ETag']), ...UNCHANGED },
      },
    );
  const forEveryone = reference([]);
  const forCallers = new LRUCache<string, Route>({ max: MAX_TYPED });
  const routeFor = (caller: Principal): Route => {
    const key = JSON.stringify(caller.roles);
    const known = forCallers.get(key);
    if (known) return known;
    const more = others.flatMap(({ forCaller }) => forCaller?.(caller) ?? []);
    const route = more.length === 0 ? forEveryone : reference(more);
    forCallers.set(key, route);
    return route;
  };
  const callerBehind = async (authorization: string, deadline: Deadline) => {
    const caller = await rights?.claims(authorization);
    if (caller) await rights?.authenticate(caller, deadline);
    return caller;
  };
  const all: Route[] = [
    {
      ...forEveryone,
      async handle(ctx) {
        ctx.vary('Authorization');
        const { authorization } = ctx.req.headers;
        // A refused token is no reason to refuse a document that everyone may read.
        const caller = authorization
          ? await callerBehind(authorization, ctx.state.deadline).catch(() => undefined)
          : undefined;
        await (caller ? routeFor(caller) : forEveryone).handle(ctx);
        // The token that is refused now may be taken later: the store may be away.
        if (authorization) ctx.set('Cache-Control', 'private, no-cache');
      },
    },
    asset('/docs', HTML, () => PAGE, {
      id: 'showReference',
      group: 'Operations',
      summary: 'The reference as a page',
      answers: {
        200: { text: 'The page.', headers: ['ETag'], content: { 'text/html': { type: 'string' } } },
        ...UNCHANGED,
      },
    }),
    asset('/tables.schema.json', 'application/schema+json', () => JSON.stringify(TABLES_SCHEMA)),
    asset('/docs/start.js', SCRIPT, () => START),
    asset('/docs/swagger-ui-bundle.js', SCRIPT, () => built('swagger-ui-bundle.js')),
    asset('/docs/swagger-ui.css', STYLE, () => built('swagger-ui.css')),
  ];
  return all;
}

/** A file of swagger-ui-dist, copied by tools/copyReference.mjs when the service is built. */
const built = (name: string) =>
  readFile(new URL(`../../../build/reference/${name}`, import.meta.url));

/** A file that is made at its first request, and stays the same. */
function asset(
  path: string,
  type: string,
  make: () => string | Buffer | Promise<Buffer>,
  description: Description | 'not listed' = 'not listed',
): Route {
  let file: Promise<File> | undefined;
  const load = async (): Promise<File> => {
    const bytes = Buffer.from(await make());
    const hash = createHash('sha256').update(bytes).digest('base64url').slice(0, 22);
    return { bytes, etag: `"${hash}"` };
  };
  return {
    ...PUBLIC_GET,
    path,
    description,
    async handle(ctx) {
      file ??= load();
      const { bytes, etag } = await file.catch((error: unknown) => {
        file = undefined;
        throw error;
      });
      // Browsers keep the file for an hour, then ask again with its tag.
      ctx.set({
        'Cache-Control': 'public, max-age=3600',
        'Content-Security-Policy': POLICY,
        'Referrer-Policy': 'no-referrer',
        'Content-Type': type,
        ETag: etag,
      });
      if (isUnmodified(ctx.req.headers, { etag, lastModified: null })) ctx.status = 304;
      else ctx.body = bytes;
    },
  };
}
