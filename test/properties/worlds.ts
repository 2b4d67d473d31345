/**
 * Random worlds: documents of all four collections, some dirty, in several scripts, with many ties,
 * and random valid requests on all seven views. Small on purpose: a fault shows with few documents.
 */
import fc from 'fast-check';
import {
  BSONRegExp,
  Code,
  Decimal128,
  Double,
  Long,
  MaxKey,
  MinKey,
  ObjectId,
  Timestamp,
  UUID,
} from 'mongodb';

// biome-ignore lint/suspicious/noExplicitAny: stored documents hold anything
export type Stored = Record<string, any>;

export interface GeneratedWorld {
  readonly users: readonly Stored[];
  readonly projects: readonly Stored[];
  readonly schedules: readonly Stored[];
  readonly tasks: readonly Stored[];
}

export interface GeneratedRequest {
  readonly view: string;
  readonly caller: number;
  readonly filters: Readonly<Record<string, unknown>>;
  readonly pagination: { readonly page?: number; readonly per_page?: number };
  readonly sorting: { readonly sort_by?: string; readonly sort_order?: 'asc' | 'desc' };
}

/** An explore: a request with conditions and counts. */
export interface GeneratedExplore extends GeneratedRequest {
  readonly select?: readonly Stored[];
  readonly baseline?: readonly Stored[];
  readonly facets?: readonly Stored[];
  readonly histogram?: Stored;
  readonly stats?: readonly Stored[];
  /** A list in place of `sorting`. */
  readonly sorts?: readonly Stored[];
}

/** Letters that are the same as others, or nearly; signs that mean something to patterns. */
export const LETTERS = [...'aAkK\u212asSſßẞéÉe\u0301Σςσ😀\ufffdЖжİıi漢12-%._*\\($ \0'];

const letter = fc.constantFrom(...LETTERS);
const word = fc.array(letter, { maxLength: 4 }).map((letters) => letters.join(''));
const searchable = word.map((text) => text.replaceAll('\0', ''));

const PROJECT_IDS = [1, 2, 3, 4].map(
  (n) => `${'abcd'[n - 1]}${n}0e5a1e-00ab-4c00-8d00-00000000000${n}`,
);
export const PATH_PROJECT = PROJECT_IDS[0]!;

const RARE = [
  ...[new Date(5), new ObjectId('65f00000000000000000000a'), new UUID(PROJECT_IDS[0]!)],
  ...[new MinKey(), new MaxKey(), new Timestamp({ t: 2, i: 1 })],
  ...[new Code('ann'), new BSONRegExp('a', 'i'), [['a']], { a: [1, { b: null }] }],
  ...['7', '12.50', 'NaN', '-7.25'].map((text) => Decimal128.fromString(text)),
];

/** A value as it should be, or now and then one as it should not. */
const soiled = <T>(clean: fc.Arbitrary<T>): fc.Arbitrary<unknown> =>
  fc.oneof(
    { weight: 12, arbitrary: clean },
    {
      weight: 1,
      arbitrary: fc.oneof(
        fc.constantFrom<unknown>(undefined, null, 7, true, { a: 1 }, Number.NaN),
        fc.constantFrom(...RARE),
        fc.array(fc.oneof(clean, word, fc.constant(null)), { maxLength: 3 }),
      ),
    },
  );

