/** The commands of a menu, and its place. */

export interface Deed {
  readonly title: string;
  readonly act: () => void;
}

/** Pixels of the window. */
export interface Spot {
  readonly left: number;
  readonly top: number;
}
