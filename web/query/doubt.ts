/** What the search box could not take for sure, in words, and what may be meant instead. */
export interface Doubt {
  readonly text: string;
  /** The text in doubt, as it stands in the box. */
  readonly term: string;
  /** What each choice is called, and the term that takes the place of the one in doubt. */
  readonly choices: readonly { readonly text: string; readonly term: string }[];
  /** Whether the term was left out: its rows are not asked for until it is clear. */
  readonly isRefused: boolean;
  /** Whether it can be asked for all the same. */
  readonly canStand: boolean;
}
