/** The meaning of a text in the search box. */
import type { Condition } from '../state/view.ts';

/** A condition that a text adds to those of the view. */
export interface Added {
  readonly condition: Condition;
  /** Whether one of it and the last of the others is enough. */
  readonly joins: boolean;
}

/** The meaning of a text in the box. */
export interface Understood {
  readonly added: readonly Added[];
  /** The text that stays in the box: searched for, or in doubt. */
  readonly rest: string;
  readonly doubt: Doubt | undefined;
}

/** A term that the search box does not understand for sure, with similar terms. */
export interface Doubt {
  readonly text: string;
  /** The text in doubt, as it stands in the box. */
  readonly term: string;
  /** The similar terms: each has a name and replaces the term in doubt. */
  readonly choices: readonly { readonly text: string; readonly term: string }[];
  /** Whether the term was left out: its rows are not asked for until it is clear. */
  readonly isRefused: boolean;
  /** Whether it can be asked for all the same. */
  readonly canStand: boolean;
}
