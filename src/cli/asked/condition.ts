/**
 * The condition of one `--select`.
 *
 *     status=FAILURE,null   {"field": "status", "in": ["FAILURE", null]}
 *     worker!=worker-3      {"field": "worker", "not_in": ["worker-3"]}
 *     date_done>=7d         {"field": "date_done", "from": "…seven days ago"}
 *     date_done=a..b        {"field": "date_done", "from": "a", "to": "b"}
 */
import type { ViewDescription } from 'table-search/client';
import { MOMENTS, momentOf } from './moment.ts';
import { checkName, refused } from './names.ts';
import { typed, type Value } from './values.ts';

export interface Condition {
  readonly field: string;
  readonly in?: readonly Value[];
  readonly not_in?: readonly Value[];
  readonly from?: string | number;
  readonly to?: string | number;
}

type Description = Pick<
  ViewDescription,
  'columns' | 'conditions' | 'facets' | 'filters' | 'ranges'
>;

const UUID = /^[0-9a-f]{8}(-[0-9a-f]{4}){3}-[0-9a-f]{12}$/i;

const FORMS = 'field=value,value  field!=value  field>=from  field<to  field=from..to';

/** @throws CliError for an unknown field, and a condition that the field does not take */
export function conditionOf(description: Description, given: string, now: number): Condition {
  const refuse = (why: string) => refused('--select', given, why);
  const [, field, operator, text] = /^(\w+)(!=|>=|<=|>|<|=)(.*)$/s.exec(given) ?? [];
  if (field === undefined || text === undefined || text === '') {
    throw refuse(`write one of  ${FORMS}`);
  }
  const { conditions, filters, ranges, columns } = description;
  const isFilter = field in filters && !conditions.includes(field);
  const hint = isFilter ? `${field} is a filter: --filter ${field}=${text}.` : undefined;
  checkName('--select', given, { name: field, known: conditions, what: 'Fields', hint });

  const range = ranges[field];
  const bound = (one: string): string | number => {
    const found = range === 'date' ? momentOf(one, now) : numberOf(one);
    if (found !== undefined) return found;
    throw refuse(range === 'date' ? `write a moment as ${MOMENTS}.` : `${field} takes a number.`);
  };
  if (operator !== '=' && operator !== '!=') {
    if (range === undefined) {
      const those = Object.keys(ranges).join(', ');
      throw refuse(`${field} has no order; ranges work on ${those || 'no field here'}.`);
    }
    if (operator === '>=') return { field, from: bound(text) };
    if (operator === '<') return { field, to: bound(text) };
    const other = operator === '>' ? '>=' : '<';
    throw refuse(`a range includes its start and excludes its end; write ${field}${other}…`);
  }
  if (range !== undefined) {
    const [, from, to] = /^(.*?)\.\.(.*)$/s.exec(text) ?? [];
    if (operator === '!=' || to === undefined || from + to === '') {
      throw refuse(`${field} takes a range: ${field}>=from, ${field}<to or ${field}=from..to.`);
    }
    return { field, ...(from && { from: bound(from) }), ...(to && { to: bound(to) }) };
  }
  const values = valuesOf(text, columns[field] ?? 'text', refuse);
  return operator === '=' ? { field, in: values } : { field, not_in: values };
}

/** Values between commas; `null` is null, and quotes hold text as JSON has it. */
function valuesOf(text: string, kind: string, refuse: (why: string) => Error): Value[] {
  const parts = text.match(/"(?:[^"\\]|\\.)*"|[^,]+/g) ?? [];
  return parts.map((part) => {
    if (part.startsWith('"')) {
      try {
        return JSON.parse(part) as string;
      } catch {
        throw refuse(`${part} is no JSON text; write one such as "a, b".`);
      }
    }
    const value = part === 'null' ? null : typed(part, kind);
    if (kind === 'boolean' && typeof value === 'string') throw refuse('write true or false.');
    // Stored UUIDs have lower case; people paste them as other programs show them.
    return typeof value === 'string' && UUID.test(value) ? value.toLowerCase() : value;
  });
}

function numberOf(text: string): number | undefined {
  const found = typed(text, 'number');
  return typeof found === 'number' ? found : undefined;
}
