/**
 * Looks now and then, for as long as the process has anything else to do and somebody holds the owner: a
 * service that was stopped is not kept by what looks after its answers.
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

/** How often open answers are looked at, milliseconds. */
export const ANSWERS_MS = 400;
