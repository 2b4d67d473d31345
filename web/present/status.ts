/** States: each has a colour, a shape and a word, so that no one of them is needed. */
import type { ViewValue } from '../../clients/typescript/viewAddress.ts';

/** The order in which states are stacked: what matters lies on the axis, where heights compare. */
const STACK = [
  ...['failure', 'retry', 'started', 'received', 'pending', 'revoked', 'rest', 'success'],
].map((tone) => `tone-${tone}`);

export interface Series {
  readonly value: ViewValue | 'rest';
  /** Where its counts stand in a bucket; -1: the rest. */
  readonly index: number;
  /** The class that colours it. */
  readonly tone: string;
}

/** The values of a histogram as they are stacked, from the axis up. */
export function seriesOf(
  by: 'nothing' | 'states' | 'values',
  values: readonly ViewValue[],
): readonly Series[] {
  if (by === 'nothing') return [{ value: 'rest', index: -1, tone: 'tone-all' }];
  const series = values.map((value, index) => ({
    value,
    index,
    tone: by === 'states' ? toneOf(value) : (flagTone(value) ?? `tone-${index % 8}`),
  }));
  if (by === 'states') series.sort((a, b) => rank(a.value) - rank(b.value));
  return [...series, { value: 'rest', index: -1, tone: 'tone-rest' }];
}

const rank = (value: ViewValue) => STACK.indexOf(toneOf(value));

export function toneOf(value: unknown): string {
  const text = typeof value === 'string' ? value : '';
  return TONES.find(([words]) => words.test(text))?.[1] ?? 'tone-rest';
}

/** Tones of states, by words that most tables use. */
const TONES: readonly (readonly [RegExp, string])[] = [
  [/fail|error|reject|denied|lost|overdue|invalid|expired/i, 'tone-failure'],
  [/late|delay|retry|divert|warn|partial/i, 'tone-retry'],
  [/cancel|revok|abort|refund|return|closed|disabled|inactive|archiv/i, 'tone-revoked'],
  [
    /success|succeed|^ok$|on time|done|complete|paid|deliver|active|approv|resolved|finish/i,
    'tone-success',
  ],
  [/run|start|progress|process|ship|open/i, 'tone-started'],
  [/receiv/i, 'tone-received'],
  [/wait|pend|queue|new|draft|sched|hold|created/i, 'tone-pending'],
];

function flagTone(value: ViewValue): string | undefined {
  if (value === true) return 'tone-success';
  return value === false ? 'tone-revoked' : undefined;
}