const date = fc.oneof(
  fc.constant(null),
  fc.integer({ min: 0, max: 4 }).map((n) => new Date(n * 1000)),
  // Around changes of the clock: Berlin and New York, and the day that Apia left out.
  fc
    .tuple(
      fc.constantFrom('2026-03-29T01:00Z', '2026-10-25T00:30Z', '2026-11-01T06:00Z'),
      fc.integer({ min: -40, max: 40 }),
    )
    .map(([around, quarters]) => new Date(Date.parse(around) + quarters * 900_000)),
  fc
    .integer({ min: -50, max: 50 })
    .map((hours) => new Date(Date.parse('2011-12-30T10:00Z') + hours * 3_600_000)),
  // The first and the last date that four digits can write, and one before the epoch.
  fc
    .constantFrom('0001-01-01T00:00Z', '9999-12-31T23:59:59.999Z', '1969-12-31T23:59:59.999Z')
    .map((text) => new Date(text)),
);
const number = fc.oneof(
  fc.integer({ min: -2, max: 12 }),
  fc.integer({ min: -2, max: 12 }).map((n) => Long.fromNumber(n)),
  fc.constantFrom<unknown>(new Double(-0), 0.5, Number.NaN, Number.POSITIVE_INFINITY),
  // Integers that no double is equal to.
  fc
    .constantFrom('9007199254740993', '-9007199254740993', '9223372036854775807')
    .map((text) => Long.fromString(text)),
  fc.constantFrom('2', '0.50', '-0').map((text) => Decimal128.fromString(text)),
  fc.constantFrom(2 ** 53, 2 ** 63, Number.MAX_VALUE, Number.MIN_VALUE),
);
const TYPES = ['system_backup', 'housekeeping', 'sync_ldap', 'unheard_of'];
const type = fc.constantFrom(...TYPES);
const scope = fc.constantFrom('project', 'project', 'system', 'backup_infrastructure');
const projectId = fc.oneof(fc.constantFrom(...PROJECT_IDS), fc.constant(null));
const status = fc.constantFrom('SUCCESS', 'FAILURE', 'STARTED');
const email = word.map((text) => `${text}@x`);

const record = (model: Readonly<Record<string, fc.Arbitrary<unknown>>>) => fc.record(model);
const soiledRecord = (model: Readonly<Record<string, fc.Arbitrary<unknown>>>) =>
  record(Object.fromEntries(Object.entries(model).map(([name, value]) => [name, soiled(value)])));

/** Members that are undefined are missing. */
const stored = (document: Stored): Stored =>
  Object.fromEntries(Object.entries(document).filter(([, value]) => value !== undefined));

const CALLERS = [1, 2, 3];
const numbered = (n: number, kind: number) =>
  kind === 0 ? Long.fromNumber(n) : kind === 1 ? new Double(n) : n;

const users = fc
  .array(
    fc.tuple(
      fc.nat(2),
      soiledRecord({
        email,
        first_name: word,
        last_name: word,
        language: fc.constantFrom('en', 'pt-BR', 'EN'),
        active: fc.boolean(),
        auth_groups: fc.array(fc.constantFrom('ops', 'dev', 'Ops', '😀'), { maxLength: 3 }),
        tc_creation: date,
        tc_update: date,
      }),
    ),
    { minLength: CALLERS.length, maxLength: 14 },
  )
  .map((drawn) =>
    drawn.map(([kind, document], i) => {
      const id = i + 1;
      if (id <= CALLERS.length) return stored({ ...document, _id: id, active: true });
      return stored({ ...document, _id: numbered(id * 3, kind) });
    }),
  );

const member = record({
  user_id: soiled(fc.oneof(fc.integer({ min: 1, max: 14 }), fc.constantFrom(12, 15, 18, 21))),
  role: fc.constantFrom('owner', 'member'),
}).map(stored);
const projects = fc
  .array(
    record({
      // A list of ids is left out: the index takes a list of one for the id itself.
      identifier: fc.oneof(projectId, fc.constantFrom<unknown>(undefined, 7)),
      name: soiled(word),
      type: soiled(fc.constantFrom('custom', 'demo', 'template')),
      members: fc.oneof(
        { weight: 9, arbitrary: fc.array(member, { maxLength: 4 }) },
        { weight: 1, arbitrary: fc.constantFrom<unknown>(undefined, null, [null, 'x']) },
      ),
      tc_creation: soiled(date),
      tc_update: soiled(date),
    }),
    { minLength: 1, maxLength: 8 },
  )
  .map((drawn) =>
    drawn.map((document, i) =>
      stored({
        ...document,
        _id: i + 1,
        config: { n: i + 1 },
        ...(i === 0 && { identifier: PATH_PROJECT, members: [{ user_id: 2, role: 'owner' }] }),
      }),
    ),
  );

