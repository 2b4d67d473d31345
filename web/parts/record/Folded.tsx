/**
 * The beginning of a long value, until its reader asks for all of it. A browser takes minutes to lay out a text of
 * megabytes: of such a text it gets a part alone.
 */
import type { JSX } from 'preact';
import { useState } from 'preact/hooks';
import { countOf } from '../../state/times.ts';
import { say } from '../../words/words.ts';
import { Button } from '../controls/Button.tsx';

/** Values of more letters or elements would push the members below them out of sight. */
export const isLong = (value: unknown) =>
  (typeof value === 'string' && value.length > 600) || (Array.isArray(value) && value.length > 40);

/** Letters of a text that show at most: folded, whole, and around a match. */
const FOLDED = 2_000;
const WHOLE = 100_000;
const AROUND = 10_000;

interface TextGiven {
  readonly text: string;
  readonly finder?: RegExp | undefined;
  /** Makes the part that shows. */
  readonly show: (part: string) => JSX.Element;
}

/** A text of any length; the match may lie at its end. */
export function LongText({ text, finder, show }: TextGiven) {
  if (text.length <= WHOLE) {
    return <Folded isLong={!finder && isLong(text)}>{show(text)}</Folded>;
  }
  const from = finder ? Math.max(0, text.search(finder) - AROUND / 2) : 0;
  const most = finder ? AROUND : WHOLE;
  const note = say('{n} of {total} characters are shown.', {
    n: countOf(Math.min(most, text.length - from)),
    total: countOf(text.length),
  });
  return (
    <Folded isLong={!finder} brief={show(text.slice(0, FOLDED))}>
      <div>
        {from > 0 && '…'}
        {show(text.slice(from, from + most))}
        {from + most < text.length && '…'}
        <p class="dim">{note}</p>
      </div>
    </Folded>
  );
}

interface Given {
  readonly isLong: boolean;
  /** Stands for it while it is folded, where all of it is too much. */
  readonly brief?: JSX.Element | undefined;
  readonly children: JSX.Element;
}

export function Folded({ isLong, brief, children }: Given) {
  const [isWhole, setWhole] = useState(false);
  if (!isLong || isWhole) return children;
  return (
    <>
      <div class="folded">{brief ?? children}</div>
      <Button look="is-small" onClick={() => setWhole(true)}>
        {say('Show all')}
      </Button>
    </>
  );
}
