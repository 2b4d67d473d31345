/**
 * Records as CSV (RFC 4180): a header line, CRLF after each line, quotes where they are needed.
 *
 *     null, left out   nothing            objects, arrays   as JSON
 *     text             as it is; with a ' before it where a spreadsheet would take it for a formula
 */
import type { Json } from '../../tables/definition/record.ts';

/**
 * Spreadsheets calculate such a cell, signs of double width included. A negative decimal or long integer is a value,
 * and so is a moment before the year 0 or after 9999.
 */
const FORMULA =
  /^(?!-\d+(\.\d+)?(E[+-]?\d+)?$)(?![+-]\d{6}-\d\d-\d\dT\d\d:\d\d:\d\d\.\d{3}Z$)[=+\-@＝＋－＠\t\r\n]/;

const TO_QUOTE = /[",\r\n]/;

/** A line of these cells; one of nothing at all would be no line to many readers. */
export const csvLine = (values: readonly (Json | undefined)[], keepFormulas: boolean): string =>
  `${values.map((value) => csvCell(value, keepFormulas)).join() || '""'}\r\n`;

export function csvCell(value: Json | undefined, keepFormulas: boolean): string {
  switch (typeof value) {
    case 'undefined':
      return '';
    case 'string':
      return quoted(!keepFormulas && FORMULA.test(value) ? `'${value}` : value);
    case 'object':
      return value === null ? '' : quoted(JSON.stringify(value));
    default:
      return String(value);
  }
}

const quoted = (text: string) => (TO_QUOTE.test(text) ? `"${text.replaceAll('"', '""')}"` : text);
