/** The text of one record, as answers have it. */
import type { RecordJson } from '../../src/serve/answer/recordJson.ts';
import type { JoinedRow, RecordContext } from '../../src/tables/definition/record.ts';

const NOTHING = Buffer.alloc(0);
const [HEAD, END] = ['{"data":[', '],}'];

export function recordText(records: RecordJson, row: JoinedRow, context: RecordContext): string {
  const answer = String(records.answerNow([row], context, '}', [NOTHING, NOTHING]));
  return answer.slice(HEAD.length, -END.length);
}
