/** One bit of a bitmap. */

/** 0 or 1. */
// @ts-ignore: decorator
@inline
export function bitOf(bitmap: usize, bit: u32): u32 {
  return (load<u8>(bitmap + (bit >> 3)) >> <u8>(bit & 7)) & 1;
}

// @ts-ignore: decorator
@inline
export function setBit(bitmap: usize, bit: u32): void {
  const at = bitmap + (bit >> 3);
  store<u8>(at, load<u8>(at) | (<u8>1 << <u8>(bit & 7)));
}

// @ts-ignore: decorator
@inline
export function clearBit(bitmap: usize, bit: u32): void {
  const at = bitmap + (bit >> 3);
  store<u8>(at, load<u8>(at) & ~((<u8>1 << <u8>(bit & 7))));
}
