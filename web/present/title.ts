/** The title of a tab: `“timeout” in failed tasks`, `Tasks, Worker: gpu-1`. */
import { type Condition, isOwn, type LabelOf, type View } from '../state/view.ts';
import { type Table, tableOf, tableTitle } from '../tables/tables.ts';
import { language, say } from '../words/words.ts';
import { chipText, lineOf } from './chip.ts';

/** A tab has room for no more of them. */
const MOST = 2;

export function titleOf({ table, q, conditions }: View, labelOf: LabelOf): string {
  const { titled } = tableOf(table);
  const told = conditions.find((one) => titleFor(one, titled) !== undefined);
  const special = told && titleFor(told, titled);
  const rows = special === undefined ? tableTitle(table) : say(special);
  const text = q.trim();
  const quoted = text.includes('"') ? text : say('“{text}”', { text });
  const what =
    text === ''
      ? rows
      : say('{q} in {what}', { q: quoted, what: isOwn(table) ? rows : within(rows) });
  const others = conditions
    .filter((one) => one !== told)
    .slice(0, MOST)
    .map((one) => lineOf(chipText(table, one, labelOf)));
  return [what, ...others].join(', ');
}

/** The title of rows that all have the one value of a condition. */
function titleFor(one: Condition, titled: Table['titled']): string | undefined {
  if (one.kind !== 'values' || one.not || one.values.length !== 1) return undefined;
  return titled?.[one.field]?.[String(one.values[0])];
}

/** English titles begin small within a sentence; German nouns do not, and titles of a file stay as they are. */
const within = (rows: string) =>
  language.value === 'en' ? rows.charAt(0).toLowerCase() + rows.slice(1) : rows;
