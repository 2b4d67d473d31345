/**
 * Bodies of searches and explores of orders, by class. Each type and each use of a field has a class.
 */
import type { Document } from 'mongodb';
import { randomFrom } from '../../test/worlds/random.ts';
import { PER_PAGE } from '../peers/counting.ts';
import {
  CITIES,
  city,
  customerId,
  customersOf,
  emailOf,
  numberOf,
  orderId,
  placedAt,
  REGIONS,
  SKUS,
  STATUSES,
  STEP_MS,
  sku,
} from './orders.ts';

export interface OwnClass {
  readonly name: string;
  readonly draw: () => Document;
}

/** Orders of a week. */
const WEEK = (7 * 86_400_000) / STEP_MS;

export function searchClasses(count: number, seed: number): OwnClass[] {
  const next = randomFrom(seed);
  const below = (n: number) => Math.floor(next() * n);
  const pick = <T>(list: readonly T[]) => list[below(list.length)]!;
  const customer = () => below(customersOf(count));
  const day = () => placedAt(below(count)).toISOString();
  const days = () => [day(), day()].sort() as [string, string];
  const of = (body: Document, sort_by = 'placed', page = 1): Document => ({
    ...body,
    sorting: { sort_by, sort_order: 'desc' },
    pagination: { page, per_page: PER_PAGE },
  });
  const q = (text: string, more: Document = {}) => of({ filters: { q: text }, ...more });
  const select = (...conditions: Document[]) => of({ select: conditions });
  const piece = (text: string, length: number) => {
    const from = below(text.length - length);
    return text.slice(from, from + length);
  };
  const range = (field: string, from: unknown, to: unknown) => ({ field, from, to });
  const status = () => ({ field: 'status', in: [pick(STATUSES)] });
  const week = () => {
    const first = below(count);
    return range('placed', placedAt(first).toISOString(), placedAt(first + WEEK).toISOString());
  };
  const draws: Readonly<Record<string, () => Document>> = {
    'q: an id': () => q(orderId(below(count)).toHexString()),
    'q: 6 digits of an id': () => q(piece(orderId(below(count)).toHexString(), 6)),
    'q: 2 hexadecimal digits': () => q(below(256).toString(16).padStart(2, '0')),
    'q: 5 digits of a number': () => q(piece(numberOf(below(count)), 5)),
    'q: part of an email': () => q(piece(emailOf(customer()), 7)),
    'q: a SKU': () => q(sku(below(SKUS))),
    'q: nothing found': () => q(`zq${below(1e9)}`),
    'email contains': () => of({ filters: { email: piece(emailOf(customer()), 6) } }),
    'region contains': () => of({ filters: { region: piece(pick(REGIONS), 3) } }),
    'city contains': () => of({ filters: { city: `ville ${below(CITIES)}` } }),
    'status in': () => select(status()),
    'status and region in': () => select(status(), { field: 'region', in: [pick(REGIONS)] }),
    'customer in': () => select({ field: 'customer', in: [customerId(customer()).toHexString()] }),
    'id in': () => select({ field: 'id', in: [orderId(below(count)).toHexString()] }),
    'skus in (array)': () => select({ field: 'skus', in: [sku(below(SKUS))] }),
    'skus not in (array)': () => select({ field: 'skus', not_in: [sku(below(SKUS))] }),
    'placed, a range': () => select(range('placed', ...days())),
    'placed, a week': () => select(week()),
    'total, a range (decimal)': () => {
      const low = below(990_000) / 100;
      return select(range('total', low.toFixed(2), (low + 100).toFixed(2)));
    },
    'took, a range (seconds)': () => {
      const low = below(800_000);
      return select(range('took', low, low + 5_000));
    },
    'gift is true': () => select({ field: 'gift', in: [true] }, week()),
    'all, any page': () => of({}, 'placed', 1 + below(count / PER_PAGE)),
    'all by total, any page': () => of({}, 'total', 1 + below(count / PER_PAGE)),
    'all by took, any page': () => of({}, 'took', 1 + below(count / PER_PAGE)),
    'status in by total': () => of({ select: [status()] }, 'total'),
    'q and status and a range by total': () => ({
      ...q(piece(emailOf(customer()), 5), { select: [status(), range('placed', ...days())] }),
      sorting: { sort_by: 'total', sort_order: 'asc' },
    }),
  };
  return Object.entries(draws).map(([name, draw]) => ({ name, draw }));
}

/** Explores without arrays and ids, which peers can answer too. */
export function exploreClasses(count: number, seed: number): OwnClass[] {
  const next = randomFrom(seed);
  const below = (n: number) => Math.floor(next() * n);
  const pick = <T>(list: readonly T[]) => list[below(list.length)]!;
  const of = (more: Document): Document => ({
    sorting: { sort_by: 'placed', sort_order: 'desc' },
    pagination: { per_page: PER_PAGE },
    ...more,
  });
  const facets = (...fields: string[]) => fields.map((field) => ({ field }));
  const histogram = { field: 'placed', interval: 'auto' };
  const some = () => [{ field: 'region', in: [pick(REGIONS), pick(REGIONS.slice(4))] }];
  const draws: Readonly<Record<string, () => Document>> = {
    'facet of status': () => of({ select: some(), facets: facets('status') }),
    'facet of city': () => of({ select: some(), facets: facets('city') }),
    'histogram of placed': () => of({ select: some(), histogram }),
    'a page: text, conditions, facets, histogram by status': () =>
      of({
        filters: { q: emailOf(below(customersOf(count))).slice(0, 5 + below(4)) },
        select: [...some(), { field: 'city', not_in: [city(below(CITIES))] }],
        facets: facets('status', 'region', 'city'),
        histogram: { ...histogram, by: 'status' },
      }),
  };
  return Object.entries(draws).map(([name, draw]) => ({ name, draw }));
}