const schedules = fc
  .array(
    soiledRecord({
      scope,
      project_id: projectId,
      enabled: fc.boolean(),
      folder: word,
      date_last_run_at: date,
      total_run_count: number,
      task_type: type,
      task_name: fc.oneof(
        type.map((value) => `service.tasks.${value}`),
        word,
      ),
      task_args: record({ user_email: soiled(email), other: fc.constant({ kept: 1 }) }).map(stored),
    }),
    { maxLength: 14 },
  )
  .map((drawn) =>
    drawn.map((document, i) =>
      stored({
        ...document,
        _id: `${'8f1c'[i % 4]}${i % 10}aa00e5-0000-4000-8000-${String(i).padStart(12, '0')}`,
      }),
    ),
  );

const tasks = fc
  .array(
    soiledRecord({
      task_id: fc.nat(9).map((n) => `${n}a5c0000-00ab-4c00-8d00-00000000000${n}`),
      scope,
      project_id: projectId,
      user_email: email,
      name: word,
      routing_key: type.map((value) => `service.${value}`),
      task_type: type,
      folder: word,
      worker: word,
      status,
      exception_type: word,
      preserve: fc.boolean(),
      retries: number,
      date_queued: date,
      date_started: date,
      date_done: date,
    }),
    { maxLength: 24 },
  )
  .map((drawn) =>
    drawn.map((document, i) => {
      // The store refuses two arrays in the members of one of its indexes.
      const parallel = Array.isArray(document.status) && Array.isArray(document.scope);
      return stored({ ...document, ...(parallel && { status: 'SUCCESS' }), _id: i + 1 });
    }),
  );

export const anyWorld: fc.Arbitrary<GeneratedWorld> = fc.record({
  users,
  projects,
  schedules,
  tasks,
});

/** Pieces of stored texts, labels and names with their letters in another case, and random text. */
const query = fc.oneof(
  { weight: 4, arbitrary: searchable },
  {
    weight: 3,
    arbitrary: fc.constantFrom(
      'a',
      'k',
      'S',
      '@X',
      'e',
      '1',
      '12',
      '-',
      '0e5',
      '00AB',
      'service',
      'system',
      'SYSTEM backup',
      'Sync ldap',
      'ſervice.taſkſ.houſekeeping',
      'fail',
      'b20e5',
      'unheard',
      'success',
      'bac\u212aup',
    ),
  },
);
const uuidOf = fc.oneof(
  fc.constantFrom(...PROJECT_IDS, PROJECT_IDS[1]!.toUpperCase()),
  fc.constant('00000000-0000-4000-8000-000000000000'),
);
const routingKeys = fc.array(
  fc.constantFrom(
    ' service.system_backup',
    'Sync LDAP',
    'service.housekeeping',
    ' ',
    'HOUSEKEEPING',
  ),
  { maxLength: 3 },
);
const scopes = fc.constantFrom('project', 'system', 'backup_infrastructure');
const nullable = (arbitrary: fc.Arbitrary<unknown>) => fc.option(arbitrary, { freq: 12 });
/** Up to three of the filters. */
const some = (model: Readonly<Record<string, fc.Arbitrary<unknown>>>): fc.Arbitrary<Stored> =>
  fc
    .tuple(fc.record(model), fc.subarray(Object.keys(model), { maxLength: 3 }))
    .map(([full, names]) => Object.fromEntries(names.map((name) => [name, full[name]])));

const projectFilters = some({
  q: nullable(query),
  project_id: nullable(fc.oneof(uuidOf, searchable)),
  project_name: nullable(query),
  user_email: nullable(query),
  type: nullable(fc.constantFrom('custom', 'demo', 'template')),
});
const scheduleFilters = {
  q: nullable(query),
  schedule_id: nullable(
    fc.constantFrom('81aa00e5-0000-4000-8000-000000000001', '80AA00E5-0000-4000-8000-000000000000'),
  ),
  user_email: nullable(query),
  enabled: nullable(fc.boolean()),
};

