/**
 * The decisions about callers, which the application makes. The engine keeps the promises around
 * them: answers are less than a second old, memory comes first, and reads are shared (rights.ts).
 */
import type { Timestamp } from 'mongodb';
import type { KnownAsOf } from '../../store/hedged.ts';
import type { TableChange } from '../../tables/index/tables.ts';
import type { Permission, Principal } from './principal.ts';

/** Something that the store, and often memory, says about one caller. */
export interface Fact<T = unknown> {
  /** Names the fact among those about the same `sub`, whose tokens may have different roles. */
  readonly name: string;
  /** From memory, at `notBefore` or later; undefined if only the store can tell. */
  readonly inMemory: (asOf: KnownAsOf, notBefore?: Timestamp) => NonNullable<T> | undefined;
  /** From the store, at `notBefore` or later. */
  readonly read: (notBefore?: Timestamp) => Promise<T>;
}

/** Finds out a fact, from the source that fits the request. */
export type Ask = <T>(fact: Fact<T>) => Promise<T>;

/** The right by which a client is answered. */
export interface Right {
  readonly permission: Permission;
  readonly principal: Principal;
  readonly params: Readonly<Record<string, string>>;
}

export interface Policy {
  /** Why the caller gets nothing, as a sentence for the token's holder; empty if active. */
  refusal(principal: Principal): Fact<string>;
  /** Whether the caller may use a path with these parameters; false also if it leads nowhere. */
  mayUse(principal: Principal, params: Right['params'], ask: Ask): Promise<boolean>;
  /** The rights that a change of rows may end. */
  endedBy(change: TableChange): ((right: Right) => boolean) | undefined;
  /** Whether `endedBy` is told of every change. */
  readonly seesChanges: boolean;
  /** How long the store has been silent, ms; 0 while nothing says that it is away. */
  readonly silentMs: number;
}

const ACTIVE: Fact<string> = { name: 'active', inMemory: () => '', read: async () => '' };

/** The token alone decides. */
export const BY_CLAIMS: Policy = {
  refusal: () => ACTIVE,
  mayUse: async () => false,
  endedBy: () => undefined,
  seesChanges: true,
  silentMs: 0,
};
