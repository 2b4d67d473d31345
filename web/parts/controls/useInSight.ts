/** The active option of a list that has no focus of its own: it is scrolled into sight, as an element with the focus is. */
import { useEffect } from 'preact/hooks';

export function useInSight(id: string): void {
  useEffect(() => document.getElementById(id)?.scrollIntoView({ block: 'nearest' }), [id]);
}
