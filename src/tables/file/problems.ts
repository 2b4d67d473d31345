/**
 * The problems of a definition file, each at its line and column, as a compiler lists them.
 *
 *     tables.yaml:12:7  "emial" is no field of orders; did you mean "email"?
 */
import type { Part, Positions } from './positions.ts';

/** What is wrong at one place of the file; lines and columns count from 1. */
export interface Problem {
  readonly line: number;
  readonly column: number;
  /** A clause without its final point. */
  readonly message: string;
  /** What was probably meant. */
  readonly guess?: string;
}

/** Collects problems by the JSON pointer (RFC 6901) of the part that is wrong. */
export class Problems {
  readonly #positions: Positions;
  readonly #found: (Problem & { readonly pointer: string })[] = [];

  constructor(positions: Positions) {
    this.#positions = positions;
  }

  add(pointer: string, message: string, guess?: string, part: Part = 'value'): void {
    const place = this.#positions.of(pointer, part);
    const problem = { ...place, message, ...(guess !== undefined && { guess }), pointer };
    // One anchor may be used in several places.
    if (!this.#found.some((known) => isSame(known, problem))) this.#found.push(problem);
  }

  /** Whether a problem was found at this pointer or below it. */
  touch(pointer: string): boolean {
    const within = `${pointer}/`;
    return this.#found.some((one) => one.pointer === pointer || one.pointer.startsWith(within));
  }

  /** Where the value of a member stands. */
  place(pointer: string): Pick<Problem, 'line' | 'column'> {
    return this.#positions.of(pointer, 'value');
  }

  /** In the order of the file. */
  list(): readonly Problem[] {
    return this.#found
      .map(({ pointer: _, ...problem }) => problem)
      .sort((a, b) => a.line - b.line || a.column - b.column);
  }
}

const isSame = (a: Problem, b: Problem) =>
  a.line === b.line && a.column === b.column && a.message === b.message;

/** A line for each problem. */
export function printProblems(fileName: string, problems: readonly Problem[]): string {
  return problems
    .map(({ line, column, message, guess }) => {
      const question = guess === undefined ? '' : `; did you mean ${JSON.stringify(guess)}?`;
      return `${fileName}:${line}:${column}  ${message}${question}`;
    })
    .join('\n');
}

/** The pointer of a member, or of an item of a list. */
export const below = (pointer: string, ...steps: readonly (string | number)[]): string =>
  steps.reduce<string>(
    (path, step) => `${path}/${String(step).replaceAll('~', '~0').replaceAll('/', '~1')}`,
    pointer,
  );
