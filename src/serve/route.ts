/**
 * A route as data: method, path, permission, cost, kind of body, and handler.
 *
 * Permission, cost and description are required members, so a route without them does not compile. The
 * router, the `Allow` headers, the permission tests and the reference all follow from the table of routes.
 */
import type { ParameterizedContext } from 'koa';
import type { Deadline } from '../store/deadline.ts';
import type { Permission, Principal } from './auth/principal.ts';
import type { Description } from './description.ts';
import type { Cost, Holdings } from './guard.ts';
import type { Parameters } from './request/queryParameters.ts';
import type { RequestTrace } from './traces/requestTrace.ts';

export type { Permission };

/**
 * The body of a request. With `none`, the route ignores any. With `json`, the body must be JSON, and the
 * router parses it into `ctx.request.body`. `jsonOrForm` also takes a form, as browsers send it to save the
 * answer: see form.ts.
 */
export type BodyKind = 'none' | 'json' | 'jsonOrForm';

export interface RouteState {
  readonly requestId: string;
  /** The deadline of all work that waits for the request. */
  readonly deadline: Deadline;
  /** Headers of the answer, in success and failure; a handler may add to them. */
  readonly commonHeaders: Record<string, string>;
  /** Set on every route that is not public. */
  readonly principal: Principal;
  /** The holdings of the request until it ends; a handler takes more than its cost from them. */
  readonly holdings: Holdings;
  /** Set where the settings ask for traces. */
  readonly trace?: RequestTrace;
  /**
   * Set where rights are as old as the store's last sign of life: then only memory may answer without
   * another question for them. Throws their refusal.
   */
  confirmRights?: (() => Promise<void>) | undefined;
  /** Set by searches, for the access line and the metrics. */
  search?: {
    readonly view: string;
    readonly route: 'index' | 'pipeline';
    /** See `Page.silentMs`. */
    readonly silentMs?: number | undefined;
  };
}

export type RouteContext = ParameterizedContext<RouteState> & {
  readonly params: Readonly<Record<string, string>>;
};

/** The path of the route, if there is one, that answers a browser at an address that no other route has. */
export const UNKNOWN_PATH = '/*';

export interface Route {
  readonly method: 'GET' | 'POST' | 'PUT' | 'PATCH' | 'DELETE';
  /** Parameters are lower-case UUIDs, but `:table` is a name and `:id` any text; else 404. */
  readonly path: string;
  readonly permission: Permission;
  /** The class of work, which decides the quotas that are held meanwhile, and for how long: serve/guard.ts. */
  readonly cost: Cost;
  /** `none` when it is left out. */
  readonly body?: BodyKind;
  /** The query parameters it takes, none when it is left out; any other is 422, unless all are ignored. */
  readonly query?: Parameters | 'ignored';
  /** Its description in the reference. */
  readonly description: Description | 'not listed';
  /** Whether it may be answered without the store, while that is away. */
  readonly fromMemory?: true;
  /** Asked every few seconds by machines: its line in the log is of level `debug`. */
  readonly probe?: true;
  /** For the reference of one caller: the routes that this one stands for. */
  readonly forCaller?: (caller: Principal) => readonly Route[];
  readonly handle: (ctx: RouteContext) => Promise<void> | void;
}

/** A route as the reference shows it. */
export type ListedRoute = Omit<Route, 'handle'>;

export const hasBody = ({ body = 'none' }: Pick<Route, 'body'>): boolean => body !== 'none';

/** A page or a file that anybody may read. */
export const PUBLIC_GET = {
  method: 'GET',
  permission: 'public',
  cost: 'free',
  query: 'ignored',
} as const satisfies Partial<Route>;

declare module 'koa' {
  interface Request {
    /** The parsed body of a route that takes JSON. */
    body?: unknown;
  }
}