const VIEWS: Readonly<Record<string, readonly [fc.Arbitrary<Stored>, readonly string[]]>> = {
  'admin schedules': [
    some({ ...scheduleFilters, project_id: nullable(uuidOf), scope: nullable(scopes) }),
    ['schedule_id', 'project_id', 'date_last_run_at', 'total_run_count', 'enabled'],
  ],
  'project schedules': [
    some({
      ...scheduleFilters,
      project_id: nullable(fc.constantFrom(PATH_PROJECT, PATH_PROJECT.toUpperCase())),
      scope: nullable(fc.constant('project')),
    }),
    ['schedule_id', 'project_id', 'date_last_run_at', 'total_run_count', 'enabled'],
  ],
  'admin tasks': [
    some({
      q: nullable(query),
      task_id: nullable(fc.constantFrom('1a5c0000-00ab-4c00-8d00-000000000001', 'x')),
      project_id: nullable(uuidOf),
      project_name: nullable(query),
      user_email: nullable(query),
      scope: nullable(scopes),
      routing_keys: nullable(routingKeys),
      get_artifacts_metadata: fc.boolean(),
    }),
    ['id', 'date_started', 'date_queued', 'date_done'],
  ],
  'project tasks': [
    some({ q: nullable(query), user_email: nullable(query), routing_keys: nullable(routingKeys) }),
    ['id', 'date_started', 'date_queued', 'date_done'],
  ],
  users: [
    some({
      q: nullable(query),
      id: nullable(fc.integer({ min: -1, max: 20 })),
      email: nullable(
        fc.oneof(
          query,
          email.map((text) => text.replaceAll('\0', '')),
        ),
      ),
      active: nullable(fc.boolean()),
      first_name: nullable(query),
      last_name: nullable(query),
      language: nullable(fc.constantFrom('en', 'BR', 'EN')),
      match_type: fc.constantFrom('like', 'exact'),
    }),
    ['id', 'tc_creation', 'tc_update', 'email'],
  ],
  'own projects': [projectFilters, ['id', 'tc_creation', 'tc_update']],
  'admin projects': [projectFilters, ['id', 'tc_creation', 'tc_update']],
};

export const anyRequest: fc.Arbitrary<GeneratedRequest> = fc
  .constantFrom(...Object.keys(VIEWS))
  .chain((view) => {
    const [filters, sorts] = VIEWS[view]!;
    return fc.record({
      view: fc.constant(view),
      caller: view === 'own projects' ? fc.constantFrom(...CALLERS) : fc.constant(1),
      filters,
      pagination: fc.record(
        {
          page: fc.oneof(
            { weight: 9, arbitrary: fc.integer({ min: -1, max: 6 }) },
            fc.constantFrom(1_000, Number.MAX_SAFE_INTEGER),
          ),
          per_page: fc.integer({ min: -1, max: 12 }),
        },
        { requiredKeys: [] },
      ),
      sorting: fc.record(
        { sort_by: fc.constantFrom(...sorts), sort_order: fc.constantFrom('asc', 'desc') },
        { requiredKeys: [] },
      ),
    });
  }) as fc.Arbitrary<GeneratedRequest>;

interface Explored {
  readonly facets: readonly string[];
  readonly dates: readonly string[];
  readonly numbers: readonly string[];
  /** Fields, and labels, in which a text can be looked for. */
  readonly texts: readonly string[];
  /** Other fields to sort by. */
  readonly others: readonly string[];
}

/** The fields of each kind of record, by the questions that an explore can ask of them. */
export const EXPLORED: Readonly<Record<string, Explored>> = {
  tasks: {
    facets: [
      'status',
      'scope',
      'task_type',
      'routing_key',
      'name',
      'worker',
      'project_id',
      'user_email',
      'exception_type',
      'folder',
      'preserve',
    ],
    dates: ['date_queued', 'date_started', 'date_done'],
    numbers: ['retries', 'execution_time'],
    texts: ['task_id', 'project_id', 'project_name', 'routing_label', 'worker', 'status', 'name'],
    others: ['id', 'task_id', 'project_name'],
  },
  schedules: {
    facets: ['scope', 'enabled', 'task_type', 'project_id', 'user_email', 'folder'],
    dates: ['date_last_run_at'],
    numbers: ['total_run_count'],
    texts: ['schedule_id', 'project_id', 'project_name', 'user_email', 'task_label', 'task_name'],
    others: ['schedule_id', 'project_name', 'task_name'],
  },
  users: {
    facets: ['language', 'active', 'auth_groups'],
    dates: ['tc_creation', 'tc_update'],
    numbers: [],
    texts: ['email', 'first_name', 'language'],
    others: ['id', 'email', 'first_name', 'last_name'],
  },
  projects: {
    facets: ['type'],
    dates: ['tc_creation', 'tc_update'],
    numbers: [],
    texts: ['project_id', 'project_name', 'member_email'],
    others: ['id', 'project_id', 'project_name'],
  },
};

