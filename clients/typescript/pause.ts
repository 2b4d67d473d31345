/** Beyond that a timer fires at once, milliseconds. */
const LONGEST_MS = 2 ** 31 - 1;

/** Waits so many milliseconds. @throws the signal's reason when it ends before */
export function pause(ms: number, signal: AbortSignal | undefined): Promise<void> {
  return new Promise((resolve, reject) => {
    if (signal?.aborted) return reject(signal.reason);
    const onAbort = () => {
      clearTimeout(timer);
      reject(signal?.reason);
    };
    const timer = setTimeout(
      () => {
        signal?.removeEventListener('abort', onAbort);
        resolve();
      },
      Math.min(ms, LONGEST_MS),
    );
    signal?.addEventListener('abort', onAbort, { once: true });
  });
}

/** The work; @throws Error where it takes longer than so many milliseconds */
export async function within<T>(work: Promise<T>, ms: number | undefined): Promise<T> {
  if (ms === undefined) return await work;
  let timer: ReturnType<typeof setTimeout> | undefined;
  const late = new Promise<never>((_, reject) => {
    timer = setTimeout(() => reject(new Error(`Nothing came for ${ms} ms.`)), ms);
  });
  try {
    return await Promise.race([work, late]);
  } finally {
    clearTimeout(timer);
  }
}
