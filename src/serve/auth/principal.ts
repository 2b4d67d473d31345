/** The caller: an active user of the store, and whether the token grants the role admin. */
export interface Principal {
  /** `_id` of the user's document. */
  readonly userId: number;
  readonly admin: boolean;
  /** When the token ends, seconds since 1970. */
  readonly expires: number;
}
