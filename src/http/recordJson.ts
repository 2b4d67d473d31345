/**
 * Records as JSON text, made once for as long as their row is the same object.
 *
 *     row ──► record ──► JSON text, kept beside the row       answer = [text, text, …]
 *
 * The index gives the same row object until something of it changes, and a page's JSON is most of
 * what an answer costs once the search itself takes a tenth of a millisecond.
 */
import {
  type JoinedRow,
  type Presenter,
  present,
  type RecordContext,
} from '../resources/record.ts';

export class RecordJson {
  readonly #record: Readonly<Record<string, Presenter>>;
  /** By the options that were on: they change what a record shows. */
  readonly #texts = new Map<string, WeakMap<JoinedRow, string>>();

  constructor(record: Readonly<Record<string, Presenter>>) {
    this.#record = record;
  }

  /** The JSON array of the rows' records. The catalogue must be the same one at every call. */
  listOf(rows: readonly JoinedRow[], context: RecordContext): string {
    const options = [...context.options].sort().join();
    let texts = this.#texts.get(options);
    if (!texts) {
      texts = new WeakMap();
      this.#texts.set(options, texts);
    }
    let list = '';
    for (const row of rows) {
      let text = texts.get(row);
      if (text === undefined) {
        text = JSON.stringify(present(this.#record, row, context));
        texts.set(row, text);
      }
      list = list === '' ? text : `${list},${text}`;
    }
    return `[${list}]`;
  }
}
