/** Rows that show come first; those below the edge follow when these are painted. */

import { useSignal } from '@preact/signals';
import { useEffect, useRef } from 'preact/hooks';
import type { Row } from '../../present/answer.ts';
import { begun } from '../../present/merge.ts';
import { painted } from '../../present/paint.ts';
import { onResize } from '../controls/listening.ts';

/** Pixels, as in the tokens. */
const HEIGHT = { compact: 28, normal: 38, relaxed: 48 } as const;

export type Density = keyof typeof HEIGHT;

interface Given {
  readonly rows: readonly Row[];
  readonly keyOf: (row: Row) => string;
  /** The element that scrolls. */
  readonly box: { readonly current: HTMLElement | null };
  /** Scrolled down, all rows are as near as the first. */
  readonly isScrolled: { readonly current: boolean };
  readonly density: Density;
}

/** @returns the rows as they are to stand now, and whether those are all of the latest */
export function useRowsInSteps({ rows, keyOf, box, isScrolled, density }: Given) {
  const height = useRef(Number.POSITIVE_INFINITY);
  /** The latest list that stands whole, and the rows that stand. */
  const whole = useRef<readonly Row[] | undefined>(undefined);
  const stands = useRef<readonly Row[]>([]);
  const turn = useSignal(0);
  turn.value;
  useEffect(() => {
    return onResize((size) => {
      height.current = size.height;
    }, box.current!);
  }, []);

  const fits = isScrolled.current ? rows.length : Math.ceil(height.current / HEIGHT[density]);
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
