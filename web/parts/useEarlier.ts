/** The rows of the earlier range that the view is compared with, over time. */
import { rowsAt } from '../data/service.ts';
import { earlier } from '../data/store.ts';
import { useAnswer } from './useAnswer.ts';

/** Undefined while the answer to this comparison is not there. */
export function useEarlier() {
  const { question, of } = earlier.value ?? {};
  const found = useAnswer(
    async (signal) =>
      question && { of, ...(await rowsAt(question).explore(question.body, { signal })) },
    [JSON.stringify(question)],
  );
  if (of === undefined || found?.of !== of) return undefined;
  return { total: found.meta.pagination.total_items, buckets: found.histogram?.buckets ?? [] };
}
