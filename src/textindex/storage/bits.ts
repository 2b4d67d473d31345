/** Single bits of a bitmap that starts at byte `at`: bit i is bit `i & 7` of byte `i >> 3`. */

export function hasBit(bytes: Uint8Array, at: number, i: number): boolean {
  return ((bytes[at + (i >>> 3)]! >>> (i & 7)) & 1) === 1;
}

export function setBit(bytes: Uint8Array, at: number, i: number): void {
  bytes[at + (i >>> 3)]! |= 1 << (i & 7);
}

export function clearBit(bytes: Uint8Array, at: number, i: number): void {
  bytes[at + (i >>> 3)]! &= ~(1 << (i & 7));
}
