/**
 * The problems of a definition file, each at its line and column, as a compiler lists them.
 *
 *     tables.yaml:12:7  "emial" is no field of orders; did you mean "email"?
 */
import type { LineCounter } from 'yaml';

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

export function placeAt(lines: LineCounter, offset: number): Place {
  const { line, col } = lines.linePos(offset);
  return { line: Math.max(1, line), column: Math.max(1, col) };
}

/** The whole file, a member of it, or an item of a list: where it stands, and its problems. */
export class Spot {
  readonly #lines: LineCounter;
  readonly #around: Spot | undefined;
  readonly #step: string | number;
  /** All problems of the file by place and message, since several members may stand at one anchor. */
  readonly #found: Map<string, Problem>;
  readonly #parts = new Map<string, Spot>();
  /** Offsets; the file does not have a member without a value. */
  #value: number | undefined;
  #name: number | undefined;
  #isWrong = false;
  #hasWrong = false;

  constructor(lines: LineCounter, around?: Spot, step: string | number = '') {
    this.#lines = lines;
    this.#around = around;
    this.#step = step;
    this.#found = around ? around.#found : new Map();
  }

  /** A member, or an item, of this one. */
  in(...steps: readonly (string | number)[]): Spot {
    let spot: Spot = this;
    for (const step of steps) {
      const part = spot.#parts.get(`${step}`) ?? new Spot(this.#lines, spot, step);
      spot.#parts.set(`${step}`, part);
      spot = part;
    }
    return spot;
  }

  /** It stands there, with its name if it is a member. */
  stands(value: number, name?: number): void {
    this.#value = value;
    this.#name = name;
  }

  /** Whether it is the whole file. */
  get isFile(): boolean {
    return this.#around === undefined;
  }

  /** As a reader of the file knows it. */
  get called(): string {
    if (!this.#around) return 'the file';
    const step = this.#step;
    return typeof step === 'number' ? `entry ${step + 1} of ${this.#around.#step}` : step;
  }

  /** The place of its value or name; of the name of the nearest one around it that the file has. */
  place(part: 'name' | 'value' = 'value'): Place {
    if (this.#value === undefined && this.#around) return this.#around.place('name');
    const offset = (part === 'name' ? this.#name : undefined) ?? this.#value ?? 0;
    return placeAt(this.#lines, offset);
  }

  /** Whether a problem was found at this very place. */
  get isWrong(): boolean {
    return this.#isWrong;
  }

  /** Whether a problem was found here or in a part of it. */
  get hasWrong(): boolean {
    return this.#hasWrong;
  }

  add(message: string, guess?: string): void {
    this.#add(this.place(), message, guess);
  }

  /** The problem is shown at the member's name. */
  addToName(message: string, guess?: string): void {
    this.#add(this.place('name'), message, guess);
  }

  #add({ line, column }: Place, message: string, guess: string | undefined): void {
    const problem = { line, column, message, ...(guess !== undefined && { guess }) };
    const key = `${line}:${column} ${message}`;
    if (!this.#found.has(key)) this.#found.set(key, problem);
    this.#isWrong = true;
    for (let spot: Spot | undefined = this; spot; spot = spot.#around) spot.#hasWrong = true;
  }

  /** All problems of the file, in its order. */
  get problems(): readonly Problem[] {
    return [...this.#found.values()].sort((a, b) => a.line - b.line || a.column - b.column);
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
