/**
 * The problems of a definition file, each at its line and column, as a compiler lists them.
 *
 *     tables.yaml:12:7  "emial" is no field of orders; did you mean "email"?
 */
import type { LineCounter } from 'yaml';

/** The part of a file that a pointer leads to: the name of a member, or its value. */
export type Part = 'name' | 'value';

/** Lines and columns count from 1. */
export interface Place {
  readonly line: number;
  readonly column: number;
}

/** A problem at one place of the file. */
export interface Problem extends Place {
  /** A clause without its final point. */
  readonly message: string;
  /** The text that the author probably meant. */
  readonly guess?: string;
}

/** Collects problems by the JSON pointer (RFC 6901) of the part that is wrong. */
export class Problems {
  readonly #lines: LineCounter;
  /** Where the members of the file stand. */
  readonly #offsets = new Map<string, { readonly name?: number; readonly value: number }>();
  /** Problems by place and message, since several pointers may lead to one anchor. */
  readonly #found = new Map<string, Problem>();
  readonly #pointers = new Set<string>();
  /** The pointers and all that lead to them: a file may have thousands of problems. */
  readonly #touched = new Set<string>();

  constructor(lines: LineCounter) {
    this.#lines = lines;
  }

  /** A member stands there. */
  set(pointer: string, value: number, name?: number): void {
    this.#offsets.set(pointer, { value, ...(name !== undefined && { name }) });
  }

  /** The whole file, as a place of problems. */
  get file(): Spot {
    return new Spot(this, '');
  }

  add(pointer: string, message: string, guess?: string, part: Part = 'value'): void {
    const { line, column } = this.place(pointer, part);
    const problem = { line, column, message, ...(guess !== undefined && { guess }) };
    const key = `${line}:${column} ${message}`;
    if (!this.#found.has(key)) this.#found.set(key, problem);
    this.#pointers.add(pointer);
    for (let end = pointer.length; end > 0; end = pointer.lastIndexOf('/', end - 1)) {
      this.#touched.add(pointer.slice(0, end));
    }
  }

  /** Whether a problem was found at this very pointer. */
  has(pointer: string): boolean {
    return this.#pointers.has(pointer);
  }

  /** Whether a problem was found at this pointer or below it. */
  touch(pointer: string): boolean {
    return this.#touched.has(pointer);
  }

  /** The place of a member; of the nearest one around it if the file does not have it. */
  place(pointer: string, part: Part = 'value'): Place {
    let path = pointer;
    let offsets = this.#offsets.get(path);
    // A member that is missing is the object's problem, which its name shows best.
    let wanted = part;
    while (!offsets && path !== '') {
      path = path.slice(0, path.lastIndexOf('/'));
      offsets = this.#offsets.get(path);
      wanted = 'name';
    }
    return this.at((wanted === 'name' ? offsets?.name : undefined) ?? offsets?.value ?? 0);
  }

  at(offset: number): Place {
    const { line, col } = this.#lines.linePos(offset);
    return { line: Math.max(1, line), column: Math.max(1, col) };
  }

  /** In the order of the file. */
  list(): readonly Problem[] {
    return [...this.#found.values()].sort((a, b) => a.line - b.line || a.column - b.column);
  }
}

/** A member of the file, or an item of a list, with its problems. */
export class Spot {
  readonly #problems: Problems;
  readonly #pointer: string;

  constructor(problems: Problems, pointer: string) {
    this.#problems = problems;
    this.#pointer = pointer;
  }

  /** A member, or an item, of this one. */
  in(...steps: readonly (string | number)[]): Spot {
    return new Spot(this.#problems, below(this.#pointer, ...steps));
  }

  /** Whether a problem was found at this very place. */
  get isWrong(): boolean {
    return this.#problems.has(this.#pointer);
  }

  /** Whether a problem was found here or in a part of it. */
  get hasWrong(): boolean {
    return this.#problems.touch(this.#pointer);
  }

  add(message: string, guess?: string): void {
    this.#problems.add(this.#pointer, message, guess);
  }

  /** The problem is shown at the member's name. */
  addToName(message: string): void {
    this.#problems.add(this.#pointer, message, undefined, 'name');
  }
}

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
