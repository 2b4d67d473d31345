/** Examples of searches, in fields that the table has. */
import { isOwn, type TableName } from '../state/view.ts';
import { tableOf } from '../tables/tables.ts';

type Kind = 'value' | 'other' | 'quoted' | 'part' | 'none' | 'date' | 'number';

/** Terms stand by what they show; a table without a field for one has none. `numbers`: other values of the number. */
type Examples = Readonly<Record<'either' | 'numbers', string> & Partial<Record<Kind, string>>>;

/** A table with all of these fields has the usual examples. */
const USUAL = ['status', 'scope', 'worker', 'retries', 'execution_time'];
const USUAL_EXAMPLES: Examples = {
  ...{ either: 'timeout or status:retry', value: 'status:failure', other: '-scope:system' },
  ...{ quoted: 'worker:"node 3"', part: 'worker~gpu', none: 'worker:none' },
  ...{ date: 'date:today', number: 'retries:>=2' },
  numbers: '2, 2..5, <3; took:>90s',
};

/** @param time the date that the timeline shows */
export function examplesOf(name: TableName, time: string | undefined): Examples {
  const { key, description } = tableOf(name);
  const { conditions, columns, contains, facets, ranges } = description;
  if (USUAL.every((field) => conditions.includes(field)) && !isOwn(name)) return USUAL_EXAMPLES;
  const first = facets.find((field) => columns[field] === 'text');
  const text = contains.find((field) => field !== key);
  const number = Object.keys(ranges).find((field) => ranges[field] === 'number');
  return {
    either: first === undefined ? 'apple or pear' : `apple or ${first}:a`,
    ...(first !== undefined && {
      ...{ value: `${first}:a`, other: `-${first}:a`, quoted: `${first}:"a b"` },
      none: `${first}:none`,
    }),
    ...(text !== undefined && { part: `${text}~a` }),
    ...(time !== undefined && { date: `${isOwn(name) ? time : 'date'}:today` }),
    numbers: '2, 2..5, <3',
    ...(number !== undefined && { number: `${number}:>=2` }),
  };
}
