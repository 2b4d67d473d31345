/**
 * The parts of a row that a table keeps besides its columns, so that it can show the row's record.
 *
 *     member of the record      reads                     is shown from
 *     status                    a column                  the column
 *     seconds between dates     two columns               the columns
 *     note, lines               nothing of the table      its JSON, made when the row came
 *     invoice, when asked       a column; else nothing    its JSON, where the column says so
 *     people, of a shop         staff; other rows         the value at `staff`, and those rows
 */
import { invariant } from '../../../errors.ts';
import type { Resource } from '../../definition/definition.ts';
import type { Presenter } from '../../definition/record.ts';
import type { TableLayout } from '../../definition/tableDefinition.ts';

export interface RestLayout {
  /** Columns that members of the document come from: no value in them may be an array or odd. */
  readonly columns: readonly string[];
  /** The documents' members in these columns, in the same order. */
  readonly paths: readonly string[];
  /** Places in `paths` whose values presenters and joins read to show more than the one value. */
  readonly read: readonly number[];
  /** Members of the record whose JSON is kept, in this order. */
  readonly inRest: readonly { readonly name: string; readonly member: Presenter }[];
  /** Members of the document whose value is kept, after those. */
  readonly values: readonly string[];
  /** The document's members that the JSON and the values need. */
  readonly reads: readonly string[];
}

export function restLayout(resource: Resource, { sources }: TableLayout): RestLayout {
  const columns = new Map<string, string>();
  for (const { name, path, as } of sources) {
    if (as === 'value' && !path.includes('.') && path !== '_id') columns.set(path, name);
  }
  const isKept = (path: string) => path === '_id' || columns.has(path);
  const inRest: RestLayout['inRest'][number][] = [];
  const joined = resource.joins.map(({ through }) => through.split('.')[0]!);
  const live: string[] = [...joined];
  const readOfDocument = new Set(joined);
  for (const [name, presenter] of Object.entries(resource.record)) {
    const { when } = presenter;
    const member = when?.member ?? presenter;
    const isOwn = !member.needsContext && !member.joins;
    const isInRest = isOwn && (isAnything(member) || !member.reads.every(isKept));
    if (isInRest) inRest.push({ name, member });
    else live.push(...member.reads);
    const isValue = presenter.plain !== undefined && presenter.reads.every(isKept);
    if (!(isInRest || isValue)) for (const path of member.reads) readOfDocument.add(path);
    for (const path of when?.reads ?? []) readOfDocument.add(path);
    invariant(!when || when.reads.every(isKept), `${resource.name}.${name}: columns tell when`);
    live.push(...(when?.reads ?? []));
  }
  const needed = [...new Set(live)];
  const values = needed.filter((path) => !isKept(path));
  const paths = needed.filter((path) => columns.has(path));
  const read = inRest.flatMap(({ member }) => member.reads);
  return {
    columns: paths.map((path) => columns.get(path)!),
    paths,
    read: paths.flatMap((path, place) => (readOfDocument.has(path) ? [place] : [])),
    inRest,
    values,
    reads: [...new Set([...read, ...values])],
  };
}

/** Whether it shows any stored value, arrays too. */
const isAnything = ({ plain, inside, reads }: Presenter): boolean =>
  (plain === 'json' || inside !== undefined) && !reads.includes('_id');
