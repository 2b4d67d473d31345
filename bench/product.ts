/**
 * The product under measure: `dist`, as `npm run build` makes it and production runs it.
 *
 *     bench/**  (run by tsx)  ──► product.ts ──► dist/**        types come from src/**
 *
 * tsx wraps each function it compiles in a call that names it, which costs the service a tenth of
 * its throughput. So tsx runs the benches, and not the code that they time.
 */
const load = (path: string) => import(new URL(`../dist/${path}.js`, import.meta.url).href);

/** A module of the product, such as `query/parse`. */
export function product<M>(path: string): Promise<M> {
  return load(path) as Promise<M>;
}
