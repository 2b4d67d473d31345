/** The table of figures: a line for each attack. */
import { markdownTable } from '../support/table.ts';
import { missed, type Outcome } from './course.ts';
import type { Stage } from './stage.ts';

const mb = (bytes: number) => `${Math.round(bytes / 2 ** 20)} MB`;
const ms = (value: number) => `${value >= 10 ? Math.round(value) : value.toFixed(1)} ms`;
const seconds = (value: number) => `${(value / 1_000).toFixed(1)} s`;

const COLUMNS: readonly (readonly [title: string, of: (outcome: Outcome) => string])[] = [
  ['attack', ({ name }) => name],
  ['callers', ({ callers }) => String(callers)],
  ['answers', ({ answers }) => counts(answers.statuses)],
  ['took', ({ tookMs }) => seconds(tookMs)],
  ['memory', ({ peak }) => `+${mb(peak)}`],
  ['after', ({ after }) => `+${mb(after)}`],
  ['loop blocked', ({ heldMs }) => ms(heldMs)],
  ['light p50', ({ noticed }) => ms(noticed.p50)],
  ['p99', ({ noticed }) => ms(noticed.p99)],
  ['health p99', ({ noticed }) => ms(noticed.healthP99)],
  ['verdict', verdictOf],
];

function counts(all: ReadonlyMap<number, number>): string {
  const sorted = [...all].sort(([a], [b]) => a - b);
  return sorted.map(([status, n]) => `${n}×${status || 'cut'}`).join(' ') || '-';
}

function verdictOf(outcome: Outcome): string {
  const { answers, verdicts, stillHeld } = outcome;
  const not = missed(outcome);
  const wrong = [...answers.wrong].map(([what, n]) => `${n}×${what}`);
  const held = stillHeld === '' ? [] : [`held: ${stillHeld}`];
  if (not.length > 0) return `NO: ${[...not, ...wrong, ...held].join(', ')}`;
  const byControl = verdicts.filter((one) => one.byControl).map(({ bar }) => bar);
  return byControl.length === 0 ? 'ok' : `ok (${byControl.join(', ')}: control)`;
}

export function tableOf(outcomes: readonly Outcome[]): string {
  return markdownTable([
    COLUMNS.map(([title]) => title),
    ...outcomes.map((outcome) => COLUMNS.map(([, of]) => of(outcome))),
  ]);
}

/** The figures that the bars are relative to. */
export function yardsticks({ idle, control, resident }: Stage): string {
  const noticed = ({ p50, p99, healthP99 }: Stage['idle']) =>
    `light p50 ${ms(p50)}, p99 ${ms(p99)}; health p99 ${ms(healthP99)}`;
  return `idle: ${mb(resident)}; ${noticed(idle)}
control, one caller asks for a constant without a pause: ${noticed(control)}; loop blocked ${ms(control.heldMs)}`;
}

export const LEGEND = `Bars: memory at most 300 MB above idle, and nothing held 20 s later; no 5xx but 503, each 429 and 503 with
Retry-After; requests never block the event loop over 100 ms, nor sockets over 250 ms, waits for a processor left out; no
other caller refused; a light caller's p99 at most 5 times idle and 250 ms, health in 50 ms. Where a busy machine makes these or
the loop longer they are held against 5 times the control, and the verdict says so.`;
