/** The edge of the record: it is dragged, or moved by arrows, to make the record as wide as wanted. */
import { prefer, preferences } from '../../data/preferences.ts';
import { say } from '../../words/words.ts';
import { drag } from '../controls/drag.ts';

const LEAST = 320;
/** The width that the table keeps at least, pixels. */
const LEFT = 360;
const STEP = 24;

const most = () => Math.max(LEAST, innerWidth - LEFT);
const within = (width: number) => Math.min(most(), Math.max(LEAST, Math.round(width)));
const set = (width: number) => prefer({ recordWidth: within(width) });
const widthOf = (grip: HTMLElement) => grip.parentElement!.getBoundingClientRect().width;

export function PanelGrip() {
  return (
    // biome-ignore lint/a11y/useSemanticElements: a separator that moves is no line between texts
    <div
      class="panel-grip"
      role="separator"
      aria-orientation="vertical"
      aria-label={say('Width of the record')}
      aria-valuenow={preferences.value.recordWidth ?? LEAST}
      aria-valuemin={LEAST}
      aria-valuemax={most()}
      tabIndex={0}
      onDblClick={() => prefer({ recordWidth: null })}
      onPointerDown={(event) => {
        const began = widthOf(event.currentTarget) + event.clientX;
        drag(event, (left) => set(began - left));
      }}
      onKeyDown={(event) => {
        const step = { ArrowLeft: STEP, ArrowRight: -STEP }[event.key];
        if (step === undefined) return;
        event.preventDefault();
        set(widthOf(event.currentTarget) + step);
      }}
    />
  );
}
