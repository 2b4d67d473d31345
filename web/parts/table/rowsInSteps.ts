/** Rows that show come first; those below the edge follow when these are painted. */

import { useSignal } from '@preact/signals';
import { useEffect, useRef } from 'preact/hooks';
import { scrolled } from '../../data/arrivals.ts';
import { painted } from '../../data/paint.ts';
import { preferences } from '../../data/preferences.ts';
import { keyOf } from '../../data/store.ts';
import type { Row } from '../../present/answer.ts';
import { begun } from '../../present/merge.ts';

/** Pixels, as in the tokens. */
const HEIGHT = { compact: 28, normal: 38, relaxed: 48 } as const;

/**
 * @param box what scrolls; scrolled down, all rows are as near as the first
 * @returns the rows as they are to stand now, and whether those are all of the latest
 */
export function useRowsInSteps(
  rows: readonly Row[],
  box: { readonly current: HTMLElement | null },
) {
  const height = useRef(Number.POSITIVE_INFINITY);
  /** The list that stands whole, and what stands. */
  const whole = useRef<readonly Row[] | undefined>(undefined);
  const stands = useRef<readonly Row[]>([]);
  const turn = useSignal(0);
  turn.value;
  useEffect(() => {
    const observer = new ResizeObserver(([entry]) => {
      height.current = entry!.contentRect.height;
    });
    observer.observe(box.current!);
    return () => observer.disconnect();
  }, []);

  const fits = scrolled.peek()
    ? rows.length
    : Math.ceil(height.current / HEIGHT[preferences.value.density]);
  const isWhole = whole.current === rows || rows.length <= fits || stands.current.length === 0;
  stands.current = isWhole ? rows : begun(rows, stands.current, fits, keyOf);
  if (isWhole) whole.current = rows;
  useEffect(() => {
    if (isWhole) return;
    let isLate = false;
    void painted().then(() => {
      if (isLate) return;
      whole.current = rows;
      turn.value += 1;
    });
    return () => {
      isLate = true;
    };
  }, [rows, isWhole]);
  return { rows: stands.current, isWhole };
}
