/** The log of a task, live: filtered by level and text, with a jump to the first error. */

import { type Signal, useSignal } from '@preact/signals';
import { useEffect, useMemo, useRef, useState } from 'preact/hooks';
import type { LogEvent } from '../../../clients/typescript/index.ts';
import type { LogLine, Row } from '../../present/answer.ts';
import { failureText, OVERDUE_MS } from '../../present/failureText.ts';
import { finderOfText } from '../../present/highlight.ts';
import { signIns } from '../../state/surroundings.ts';
import { countOf, momentOf } from '../../state/times.ts';
import { ENDED } from '../../tables/taskStates.ts';
import { heard, say } from '../../words/words.ts';
import { Button } from '../controls/Button.tsx';
import { Icon } from '../controls/Icon.tsx';
import { useAnswer, useSlow } from '../controls/useAnswer.ts';
import { WrapButton, type Wraps } from '../controls/WrapButton.tsx';
import { marked } from '../table/Cell.tsx';

const LEVELS = ['DEBUG', 'INFO', 'WARNING', 'ERROR', 'CRITICAL'] as const;
const rankOf = (level: unknown) => Math.max(0, (LEVELS as readonly unknown[]).indexOf(level));
/** Most lines that are kept in the UI; the download has them all. */
const MOST = 20_000;

interface Given extends Wraps {
  readonly row: Row;
  /** `onOpen`: called each time it is connected, also where no line comes. */
  readonly follow: (
    task: string,
    signal: AbortSignal,
    onOpen: () => void,
  ) => AsyncIterable<LogEvent>;
  readonly download: (task: string) => void;
  /** Shows a notice. */
  readonly tell: (text: string) => void;
}

export function LogView({ row, follow, download, tell, ...wrapping }: Given) {
  const lines = useSignal<readonly LogLine[]>([]);
  const state = useSignal<'reading' | 'following' | 'ended' | string>('reading');
  const least = useSignal(0);
  const text = useSignal('');
  const sticks = useSignal(true);
  const box = useRef<HTMLDivElement>(null);
  const task = String(row.task_id);
  const [retries, setRetries] = useState(0);
  const isOverdue = useSlow(OVERDUE_MS, `${signIns.value} ${retries}`);
  useEffect(() => {
    state.value = 'reading';
  }, [task, signIns.value, retries]);
  // A new sign-in reads the log from its beginning, and so does a try after a failure.
  useAnswer(
    async (signal) => {
      lines.value = [];
      try {
        await followInto((onOpen) => follow(task, signal, onOpen), signal, lines, state);
      } catch (error) {
        if (!signal.aborted) state.value = failureText(error);
        throw error;
      }
    },
    [task, retries],
  );
  const finder = useMemo(() => finderOfText(text.value), [text.value]);
  const shown = lines.value.filter(
    ({ level, message }) =>
      rankOf(level) >= least.value && (!finder || String(message).search(finder) >= 0),
  );
  const { length } = shown;
  useEffect(() => {
    if (sticks.peek()) box.current?.scrollTo({ top: box.current.scrollHeight });
  }, [length]);
  const toFirstError = () => {
    sticks.value = false;
    const first = box.current?.querySelector('.is-error, .is-critical');
    if (first) first.scrollIntoView({ block: 'center' });
    else tell(say('No errors in the lines shown'));
  };
  return (
    <section class="log" aria-label={say('Log')}>
      <div class="log-tools">
        <select
          class="select is-small"
          aria-label={say('Minimum level')}
          value={LEVELS[least.value]}
          onChange={({ currentTarget }) => {
            least.value = rankOf(currentTarget.value);
          }}
        >
          {LEVELS.map((one) => (
            <option key={one} value={one}>
              {`≥ ${one}`}
            </option>
          ))}
        </select>
        <input
          class="input is-small"
          type="text"
          placeholder={say('Search log')}
          aria-label={say('Search log')}
          value={text.value}
          onInput={({ currentTarget }) => {
            text.value = currentTarget.value;
          }}
        />
        <Button look="is-small" onClick={toFirstError}>
          {say('First error')}
        </Button>
        <WrapButton {...wrapping} />
        <Button look="is-small" aria-label={say('Download log')} onClick={() => download(task)}>
          <Icon name="export" size={13} />
        </Button>
      </div>
      <div
        ref={box}
        class="log-lines"
        role="log"
        // biome-ignore lint/a11y/noNoninteractiveTabindex: what scrolls must be reached by keys
        tabIndex={0}
        aria-label={say('Log lines')}
        onScroll={({ currentTarget: { scrollTop, scrollHeight, clientHeight } }) => {
          sticks.value = scrollTop + clientHeight > scrollHeight - 24;
        }}
      >
        {blocksOf(shown).map(([at, block]) => (
          <Block key={at} lines={block} finder={finder} />
        ))}
      </div>
      <p class="log-state dim" role="status">
        {say('{n} of {total} lines.', { n: countOf(length), total: countOf(lines.value.length) })}{' '}
        {state.value === 'reading' && isOverdue ? (
          <>
            {say('No answer yet')}
            <Button look="is-plain is-small" onClick={() => setRetries(retries + 1)}>
              {say('Retry')}
            </Button>
          </>
        ) : (
          stateText(state.value, row)
        )}
        {!sticks.value && (
          <Button
            look="is-plain is-small"
            onClick={() => {
              sticks.value = true;
              box.current?.scrollTo({ top: box.current.scrollHeight });
            }}
          >
            {say('Jump to end')}
          </Button>
        )}
      </p>
    </section>
  );
}

