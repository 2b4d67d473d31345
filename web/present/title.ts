/** The title of a tab: `“timeout” in failed tasks`, `Tasks, Worker: gpu-1`. */
import { type Condition, isOwn, type LabelOf, type View } from '../state/view.ts';
import { tableOf } from '../tables/tables.ts';
import { language, say } from '../words/words.ts';
import { chipText } from './chip.ts';
import { isStatus, type Status } from './status.ts';

/** A tab has room for no more of them. */
const MOST = 2;

export function titleOf({ table, q, conditions }: View, labelOf: LabelOf): string {
  const status = isOwn(table)
    ? undefined
    : conditions.map(statusOf).find((one) => one !== undefined);
  const rows = say(status ? TASKS[status] : tableOf(table).title);
  const text = q.trim();
  const what = text === '' ? rows : say('“{q}” in {what}', { q: text, what: within(rows) });
  const others = conditions
    .filter((one) => statusOf(one) === undefined)
    .slice(0, MOST)
    .map((one) => {
      const { field, is, value } = chipText(table, one, labelOf);
      return `${field}${is && ` ${is}`}: ${value}`;
    });
  return [what, ...others].join(', ');
}

/** The state that all rows have, where one alone is asked for. */
function statusOf(one: Condition): Status | undefined {
  if (one.kind !== 'values' || one.field !== 'status' || one.not) return undefined;
  const [value] = one.values;
  return one.values.length === 1 && isStatus(value) ? value : undefined;
}

const TASKS: Readonly<Record<Status, string>> = {
  SUCCESS: 'Successful tasks',
  FAILURE: 'Failed tasks',
  REVOKED: 'Revoked tasks',
  STARTED: 'Running tasks',
  RETRY: 'Retrying tasks',
  RECEIVED: 'Received tasks',
  PENDING: 'Pending tasks',
};

/** English titles begin small within a sentence; German nouns do not. */
const within = (rows: string) =>
  language.value === 'en' ? rows.charAt(0).toLowerCase() + rows.slice(1) : rows;
