/** The waits of readers from one answer to the next. */
import { type Answered, type Exchange, isAnswered } from './exchange.ts';

/** One reader's time without an answer. */
export interface ReaderGap {
  /** Their rest left out. */
  readonly ms: number;
  /** For how long of it the instance or this process waited for a processor; undefined where the instance was started again. */
  readonly waitedMs: number | undefined;
  /** The answer that ended it. */
  readonly last: Answered;
}

/** The longest time in which any of these instances answered no search, milliseconds. */
export function longestGap(
  names: readonly string[],
  answered: readonly Answered[],
  from: number,
): number {
  const gaps = names.map((name) => {
    const own = answered.filter(({ instance }) => instance.name === name);
    const ends = [from, ...own.map(({ endedAt }) => endedAt).filter((at) => at > from)];
    ends.sort((a, b) => a - b);
    return Math.max(0, ...ends.slice(1).map((at, i) => at - ends[i]!));
  });
  return Math.max(...gaps);
}

/** The longest gaps that ended after `from`, the longest first. */
export function readerGaps(
  answered: readonly Answered[],
  from: number,
  restMs: number,
): ReaderGap[] {
  const before = new Map<string, Answered>();
  const gaps: ReaderGap[] = [];
  for (const last of answered.toSorted((a, b) => a.endedAt - b.endedAt)) {
    if (last.reader === undefined) continue;
    const who = `${last.instance.name} ${last.reader}`;
    const former = before.get(who);
    if (former && last.endedAt > from) {
      const ms = last.endedAt - former.endedAt - restMs;
      const isSame = last.instance === former.instance;
      gaps.push({ ms, waitedMs: isSame ? last.waitedMs - former.waitedMs : undefined, last });
    }
    before.set(who, last);
  }
  return gaps.sort((a, b) => b.ms - a.ms);
}

/** Troubles that readers would notice: gaps of more than `maxMs`, and refusals. */
export function noticed(
  exchanges: readonly Exchange[],
  from: number,
  restMs: number,
  maxMs: number,
): string[] {
  const long = readerGaps(exchanges.filter(isAnswered), from, restMs)
    .filter(({ ms }) => ms > maxMs)
    .map(
      (gap) =>
        `no answer for ${gapInWords(gap)} a processor: ${inWords(gap.last, from)} by ${gap.last.route}, age ${gap.last.age}`,
    );
  const refused = exchanges
    .filter(({ reader, status }) => reader !== undefined && status !== 200)
    .map((one) => `refused with ${one.status} ${one.code}: ${inWords(one, from)}`);
  return [...long, ...refused];
}

/** Such as `2498 ms, 464 without`. */
export const gapInWords = ({ ms, waitedMs }: Pick<ReaderGap, 'ms' | 'waitedMs'>): string =>
  `${Math.round(ms)} ms, ${waitedMs === undefined ? '?' : Math.round(waitedMs)} without`;

const inWords = ({ instance, reader, search, startedAt, endedAt }: Exchange, from: number) =>
  `${instance.name} ${reader}, ${search?.view} of ${search?.caller}, asked ${Math.round(startedAt - from)} ms after the fault, for ${Math.round(endedAt - startedAt)} ms`;
