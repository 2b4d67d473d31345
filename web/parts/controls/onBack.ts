/**
 * Calls `act` when somebody goes back or forward, which leads to another view. The page announces new
 * tables by the same event. Returns a function that ends it.
 */
export function onBack(act: () => void): () => void {
  const leave = ({ isTrusted }: PopStateEvent) => {
    if (isTrusted) act();
  };
  addEventListener('popstate', leave);
  return () => removeEventListener('popstate', leave);
}
