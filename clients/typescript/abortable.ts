/**
 * The work, or the signal's reason as soon as it is aborted. `fetch` takes the signal too, but on a
 * busy machine one call in ten or so never ended after an abort (Node 20): its caller would wait
 * for ever.
 */
export function abortable<T>(work: Promise<T>, signal: AbortSignal | undefined): Promise<T> {
  if (!signal) return work;
  return new Promise((resolve, reject) => {
    const onAbort = () => reject(signal.reason);
    const forget = () => signal.removeEventListener('abort', onAbort);
    if (signal.aborted) onAbort();
    else signal.addEventListener('abort', onAbort, { once: true });
    work.then(resolve, reject).finally(forget);
  });
}