const selectedValue = fc.oneof(
  { weight: 6, arbitrary: fc.constantFrom('SUCCESS', 'FAILURE', 'project', 'en', 'ops', 'demo') },
  { weight: 3, arbitrary: fc.constantFrom(...TYPES, ...PROJECT_IDS) },
  { weight: 3, arbitrary: word },
  { weight: 3, arbitrary: fc.constantFrom<unknown>(null, true, false, 7, 0.5, '') },
);
/** As many values as a list may have. */
const FILLERS = Array.from({ length: 1_000 }, (_, n) => `w${n}`);
const moment = date.filter((value) => value !== null).map((value) => value!.toISOString());
/** Two bounds in order, one of which may be left out. */
const between = <T extends string | number>(bound: fc.Arbitrary<T>) =>
  fc
    .tuple(bound, bound, fc.constantFrom('both', 'from', 'to'))
    .filter(([a, b, which]) => which !== 'both' || a !== b)
    .map(([a, b, which]) => {
      const [from, to] = a < b ? [a, b] : [b, a];
      return which === 'both' ? { from, to } : which === 'from' ? { from } : { to };
    });

const conditionOn = (kind: string): fc.Arbitrary<Stored> => {
  const single = singleOn(kind);
  const any = fc.array(single, { minLength: 2, maxLength: 3 }).map((parts) => ({ any: parts }));
  return fc.oneof({ weight: 5, arbitrary: single }, any);
};

const singleOn = (kind: string): fc.Arbitrary<Stored> => {
  const text = query.filter((one) => one.trim() !== '');
  const free = fc
    .tuple(text, fc.constantFrom('text', 'not_text'))
    .map(([one, form]) => ({ [form]: one }));
  const within = fc
    .tuple(
      fc.constantFrom(...EXPLORED[kind]!.texts),
      text,
      fc.constantFrom('contains', 'not_contains'),
    )
    .map(([field, one, form]) => ({ field, [form]: one }));
  return fc.oneof({ weight: 4, arbitrary: valuesOrRange(kind) }, free, within);
};

const valuesOrRange = (kind: string): fc.Arbitrary<Stored> => {
  const { facets, dates, numbers } = EXPLORED[kind]!;
  const few = fc.array(selectedValue, { minLength: 1, maxLength: 4 });
  const many = few.map((list) => [...list, ...FILLERS.slice(list.length)]);
  const among = fc.oneof({ weight: 19, arbitrary: few }, many);
  const chosen = fc
    .tuple(fc.constantFrom(...facets), among, fc.boolean())
    .map(([field, list, without]) => ({ field, [without ? 'not_in' : 'in']: list }));
  const dated = fc
    .tuple(fc.constantFrom(...dates), between(moment))
    .map(([field, range]) => ({ field, ...range }));
  const nothing = fc
    .tuple(fc.constantFrom(...dates, ...numbers), fc.constantFrom('in', 'not_in'))
    .map(([field, form]) => ({ field, [form]: [null] }));
  if (numbers.length === 0) return fc.oneof({ weight: 3, arbitrary: chosen }, dated, nothing);
  const numbered = fc
    .tuple(fc.constantFrom(...numbers), between(fc.integer({ min: -3, max: 13 })))
    .map(([field, range]) => ({ field, ...range }));
  return fc.oneof({ weight: 3, arbitrary: chosen }, dated, numbered, nothing);
};

const ZONES = [
  'UTC',
  'Europe/Berlin',
  'America/New_York',
  'Asia/Kathmandu',
  'Pacific/Apia',
  'America/Havana',
];

