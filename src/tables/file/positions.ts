/** Where the members of a file stand, by their JSON pointers (RFC 6901). */
import type { LineCounter } from 'yaml';

/** The part of a file that a pointer leads to: the name of a member, or its value. */
export type Part = 'name' | 'value';

interface Place {
  readonly line: number;
  readonly column: number;
}

export class Positions {
  readonly #lines: LineCounter;
  readonly #offsets = new Map<string, { readonly name?: number; readonly value: number }>();

  constructor(lines: LineCounter) {
    this.#lines = lines;
  }

  set(pointer: string, value: number, name?: number): void {
    this.#offsets.set(pointer, { value, ...(name !== undefined && { name }) });
  }

  /** The place of a member; of the nearest one around it if the file does not have it. */
  of(pointer: string, part: Part): Place {
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
}
