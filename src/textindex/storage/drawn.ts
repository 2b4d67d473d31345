/**
 * Up to so many places below n, each once. They are spread evenly but not at even steps, since the
 * items may repeat in such steps.
 */
export function drawn(n: number, most: number): number[] {
  if (n <= most) return Array.from({ length: n }, (_, i) => i);
  const step = n / most;
  const places: number[] = [];
  for (let i = 0, from = 0; i < most; i++) {
    const next = Math.floor((i + 1) * step);
    places.push(from + ((Math.imul(i + 1, 0x9e3779b1) >>> 8) % (next - from)));
    from = next;
  }
  return places;
}
