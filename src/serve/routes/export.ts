/**
 * The export routes, beside each search: all rows of one moment, as lines of JSON or as CSV.
 *
 *     rows as of F, some at a time ──► records ──► lines ──► the client, as fast as it takes them
 *
 * An error on the way cuts the connection before the stream's end, so that nobody takes a part for the
 * whole. So does the end of the caller's right, within a second.
 */
import type { Timestamp } from 'mongodb';
import { loop } from '../../loop.ts';
import { printTime } from '../../store/clusterTime.ts';
import { tableName } from '../../tables/definition/definition.ts';
import type { JsonSchema } from '../../tables/definition/jsonSchema.ts';
import { type JoinedRow, type Json, present } from '../../tables/definition/record.ts';
import type { SearchView } from '../../tables/definition/view.ts';
import { compileExport, parseExport } from '../../tables/explore/export.ts';
import { typeName } from '../../tables/query/schema.ts';
import type { Step } from '../../tables/rows/momentReader.ts';
import { streamed } from '../answer/streamed.ts';
import type { Description } from '../description.ts';
import { csvLine } from '../export/csv.ts';
import { acceptedType } from '../request/acceptedType.ts';
import { isForm } from '../request/body.ts';
import type { Permission, Route } from '../route.ts';
import { KINDS, refusalsOf, type SearchServices, viewerOf } from '../searching.ts';

/** `POST P/export` for the search at `path`, with its permission and its view. */
export function exportRoute(
  path: string,
  permission: Permission,
  view: SearchView,
  { allRows, rights, parseSettings }: SearchServices,
): Route {
  const validate = compileExport(view);
  const { record, name } = view.resource;
  const formats: readonly Format[] = Object.values(FORMATS);
  const types = formats.map(({ type }) => type);
  return {
    ...{ ...KINDS.export, path: `${path}/export`, permission },
    description: describe(view, validate.schema),
    async handle(ctx) {
      const { deadline, holdings, principal } = ctx.state;
      const body = validate(ctx.request.body);
      const settings = await parseSettings(deadline);
      const parsed = parseExport(view, body, viewerOf(ctx), settings);
      // Types are offered with their parameters, which a caller may ask for as well.
      const accepted = acceptedType(ctx, ...types);
      const format = formats.find(({ type }) => type === accepted) ?? formats[0]!;
      const { columns: names, keepFormulas } = parsed;
      const shown = Object.fromEntries(names.map((member) => [member, record[member]!]));
      const step: Step = (work) => holdings.step(work);
      const all = await allRows.open(parsed.plan, Object.values(shown), deadline, {
        caller: holdings.caller,
        step,
        hold: (bytes) => holdings.hold('answers', bytes),
        readLarge: (bytes, read) => holdings.readLarge(bytes, read),
      });
      ctx.state.search = { view: `export ${view.name}`, route: all.route };
      const context = { labels: settings.labels, options: parsed.options };
      const line = (row: JoinedRow) =>
        format.line(present(shown, row, context), names, keepFormulas);
      const head = format.head(names, isForm(ctx.req.headers['content-type']));
      const pieces = written(all.rows, head, line, step);
      const right = { permission, principal, params: ctx.params };
      ctx.body = await streamed(ctx, right, { pieces, end: () => all.end() }, rights);
      ctx.vary('Accept');
      ctx.attachment(`${tableName(name)}-${fileTime(all.asOf)}.${format.extension}`);
      ctx.set({
        'Content-Type': format.type,
        'Search-Route': all.route,
        'Search-As-Of': printTime(all.asOf),
        'Search-Total': String(all.total),
      });
    },
  };
}

async function* written(
  rows: AsyncIterable<readonly JoinedRow[]>,
  head: string,
  line: (row: JoinedRow) => string,
  step: Step,
): AsyncGenerator<Uint8Array, void, void> {
  // With the first rows: until they are there, a failure is still answered.
  let before = head;
  for await (const some of rows) {
    for (let at = 0; at < some.length; ) {
      yield await step(() => {
        const mayGoOn = loop.piece();
        let lines = before;
        before = '';
        do lines += line(some[at++]!);
        while (at < some.length && mayGoOn());
        return Buffer.from(lines);
      });
    }
  }
  if (before !== '') yield Buffer.from(before);
}

/** The second of a cluster time, without characters that file systems refuse. */
const fileTime = (asOf: Timestamp) =>
  new Date(asOf.getHighBitsUnsigned() * 1_000).toISOString().slice(0, 19).replaceAll(':', '-') +
  'Z';

/** The answers of every export. */
export const EXPORTED: Description['answers'] = {
  200: {
    text: 'The rows, in the format that `Accept` names.',
    headers: ['Search-Route', 'Search-As-Of', 'Search-Total', 'Content-Disposition'],
    content: {
      'application/x-ndjson': { type: 'string', description: 'A record a line.' },
      'text/csv': { type: 'string', description: 'RFC 4180, with a header line.' },
    },
  },
};

function describe(view: SearchView, schema: JsonSchema): Description {
  const columns = Object.keys(view.resource.record);
  return {
    id: `export${typeName(view)}`,
    group: 'Exports',
    summary: `Export: ${view.name}`,
    text:
      'Streams all rows of one moment in the requested order. A stream that breaks before its proper end ' +
      'is incomplete. A browser can send a form (`request`, `access_token`, `accept`) and save the answer.',
    request: {
      schema,
      examples: { 'All rows': {}, 'Two columns': { columns: columns.slice(0, 2) } },
    },
    answers: EXPORTED,
    problems: refusalsOf(view),
  };
}

/** The members of a row's record that are shown; some rows lack some. */
type Members = Readonly<Record<string, Json>>;

/** A form in which rows are written. */
interface Format {
  readonly type: string;
  readonly extension: string;
  /**
   * The text before the first row.
   *
   * @param isSaved whether a browser saves it as a file
   */
  head(names: readonly string[], isSaved: boolean): string;
  /** @param keepFormulas whether text stays that spreadsheets would take for formulas */
  line(shown: Members, names: readonly string[], keepFormulas: boolean): string;
}

const BYTE_ORDER_MARK = '\ufeff';

export const FORMATS = {
  'application/x-ndjson': {
    type: 'application/x-ndjson',
    extension: 'ndjson',
    head: () => '',
    line: (shown) => `${JSON.stringify(shown)}\n`,
  },
  'text/csv': {
    type: 'text/csv; charset=utf-8; header=present',
    extension: 'csv',
    // Without its mark Excel does not take a file for UTF-8, and programs take the mark for a part of a name.
    head: (names, isSaved) => (isSaved ? BYTE_ORDER_MARK : '') + csvLine(names, true),
    line: (shown, names, keepFormulas) =>
      csvLine(
        names.map((name) => shown[name]),
        keepFormulas,
      ),
  },
} as const satisfies Readonly<Record<string, Format>>;