const histogramOn = (kind: string): fc.Arbitrary<Stored> => {
  const { facets, dates } = EXPLORED[kind]!;
  const shape = fc.record(
    {
      field: fc.constantFrom(...dates),
      interval: fc.constantFrom('P1D', 'P1W', 'P1M', 'P6M', 'P1Y', 'auto'),
      min_buckets: fc.integer({ min: 1, max: 60 }),
      max_buckets: fc.integer({ min: 60, max: 200 }),
      time_zone: fc.constantFrom(...ZONES),
      until: fc.constantFrom(
        '2026-03-29T01:30:00Z',
        '2026-11-01T00:00:00.001Z',
        '1969-07-20T00:00:00Z',
      ),
      by: fc.constantFrom(...facets),
    },
    { requiredKeys: ['field'] },
  );
  const days = fc
    .tuple(
      fc.constantFrom('2026-03-28', '2026-10-24', '2026-10-31', '2011-12-28'),
      fc.integer({ min: 1, max: 80 }),
      fc.constantFrom(
        'PT1M',
        'PT5M',
        'PT10M',
        'PT30M',
        'PT1H',
        'PT2H',
        'PT6H',
        'P1D',
        'P2D',
        'P3W',
        'P2M',
        'P1Y',
      ),
      fc.constantFrom(...ZONES),
    )
    .map(([day, hours, interval, time_zone]) => {
      const from = Date.parse(`${day}T12:00Z`);
      const length = interval === 'PT1M' ? hours / 20 : interval === 'PT5M' ? hours / 4 : hours;
      const to = from + Math.ceil(length * 3_600_000);
      const iso = (time: number) => new Date(time).toISOString();
      return { interval, time_zone, from: iso(from), to: iso(to) };
    });
  return fc.tuple(shape, fc.option(days)).map(([one, narrow]) => ({ ...inYears(one), ...narrow }));
};

/** From the first date to the last are more than 500 days, weeks and months. */
const inYears = (histogram: Stored): Stored =>
  histogram.interval === undefined || histogram.interval === 'auto'
    ? histogram
    : { ...histogram, interval: 'P50Y' };

export const anyExplore: fc.Arbitrary<GeneratedExplore> = anyRequest.chain((request) => {
  const kind = request.view.split(' ').at(-1)!;
  const { facets, dates, numbers, others } = EXPLORED[kind]!;
  const facet = fc.record(
    {
      field: fc.constantFrom(...facets),
      limit: fc.integer({ min: 1, max: 4 }),
      contains: query,
      by: fc.constantFrom(...facets),
      order: fc.constantFrom('count', 'value'),
    },
    { requiredKeys: ['field'] },
  );
  const sort = fc.record(
    {
      sort_by: fc.constantFrom(...facets, ...dates, ...numbers, ...others),
      sort_order: fc.constantFrom('asc', 'desc'),
    },
    { requiredKeys: ['sort_by'] },
  );
  const several = { minLength: 1, maxLength: 3, selector: ({ sort_by }: Stored) => sort_by };
  const lifted = fc
    .tuple(facet, fc.option(fc.integer({ min: 1, max: 3 }), { nil: undefined }))
    .map(([one, least]) => ({
      ...{ ...one, order: 'lift' },
      ...(least !== undefined && { min_count: least }),
    }));
  const of = (one: fc.Arbitrary<Stored>) =>
    fc.uniqueArray(one, { maxLength: 4, selector: ({ field }) => field });
  const conditions = (most: number) => fc.array(conditionOn(kind), { maxLength: most });
  const counts = fc.oneof(
    { weight: 2, arbitrary: fc.record({ facets: of(facet) }, { requiredKeys: [] }) },
    fc.record({ facets: of(fc.oneof(facet, lifted)), baseline: conditions(2) }),
  );
  return fc
    .tuple(
      fc.record(
        {
          select: conditions(3),
          histogram: histogramOn(kind),
          sorts: fc.uniqueArray(sort, several),
          stats: fc.subarray([...dates, ...numbers]).map((all) => all.map((field) => ({ field }))),
        },
        { requiredKeys: [] },
      ),
      counts,
    )
    .map((more) => Object.assign({}, request, ...more));
}) as fc.Arbitrary<GeneratedExplore>;
