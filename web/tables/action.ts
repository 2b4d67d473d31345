/** An action on rows, as data: the rows it applies to, its call, and its undo. */
import type { Client } from '../../clients/typescript/index.ts';
import type { TableName } from '../state/view.ts';
import type { Row } from './columns.ts';

export interface Action {
  /** Unique among all tables. */
  readonly id: string;
  readonly table: TableName;
  /** `Cancel`, for buttons; `cancelled`, for results. */
  readonly title: string;
  readonly done: string;
  /** Its effect on several rows; `aboutOne`: on one. */
  readonly about: string;
  readonly aboutOne: string;
  readonly dangerous: boolean;
  /** The button that leaves all as it is, where `Cancel` would be read as the action. */
  readonly leave?: string;
  /** The letter that begins it, and its title among the shortcuts. */
  readonly key?: { readonly keys: string; readonly title: string };
  /** Rows that it skips, by reason; of several reasons the first counts. */
  readonly skips: readonly Skip[];
  /** Conditions that leave the rows it does not skip. */
  readonly select: Conditions;
  /** Members of a record that it needs. */
  readonly columns: readonly string[];
  run(row: Row, by: Actor): Promise<unknown>;
  readonly undo?: string;
}

/** The caller of an action, and the client that carries it out. */
export interface Actor {
  readonly service: Client;
  readonly admin: boolean;
  readonly signal: AbortSignal;
}

export type Conditions = readonly Readonly<Record<string, unknown>>[];

/** Rows that an action is of no use for. */
export interface Skip {
  /** `{n} already ended` */
  readonly words: string;
  /** Conditions that leave these rows. */
  readonly select: Conditions;
  /** Why the row is one of them; undefined where it is not. */
  reason(row: Row): string | undefined;
}

/** An action of admins on rows that it finds by itself. */
export interface Sweep {
  readonly title: string;
  readonly heading: string;
  readonly about: string;
  readonly leave: string;
  /** `{what} will be revoked. You cannot undo this.` */
  readonly warning: string;
  /** `Revoke {what}` */
  readonly button: string;
  /** `{what} revoked` */
  readonly done: string;
  /** The searches that together find its rows. */
  readonly finds: readonly {
    readonly filters: Readonly<Record<string, unknown>>;
    readonly select: Conditions;
  }[];
  /** @returns how many rows it changed */
  run(service: Client): Promise<number>;
}
