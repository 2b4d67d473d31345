/**
 * Looks now and then, while the process has anything else to do and somebody holds the owner. So no timer
 * keeps a stopped service in memory.
 */
export function lookEvery<Owner extends object>(
  ms: number,
  owner: Owner,
  look: (owner: Owner) => void,
): void {
  const held = new WeakRef(owner);
  const timer = setInterval(() => {
    const still = held.deref();
    if (still) look(still);
    else clearInterval(timer);
  }, ms).unref();
}

/** How often the service checks open answers, milliseconds. */
export const ANSWERS_MS = 400;
