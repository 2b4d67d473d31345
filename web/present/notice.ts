/** Short words about what was done, with what can be done then. */
export interface Notice {
  readonly id: number;
  readonly text: string;
  readonly undo?: (() => void) | undefined;
  /** Shows what did not go well. */
  readonly details?: (() => void) | undefined;
}
