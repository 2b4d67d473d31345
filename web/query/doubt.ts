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
