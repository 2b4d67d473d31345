/** The edge of the record: it is dragged, or moved by arrows, to make the record as wide as wanted. */
import { useEffect, useRef, useState } from 'preact/hooks';
import { say } from '../../words/words.ts';
import { drag } from '../controls/drag.ts';
import { onResize } from '../controls/listening.ts';
import { isCommand } from '../controls/roving.ts';

const LEAST = 320;
/** The width that the table keeps at least, pixels. */
const LEFT = 360;
const STEP = 24;

const most = () => Math.max(LEAST, innerWidth - LEFT);
const within = (width: number) => Math.min(most(), Math.max(LEAST, Math.round(width)));
const widthOf = (grip: HTMLElement) => grip.parentElement!.getBoundingClientRect().width;

interface Given {
  /** Pixels; null: a share of the window. */
  readonly setWidth: (width: number | null) => void;
}

export function PanelGrip({ setWidth }: Given) {
  const grip = useRef<HTMLDivElement>(null);
  const [now, setNow] = useState(LEAST);
  useEffect(() => {
    const { current } = grip;
    return onResize(() => setNow(Math.round(widthOf(current!))), current!.parentElement!);
  }, []);
  return (
    // biome-ignore lint/a11y/useSemanticElements: a separator that moves is no line between texts
    <div
      ref={grip}
      class="panel-grip"
      role="separator"
      aria-orientation="vertical"
      aria-label={say('Width of the record')}
      aria-valuenow={now}
      aria-valuemin={LEAST}
      aria-valuemax={most()}
      tabIndex={0}
      onDblClick={() => setWidth(null)}
      onPointerDown={(event) => {
        const began = widthOf(event.currentTarget) + event.clientX;
        drag(event, (left) => setWidth(within(began - left)));
      }}
      onKeyDown={(event) => {
        const step = { ArrowLeft: STEP, ArrowRight: -STEP }[event.key];
        if (step === undefined || isCommand(event)) return;
        event.preventDefault();
        setWidth(within(widthOf(event.currentTarget) + step));
      }}
    />
  );
}
