/**
 * The export routes, beside each search: all rows of one moment, as lines of JSON or as CSV.
 *
 *     rows as of F, some at a time ──► records ──► lines ──► the client, as fast as it takes them
 *
 * What fails on the way cuts the connection before the stream's end, so that a part cannot be taken
 * for the whole.
 */
import type { Timestamp } from 'mongodb';
import { printTime } from '../../mongo/clusterTime.ts';
import { compileExport, type ParsedExport, parseExport } from '../../query/export.ts';
import { typeName } from '../../query/schema.ts';
import type { Resource } from '../../resources/definition.ts';
import type { JsonSchema } from '../../resources/jsonSchema.ts';
import {
  type JoinedRow,
  type Presenter,
  present,
  type RecordContext,
} from '../../resources/record.ts';
import type { SearchView } from '../../resources/views.ts';
import { begun } from '../begun.ts';
import { csvHeader, csvLine } from '../csv.ts';
import type { Description } from '../description.ts';
import type { Permission, Route } from '../route.ts';
import { refusalsOf, type SearchServices, visibilityOf } from '../searching.ts';

/** How rows are written. */
interface Format {
  readonly type: string;
  readonly extension: string;
  /** What comes before the first row. */
  head(columns: readonly string[]): string;
  /** The lines of some rows. */
  lines(rows: readonly JoinedRow[], asked: ParsedExport, context: RecordContext): string;
}

/** `POST P/export` for the search at `path`, with its permission and its view. */
export function exportRoute<R extends Resource, K extends string>(
  path: string,
  permission: Permission,
  view: SearchView<R, K>,
  { allRows, parseSettings }: SearchServices,
): Route {
  const validate = compileExport(view);
  const { record, name } = view.resource;
  const formats = { 'application/x-ndjson': asLines(record), 'text/csv': asCsv(record) };
  const types = Object.keys(formats) as (keyof typeof formats)[];
  return {
    method: 'POST',
    path: `${path}/export`,
    permission,
    cost: 'export',
    body: 'jsonOrForm',
    query: 'ignored',
    description: describe(view as unknown as SearchView, validate.schema),
    async handle(ctx) {
      const { deadline, holdings } = ctx.state;
      const body = validate(ctx.request.body);
      const settings = await parseSettings(deadline);
      const parsed = parseExport(view, body, visibilityOf(view, ctx), settings);
      const accepted = ctx.accepts(...types) as keyof typeof formats | false;
      const format = formats[accepted || types[0]!];
      const all = await allRows.open(parsed.plan, deadline, {
        caller: holdings.caller,
        hold: (bytes) => holdings.hold('answers', bytes),
      });
      ctx.state.search = { view: `export ${view.name}`, route: all.route };
      const context = { catalogue: settings.catalogue, options: parsed.options };
      const pieces = written(all.rows, format, parsed, context);
      const stream = await begun(pieces, deadline, 1);
      stream.once('close', () => all.end());
      ctx.body = stream;
      ctx.vary('Accept');
      ctx.attachment(`${name}-${fileTime(all.asOf)}.${format.extension}`);
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
  format: Format,
  asked: ParsedExport,
  context: RecordContext,
): AsyncGenerator<string, void, void> {
  // With the first rows: until they are there, a failure is still answered.
  let before = format.head(asked.columns);
  for await (const some of rows) {
    if (some.length === 0) continue;
    yield before + format.lines(some, asked, context);
    before = '';
  }
  if (before !== '') yield before;
}

type Presenters = Readonly<Record<string, Presenter>>;

/** A record a line; members in the order of the columns. */
function asLines(record: Presenters): Format {
  return {
    type: 'application/x-ndjson',
    extension: 'ndjson',
    head: () => '',
    lines(rows, { columns }, context) {
      const asked = Object.fromEntries(columns.map((name) => [name, record[name]!]));
      let text = '';
      for (const row of rows) text += `${JSON.stringify(present(asked, row, context))}\n`;
      return text;
    },
  };
}

function asCsv(record: Presenters): Format {
  return {
    type: 'text/csv; charset=utf-8; header=present',
    extension: 'csv',
    head: csvHeader,
    lines(rows, { columns, keepFormulas }, context) {
      const presenters = columns.map((name) => record[name]!);
      let text = '';
      for (const row of rows) {
        const cells = presenters.map((of) => of(row, context));
        text += csvLine(cells, keepFormulas);
      }
      return text;
    },
  };
}

/** The second of a cluster time, without what file systems do not take. */
const fileTime = (asOf: Timestamp) =>
  new Date(asOf.getHighBitsUnsigned() * 1_000).toISOString().slice(0, 19).replaceAll(':', '-') +
  'Z';

function describe(view: SearchView, schema: JsonSchema): Description {
  const columns = Object.keys(view.resource.record);
  return {
    id: `export${typeName(view)}`,
    group: 'Exports',
    summary: `Export: ${view.name}`,
    text:
      'All rows of one moment in the order asked for, streamed. A stream that is cut before its proper end ' +
      'is a part. As a form (fields `request`, `access_token`, `accept`) a browser can save it as it comes.',
    request: {
      schema,
      examples: { 'All of it': {}, 'Two columns': { columns: columns.slice(0, 2) } },
    },
    answers: {
      200: {
        text: 'The rows, in the form that `Accept` asks for.',
        headers: ['Search-Route', 'Search-As-Of', 'Search-Total', 'Content-Disposition'],
        content: {
          'application/x-ndjson': { type: 'string', description: 'A record a line.' },
          'text/csv': { type: 'string', description: 'RFC 4180, with a header line.' },
        },
      },
    },
    problems: refusalsOf(view),
  };
}
