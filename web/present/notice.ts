/** Short notices of actions, with the next actions that they offer. */
export interface Notice {
  readonly id: number;
  readonly text: string;
  readonly undo?: (() => void) | undefined;
  /** Shows the failures. */
  readonly details?: (() => void) | undefined;
}
