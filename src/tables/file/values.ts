/** Whether a value written in a file is one of a field's type. */
import type { FieldType } from '../definition/definition.ts';

const FORMS: Readonly<Partial<Record<FieldType, readonly [RegExp, string]>>> = {
  objectId: [/^[0-9a-f]{24}$/i, '24 hexadecimal digits in quotes'],
  uuid: [/^[0-9a-f]{8}(?:-[0-9a-f]{4}){3}-[0-9a-f]{12}$/i, 'a UUID in quotes'],
  date: [
    /^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d(?:\.\d{1,9})?(?:Z|[+-]\d\d:\d\d)$/,
    'a date and time as in "2026-01-31T12:00:00Z"',
  ],
  decimal: [/^-?\d+(?:\.\d+)?$/, 'a number, or its digits in quotes'],
};

/** Why the value is none of the type, as the rest of a sentence; undefined if it is one. */
export function misfitOf(type: FieldType, value: unknown): string | undefined {
  if (type === 'string') {
    return typeof value === 'string' ? undefined : 'is text: put the value in quotes';
  }
  if (type === 'boolean') {
    if (typeof value === 'boolean') return undefined;
    const isWord = typeof value === 'string' && /^(?:yes|no|on|off|true|false)$/i.test(value);
    const hint = isWord ? `, and ${value} is text here` : '';
    return `takes true or false${hint}`;
  }
  if (typeof value === 'number' && (type === 'number' || type === 'decimal')) {
    // It may have been another integer before it was read as a double.
    const isExact = Math.abs(value) <= Number.MAX_SAFE_INTEGER;
    return isExact
      ? undefined
      : 'takes numbers up to 9007199254740991, or a claim with larger ones as text';
  }
  if (type === 'number') return 'takes a number without quotes';
  const [form, sentence] = FORMS[type] ?? [];
  return typeof value === 'string' && form?.test(value) ? undefined : `takes ${sentence}`;
}
