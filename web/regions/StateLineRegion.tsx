/** The line over the end of the rows: a failure, or else that answers come from the store. */
import { askAgain, asOf, failure, isAsking, isStale, live } from '../data/rows/asking.ts';
import { overdue, withoutIndex } from '../data/rows/slow.ts';
import { secondsUntil } from '../data/service/clock.ts';
import { isAdmin } from '../data/service/session.ts';
import { go, shown, view } from '../data/store.ts';
import { SlowLine, StateLine, WaitLine } from '../parts/table/StateLine.tsx';
import { addressOf } from '../state/address.ts';
import { initialView } from '../state/view.ts';
import { addressFields } from '../tables/tables.ts';

export function StateLineRegion() {
  const wrong = failure.value;
  const { value: now } = live;
  if (!wrong) {
    const isEmpty = !isAsking.value && shown.value?.rows.length === 0;
    const isSlow = withoutIndex.value && now.state === 'slow';
    if (isSlow) return <SlowLine live={now} isEmpty={isEmpty} />;
    return overdue.value ? <WaitLine retry={askAgain} /> : null;
  }
  if (wrong.status === 401) return null;
  const { table, project } = view.value;
  // A project that is not there is no part of the view to begin with.
  const initial = { ...initialView(table), project: wrong.status === 404 ? null : project };
  const canReset = addressOf(initial, addressFields) !== addressOf(view.value, addressFields);
  return (
    <StateLine
      failure={wrong}
      retryIn={wrong.retryAt === undefined ? 0 : secondsUntil(wrong.retryAt)}
      asOf={shown.value && asOf.value}
      isStale={isStale.value}
      table={table}
      admin={isAdmin.value}
      reset={canReset ? () => go(initial) : undefined}
      retry={askAgain}
    />
  );
}