/** Lines of a block: an end grows by one block alone, and the browser lays out the blocks in sight alone. */
const BLOCK = 200;

/** The number of a line decides on its block: that stays the same when earlier lines are dropped. */
function blocksOf(lines: readonly LogLine[]): readonly (readonly [number, readonly LogLine[]])[] {
  const blocks = new Map<number, LogLine[]>();
  for (const line of lines) {
    const at = Math.floor(Number(line.seq) / BLOCK);
    const block = blocks.get(at);
    if (block) block.push(line);
    else blocks.set(at, [line]);
  }
  return [...blocks];
}

interface BlockGiven {
  readonly lines: readonly LogLine[];
  readonly finder: RegExp | undefined;
}

/** Lines never change: those between the same first and last one are the same, and are not compared again. */
const Block = ({ lines, finder }: BlockGiven) =>
  useMemo(
    () => <Lines lines={lines} finder={finder} />,
    [lines.length, lines[0], lines.at(-1), finder],
  );

const Lines = ({ lines, finder }: BlockGiven) => (
  <div class="log-block" style={{ '--lines': lines.length }}>
    {lines.map(({ seq, ts, level, message }) => (
      <div class={`log-line is-${String(level).toLowerCase()}`} key={String(seq)}>
        <span class="log-time">{momentOf(String(ts)).slice(11)}</span>
        <span class="log-level">{String(level)}</span>
        <span class="log-text">{marked(String(message), finder)}</span>
      </div>
    ))}
  </div>
);

function stateText(state: string, { status }: Row): string {
  if (state === 'reading') return say('Loading…');
  if (state === 'following') return say('New lines appear as they are written.');
  if (state === 'ended') return ENDED.includes(String(status)) ? say('The task has ended.') : '';
  return state === LOST ? say(LOST) : heard(state);
}

const LOST = 'Connection lost. Reconnecting…';

/** Lines come one by one; they are shown a frame at a time. A running task may have written none. */
async function followInto(
  follow: (onOpen: () => void) => AsyncIterable<LogEvent>,
  signal: AbortSignal,
  lines: Signal<readonly LogLine[]>,
  state: Signal<string>,
): Promise<void> {
  let fresh: LogLine[] = [];
  let isDue = false;
  const paint = () => {
    isDue = false;
    // Another reading has begun, which shows these lines itself.
    if (signal.aborted) return;
    lines.value = [...lines.peek(), ...fresh].slice(-MOST);
    fresh = [];
    if (state.peek() === 'reading') state.value = 'following';
  };
  const soon = () => {
    if (state.peek() !== 'reading') state.value = 'following';
    if (!isDue) requestAnimationFrame(paint);
    isDue = true;
  };
  try {
    for await (const event of follow(soon)) {
      if (event.type === 'lost') state.value = LOST;
      if (event.type === 'end' && event.retryInMs !== undefined) state.value = event.reason;
      if (event.type !== 'line') continue;
      fresh.push(event.line);
      soon();
    }
    state.value = 'ended';
  } finally {
    paint();
  }
}
