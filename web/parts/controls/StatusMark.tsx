/** A state: a shape of its own, its colour, and the word. Tables call it: it has no state of its own. */
import type { ViewValue } from '../../../clients/typescript/viewAddress.ts';
import { isForeign, plainWord, withEnds } from '../../present/chip.ts';
import { toneOf } from '../../present/status.ts';
import type { TableName } from '../../state/view.ts';
import { columnOf } from '../../tables/tables.ts';
import { say } from '../../words/words.ts';
import { Icon, type IconName } from './Icon.tsx';

/** A shape for each tone: it tells states apart without colour. */
const SHAPES: Readonly<Record<string, IconName>> = {
  'tone-success': 'check',
  'tone-failure': 'cross',
  'tone-revoked': 'slash',
  'tone-started': 'play',
  'tone-retry': 'again',
  'tone-received': 'inbox',
  'tone-pending': 'ring',
};

interface Given {
  readonly status: unknown;
  /** Names for people, by value. */
  readonly words?: Readonly<Record<string, string>> | undefined;
}

export function StatusMark({ status, words }: Given) {
  const word = words?.[String(status)] ?? plainWord(status);
  const tone = toneOf(status);
  const shape = SHAPES[tone];
  return (
    <span class={`status ${tone}`}>
      <span class="status-shape">{shape && Icon({ name: shape, size: 12 })}</span>
      <span class="status-word">{word === undefined ? textOf(status) : say(word)}</span>
    </span>
  );
}

/** A value of a field: a state by its mark, another one by its text. */
export function valueMark(table: TableName, field: string, value: ViewValue, text: string) {
  const { look, words } = columnOf(table, field);
  const isState = look === 'status' && !isForeign(table, field, value);
  return isState ? <StatusMark status={value} words={words} /> : text;
}

const textOf = (status: unknown): string =>
  typeof status === 'object' ? JSON.stringify(status) : withEnds(String(status));
