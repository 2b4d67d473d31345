/**
 * The SQL of an explore: a page of ids, counts by value, counts by time.
 *
 *     one by one   each statement finds the search's rows again
 *     kept         the search's rows in a table of their own first, the statements over these
 *
 * A database is asked in both ways, and the quicker one counts. It is given the edges of buckets.
 */

/** A database that can be asked. */
export interface Counting {
  readonly name: string;
  readonly version: string;
  readonly dialect: Dialect;
  /** Runs statements one after the other; the rows of each, and the time of all. */
  run(statements: readonly string[]): Promise<{ ms: number; rows: unknown[][][] }>;
  close(): Promise<void>;
}

interface Dialect {
  /** Whether the joined text has a text. */
  has(text: string): string;
  /** Division without a rest. */
  whole(a: string, b: number): string;
  /** Makes a table of a selection. */
  keep(name: string, select: string): string;
}

interface Among {
  readonly column: string;
  readonly op: 'in' | 'not_in';
  readonly values: readonly string[];
}

export interface CountQuestion {
  /** Folded text that the joined column has; '' for any. */
  readonly text: string;
  /** Equalities of the search itself. */
  readonly equals: readonly Among[];
  /** Conditions, which counts of their own column leave out. */
  readonly conditions: readonly Among[];
  readonly facets: readonly string[];
  /** `edges`: where each bucket begins, then where the last one ends. */
  readonly histogram?: {
    readonly column: string;
    readonly edges: readonly number[];
    readonly by?: string;
  };
  readonly sortBy: string;
}

/** Counts as numbers and texts alone; '' stands for nothing. */
export interface CountAnswer {
  readonly total: number;
  readonly ids: readonly number[];
  /** `[value, count]` of the ten most frequent values, how many there are, and all their counts. */
  readonly facets: readonly {
    readonly values: readonly (readonly [string, number])[];
    readonly distinct: number;
    readonly all: number;
  }[];
  /** Counts by bucket, -1 for rows without a date, and by value of `by`. */
  readonly buckets: readonly (readonly [bucket: number, value: string, count: number])[];
}

export const PER_PAGE = 25;
const LISTED = 10;

/** Text between quotes. */
export const escaped = (text: string): string => text.replaceAll("'", "''");

const quoted = (text: string) => `'${escaped(text)}'`;

/** Asks in both ways; throws when they differ. */
export async function askCounts(
  peer: Counting,
  question: CountQuestion,
): Promise<CountAnswer & { readonly ms: number }> {
  const search = whereOf([
    ...(question.text === '' ? [] : [peer.dialect.has(question.text)]),
    ...question.equals.map(printed),
  ]);
  const oneByOne = await peer.run(statements(peer, question, `tasks ${search}`, search !== ''));
  const kept = await peer.run([
    peer.dialect.keep('hits', `SELECT ${columnsOf(question).join()} FROM tasks ${search}`),
    ...statements(peer, question, 'hits', false),
    'DROP TABLE hits',
  ]);
  const answers = [answerOf(question, oneByOne.rows), answerOf(question, kept.rows.slice(1, -1))];
  const [first, second] = answers.map((one) => JSON.stringify(one));
  if (first !== second) throw new Error(`${peer.name}: two ways, two answers\n${first}\n${second}`);
  return { ...answers[0]!, ms: Math.min(oneByOne.ms, kept.ms) };
}

const whereOf = (parts: readonly string[]) =>
  parts.length === 0 ? '' : `WHERE ${parts.join(' AND ')}`;

function printed({ column, op, values }: Among): string {
  return `${column} ${op === 'in' ? 'IN' : 'NOT IN'} (${values.map(quoted).join()})`;
}

function columnsOf({ conditions, facets, histogram, sortBy }: CountQuestion): string[] {
  const { column, by } = histogram ?? {};
  const named = [...conditions.map((one) => one.column), ...facets, column, by, sortBy, 'id'];
  return [...new Set(named.filter((one) => one !== undefined))];
}

function statements(
  { dialect }: Counting,
  { conditions, facets, histogram, sortBy }: CountQuestion,
  from: string,
  isNarrowed: boolean,
): string[] {
  const rows = (but?: string) => {
    const own = conditions.filter(({ column }) => column !== but).map(printed);
    if (own.length === 0) return from;
    return `${from} ${isNarrowed ? 'AND' : 'WHERE'} ${own.join(' AND ')}`;
  };
  const order = sortBy === 'id' ? 'id DESC' : `${sortBy} DESC, id DESC`;
  const asked = [
    `SELECT count(*) FROM ${rows()}`,
    `SELECT id FROM ${rows()} ORDER BY ${order} LIMIT ${PER_PAGE}`,
    ...facets.map(
      (column) =>
        `SELECT v, n, count(*) OVER () AS d, sum(n) OVER () AS a FROM ` +
        `(SELECT ${column} AS v, count(*) AS n FROM ${rows(column)} GROUP BY ${column}) AS f ` +
        `ORDER BY n DESC, v LIMIT ${LISTED}`,
    ),
  ];
  if (!histogram) return asked;
  const { column, edges, by } = histogram;
  const bucket = `CASE WHEN ${column} < 0 THEN -1 ELSE ${bucketOf(dialect, column, edges)} END`;
  const split = by === undefined ? "''" : by;
  asked.push(
    `SELECT b, v, count(*) AS n FROM (SELECT ${bucket} AS b, ${split} AS v FROM ${rows(column)}) AS h ` +
      'GROUP BY b, v',
  );
  return asked;
}

/** The bucket: by a division where buckets have one length, else by halving, like the pipeline. */
function bucketOf(dialect: Dialect, column: string, edges: readonly number[]): string {
  const [first = 0, second = 1] = edges;
  const length = second - first;
  if (edges.every((edge, i) => edge === first + i * length)) {
    return dialect.whole(`${column} - ${first}`, length);
  }
  const search = (low: number, high: number): string => {
    if (high - low === 1) return String(low);
    const middle = (low + high) >> 1;
    return `CASE WHEN ${column} < ${edges[middle]} THEN ${search(low, middle)} ELSE ${search(middle, high)} END`;
  };
  return search(0, edges.length - 1);
}

function answerOf({ facets, histogram }: CountQuestion, rows: unknown[][][]): CountAnswer {
  const [counted, shown, ...others] = rows;
  return {
    total: Number(counted![0]![0]),
    ids: shown!.map(([id]) => Number(id)),
    facets: facets.map((_, i) => {
      const found = others[i]!;
      return {
        values: found.map(([value, count]) => [String(value), Number(count)] as const),
        distinct: Number(found[0]?.[2] ?? 0),
        all: Number(found[0]?.[3] ?? 0),
      };
    }),
    buckets: histogram
      ? others
          .at(-1)!
          .map(([bucket, value, count]) => [Number(bucket), String(value), Number(count)] as const)
          .sort(([a, v], [b, w]) => a - b || (v < w ? -1 : 1))
      : [],
  };
}
