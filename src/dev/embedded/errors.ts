/** Why there is no embedded mongod: the failures of finding a binary and of starting it. */

export type EmbeddedProblem =
  /** No source has a mongod that runs here. */
  | 'NoMongod'
  /** Another mongod works on the data folder. */
  | 'FolderInUse'
  /** The mongod ended, or was not ready in time. */
  | 'StartFailed';

/** A failure to have an embedded mongod; its message is meant for the person at the terminal. */
export class EmbeddedError extends Error {
  readonly code: EmbeddedProblem;

  constructor(code: EmbeddedProblem, message: string) {
    super(message);
    this.name = 'EmbeddedError';
    this.code = code;
  }
}
