/** A database that is asked the same questions as the index: a page of ids, and the exact count. */
import type { PeerQuestion } from './condition.ts';

export interface PeerAnswer {
  readonly total: number;
  readonly ids: readonly number[];
  readonly ms: number;
}

export interface Peer {
  readonly name: string;
  readonly version: string;
  /**
   * Asks in each way that may be the quickest one for a question, and returns the quickest answer;
   * they must all be the same.
   */
  ask(question: PeerQuestion): Promise<PeerAnswer>;
  close(): Promise<void>;
}

/** Why a peer takes no part. */
export interface Absent {
  readonly name: string;
  readonly absent: string;
}

export const isAbsent = (peer: object): peer is Absent => 'absent' in peer;

/** The quickest of several answers to one question. */
export function quickest(answers: readonly PeerAnswer[]): PeerAnswer {
  const [first] = answers;
  for (const { total, ids } of answers) {
    if (total !== first!.total || ids.join() !== first!.ids.join()) {
      throw new Error(`two ways of asking, two answers: ${JSON.stringify(answers)}`);
    }
  }
  return answers.reduce((best, one) => (one.ms < best.ms ? one : best));
}
