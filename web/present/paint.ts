/** Defers work until the browser has painted the rows. */

/** A window that does not show is not painted: then it is time after so long, milliseconds. */
const LATEST_MS = 100;

/** Resolves when the changes made by now are on the screen. */
export function painted(): Promise<void> {
  return new Promise((resolve) => {
    const latest = setTimeout(resolve, LATEST_MS);
    requestAnimationFrame(() =>
      // The frame's own work comes first; a task after it does not.
      setTimeout(() => {
        clearTimeout(latest);
        resolve();
      }),
    );
  });
}

/** For measurements: the named part stands from now on, and is painted with the next frame. */
export function marked(name: 'rows' | 'counts'): void {
  performance.clearMarks(name);
  performance.mark(name);
}
