/** Every route of the service: what the router, `Allow` and the permission matrix are made from. */
import type { Route } from '../route.ts';
import { type SearchServices, searchRoutes } from './search.ts';

export type RouteServices = SearchServices;

export function routes(services: RouteServices): Route[] {
  return [...searchRoutes(services)];
}
