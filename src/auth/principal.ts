/** Who is calling: an active user of the store, and whether the token grants the role admin. */
export interface Principal {
  /** `_id` of the user's document. */
  readonly userId: number;
  readonly admin: boolean;
}
