/**
 * The peers' times, taken while their answers are held against the index's.
 *
 *     question ──► index, pipeline at the index's F, PostgreSQL, SQLite ──► totals and ids equal?
 *
 * A class has as many questions put to a peer as fit its budget, at least one; the first warms up
 * where there are three. An answer that differs ends the bench.
 */
import type { Answer, IndexUnderTest } from '../indexUnderTest.ts';
import { percentile } from '../measure.ts';
import { type PeerQuestion, peerQuestion } from '../peers/condition.ts';
import type { Peer } from '../peers/peer.ts';
import type { DrawnClass } from '../questions.ts';
import type { Question } from '../searches.ts';

export interface Subject {
  readonly index: IndexUnderTest;
  readonly peers: readonly Peer[];
}

export interface PeerTimes {
  readonly p50: number;
  /** Questions that were asked. */
  readonly asked: number;
}

interface Compared {
  readonly checked: number;
  readonly times: ReadonlyMap<string, Readonly<Record<string, PeerTimes>>>;
}

const MAX_QUESTIONS = 20;

export async function comparePeers(
  { index, peers }: Subject,
  classes: readonly DrawnClass[],
  budgetMs: number,
): Promise<Compared> {
  let checked = 0;
  const times = new Map<string, Record<string, PeerTimes>>();
  for (const { name, questions } of classes) {
    const taken: Record<string, PeerTimes> = {};
    for (const [peer, ask] of askers(index, peers)) {
      const ms = await timePeer(index, name, questions, ask, budgetMs);
      if (ms.length === 0) continue;
      checked += ms.length;
      const warm = ms.length > 2 ? ms.slice(1) : ms;
      taken[peer] = { p50: percentile(warm, 0.5), asked: ms.length };
    }
    times.set(name, taken);
    console.error(`${name}: ${printTimes(taken)}`);
  }
  return { checked, times };
}

type Asker = (question: Question) => Promise<(Answer & { ms: number }) | undefined>;

function askers(index: IndexUnderTest, peers: readonly Peer[]): [name: string, ask: Asker][] {
  const pipeline: Asker = async (question) => {
    const started = performance.now();
    const answer = await index.askPipeline(question);
    return { ...answer, ms: performance.now() - started };
  };
  return [
    ['pipeline', pipeline],
    ...peers.map((peer): [string, Asker] => [
      peer.name,
      async (question) => {
        const asked: PeerQuestion | undefined = peerQuestion(question, index.fold);
        return asked && (await peer.ask(asked));
      },
    ]),
  ];
}

/** Milliseconds of each question; none where the peer cannot be asked. */
async function timePeer(
  index: IndexUnderTest,
  name: string,
  questions: readonly Question[],
  ask: Asker,
  budgetMs: number,
): Promise<number[]> {
  const ms: number[] = [];
  let spent = 0;
  for (const question of questions.slice(0, MAX_QUESTIONS)) {
    if (spent > budgetMs) break;
    const theirs = await ask(question);
    if (!theirs) return [];
    const ours = index.ask(question);
    if (ours.total !== theirs.total || String(ours.ids) !== String(theirs.ids)) {
      throw new Error(
        `${name}: ${JSON.stringify(question)}\nindex ${JSON.stringify(ours)}\n` +
          `but   ${JSON.stringify(theirs)}`,
      );
    }
    ms.push(theirs.ms);
    spent += theirs.ms;
  }
  return ms;
}

const printTimes = (taken: Readonly<Record<string, PeerTimes>>) =>
  Object.entries(taken)
    .map(([peer, { p50, asked }]) => `${peer} ${p50.toFixed(2)} ms (${asked})`)
    .join(', ');
