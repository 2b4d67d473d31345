/** Pairs of dates between which something lasted: from started to done. */
import type { DraftField } from './draft.ts';
import type { LookedAt } from './survey.ts';

/** First words of a span, and last ones; each pair of a row belongs together. */
const PAIRS: readonly (readonly [from: RegExp, to: RegExp, name: string])[] = [
  [/start|begin|began/i, /done|finish|end|complet|stop/i, 'took'],
  [/^from$|_from$/i, /^to$|_to$|until/i, 'took'],
  [/queue|submit|enqueue/i, /start|begin|began/i, 'waited'],
  [/open|report/i, /clos|resolv/i, 'took'],
  [/place|order/i, /ship|deliver/i, 'took'],
  [/creat|receiv/i, /done|finish|complet|clos|resolv|ship|deliver/i, 'took'],
];

/** In this share of the documents that have both, the span must not be negative. */
const IN_ORDER = 0.95;
const ENOUGH = 5;
const MAX_SPANS = 2;

export function spansOf({ profile }: LookedAt, fields: readonly DraftField[]): DraftField[] {
  const dates = fields.filter(({ found }) => found?.type === 'date' && !found.several);
  const spans: DraftField[] = [];
  for (const [from, to, name] of PAIRS) {
    const first = dates.find((one) => from.test(one.name));
    const last = dates.find((one) => to.test(one.name) && one !== first);
    if (!first || !last || spans.some((one) => one.name === name)) continue;
    if (spans.length === MAX_SPANS || !isInOrder(first, last)) continue;
    spans.push({
      name,
      members: { seconds: [first.name, last.name] },
      remark: `from ${first.name} to ${last.name}`,
    });
  }
  return profile.documents > 0 ? spans : [];
}

function isInOrder({ found: first }: DraftField, { found: last }: DraftField): boolean {
  let both = 0;
  let ordered = 0;
  for (const [document, from] of first!.profile.moments) {
    const to = last!.profile.moments.get(document);
    if (to === undefined) continue;
    both += 1;
    if (to >= from) ordered += 1;
  }
  return both >= ENOUGH && ordered >= IN_ORDER * both;
}
