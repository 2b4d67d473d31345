/** States: each has a colour, a shape and a word, so that no one of them is needed. */
import type { ViewValue } from '../../clients/typescript/viewAddress.ts';

/** The order in which states are stacked: important ones lie on the axis, where heights compare. */
const STACK = [
  ...['failure', 'retry', 'started', 'received', 'pending', 'revoked', 'rest', 'success'],
].map((tone) => `tone-${tone}`);

/** Tones for values that are no states, and lighter shades of each tone. */
const NUMBERED = 6;
const SHADES = 2;

export interface Series {
  readonly value: ViewValue | 'rest';
  /** Where its counts stand in a bucket; -1: the rest. */
  readonly index: number;
  /** The classes that colour it. */
  readonly tone: string;
}

/** The values of a histogram as they are stacked, from the axis up. */
export function seriesOf(
  by: 'nothing' | 'states' | 'values',
  values: readonly ViewValue[],
): readonly Series[] {
  if (by === 'nothing') return [{ value: 'rest', index: -1, tone: 'tone-all' }];
  // States of words that are all unknown would be one grey.
  const areStates = by === 'states' && values.some((value) => toneOf(value) !== UNKNOWN);
  const series = values.map((value, index) => ({
    value,
    index,
    tone: areStates || typeof value === 'boolean' ? toneOf(value) : `tone-${index % NUMBERED}`,
  }));
  if (areStates) series.sort((a, b) => rank(a.value) - rank(b.value));
  return shaded([...series, { value: 'rest', index: -1, tone: UNKNOWN }]);
}

/** Series of one tone, such as late and diverted, each in a shade of its own. */
function shaded(series: readonly Series[]): readonly Series[] {
  const seen = new Map<string, number>();
  return series.map((one) => {
    const shade = seen.get(one.tone) ?? 0;
    seen.set(one.tone, shade + 1);
    return shade === 0 ? one : { ...one, tone: `${one.tone} shade-${Math.min(shade, SHADES)}` };
  });
}

const rank = (value: ViewValue) => STACK.indexOf(toneOf(value));

export function toneOf(value: unknown): string {
  if (typeof value === 'boolean') return value ? 'tone-success' : 'tone-revoked';
  const text = typeof value === 'string' ? value.replace(/([a-z])([A-Z])/g, '$1 $2') : '';
  return TONES.find(([words]) => words.test(text))?.[1] ?? UNKNOWN;
}

const UNKNOWN = 'tone-rest';

/** Words from their beginning: `unpaid` is not paid. A star stands for any ending. */
const wordsIn = (words: string) =>
  new RegExp(`(?<![a-z])(?:${words.replaceAll('*', '[a-z]*').replaceAll(' ', '|')})(?![a-z])`, 'i');

/** Tones of states, by words that most tables use. */
const TONES: readonly (readonly [RegExp, string])[] = [
  // Not paid, never started.
  [wordsIn('not never no without'), UNKNOWN],
  [
    wordsIn(
      'fail* error* reject* denied declin* lost overdue invalid* expired unsuccess* critical fatal crash*',
    ),
    'tone-failure',
  ],
  [wordsIn('late delay* retry* retries divert* warn* partial*'), 'tone-retry'],
  [
    wordsIn(
      'cancel* revok* abort* refund* return* closed disabled inactiv* deactivat* archiv* ' +
        'void* blocked suspend* deleted offline',
    ),
    'tone-revoked',
  ],
  [/^ok$|on time/i, 'tone-success'],
  [
    wordsIn(
      'success* succeed* done complete* paid prepaid deliver* activ* approv* accepted confirmed resolved solved ' +
        'fixed merged passed finish* publish* enabled online healthy',
    ),
    'tone-success',
  ],
  [wordsIn('run* start* progress* process* assigned ship* open* reopen*'), 'tone-started'],
  [wordsIn('receiv*'), 'tone-received'],
  [
    wordsIn('wait* await* pend* queue* new draft* todo backlog sched* hold* created invited'),
    'tone-pending',
  ],
];
