/** The table of figures, a line a fault. */
import { markdownTable } from '../support/table.ts';
import type { Outcome } from './course.ts';
import { gapInWords } from './gaps.ts';

const COLUMNS: readonly (readonly [title: string, of: (outcome: Outcome) => string])[] = [
  ['fault', ({ fault }) => fault.name],
  ['requests', ({ requests }) => String(requests)],
  ['refused', ({ refused }) => refusals(refused)],
  ['slowest', ({ slowestMs }) => seconds(slowestMs)],
  ['gap', ({ gapMs }) => seconds(gapMs)],
  ['a reader’s', ({ readerGap }) => gapInWords(readerGap)],
  ['a right’s end', ({ rightMs }) => (rightMs === undefined ? '–' : seconds(rightMs))],
  ['compared', ({ compared }) => String(compared)],
  ['by index', ({ byIndex, compared }) => `${Math.round((100 * byIndex) / compared)} %`],
  ['elsewhere', ({ elsewhere }) => String(elsewhere)],
  ['changes', ({ changes: { done, denied, unknown } }) => `${done}/${denied}/${unknown}`],
  ['writes', ({ written }) => String(written)],
  ['index back', ({ backMs }) => seconds(backMs)],
  ['wrong', ({ wrong }) => String(wrong.length)],
];

const LEGEND = `slowest: longest request; gap: longest time in which an instance answered no search;
a reader’s: longest time between two answers to one reader, and for how long of it there was no processor
(a question mark where the instance was started again);
a right’s end: longest time after it was taken away that it counted;
elsewhere: searches at another instance than the change or answer before them, of its moment or later;
changes: acknowledged/denied/unknown; index back: from the heal until both instances answered by index`;

const seconds = (ms: number): string =>
  Number.isFinite(ms) ? `${(ms / 1_000).toFixed(1)} s` : 'never';

const refusals = (refused: ReadonlyMap<string, number>): string =>
  [...refused].map(([code, count]) => `${count} ${code}`).join(', ') || '-';

/** As Markdown, every column as wide as its widest cell. */
export function tableOf(outcomes: readonly Outcome[]): string {
  const rows = [
    COLUMNS.map(([title]) => title),
    ...outcomes.map((outcome) => COLUMNS.map(([, of]) => of(outcome))),
  ];
  return `${markdownTable(rows)}\n\n${LEGEND}`;
}

/** The first wrong results, fault by fault. */
export function problemsOf(outcomes: readonly Outcome[], most = 5): string {
  return outcomes
    .filter(({ wrong }) => wrong.length > 0)
    .map(({ fault, wrong }) => {
      const more = wrong.length > most ? `\n  … and ${wrong.length - most} more` : '';
      return `${fault.name}: ${fault.what}\n${wrong
        .slice(0, most)
        .map((one) => `- ${one}`)
        .join('\n')}${more}`;
    })
    .join('\n\n');
}
