/**
 * The requests under way, each with its deadline, so that a stopping service can refuse new ones and
 * answer waiting ones.
 *
 *     begin ──▶ deadline ─ … ─▶ end
 *     refuse    those that begin from now on are told that the service stops
 *     give up   those under way are told the same: whatever they wait for is ended
 */
import { Deadline } from '../../store/deadline.ts';

export class Requests {
  readonly #timeoutMs: number;
  readonly #open = new Set<Deadline>();
  #refusing = false;

  /** @param timeoutMs the time of a request that reads */
  constructor(timeoutMs: number) {
    this.#timeoutMs = timeoutMs;
  }

  begin(): Deadline {
    const deadline = new Deadline(this.#timeoutMs);
    if (this.#refusing) deadline.stop('stopping');
    this.#open.add(deadline);
    return deadline;
  }

  end(deadline: Deadline): void {
    this.#open.delete(deadline);
    deadline.close();
  }

  refuse(): void {
    this.#refusing = true;
  }

  giveUp(): void {
    for (const deadline of this.#open) deadline.stop('stopping');
  }
}
