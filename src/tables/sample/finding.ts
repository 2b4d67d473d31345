/** A remark on a place of a definition file, after a look at the data or at its grants. */
export interface Finding {
  /** JSON pointer into the file (RFC 6901). */
  readonly pointer: string;
  /** A clause without its final point. */
  readonly message: string;
  /** Whether the data are not as the file says. */
  readonly isDrift: boolean;
}
