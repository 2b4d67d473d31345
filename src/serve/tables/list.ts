/** `GET /api/v2/tables`: the tables that the caller may see, with all that a page is built of. */
import type { Deadline } from '../../store/deadline.ts';
import { COUNT, fullObject, type JsonSchema } from '../../tables/definition/jsonSchema.ts';
import type { Viewer } from '../../tables/definition/view.ts';
import { askableFields } from '../../tables/explore/askable.ts';
import {
  type DescribedField,
  FIELD_TYPES,
  FILE_USES,
  LOOKS,
  type TableShown,
} from '../../tables/file/index.ts';
import { parseSearch } from '../../tables/query/parse.ts';
import type { Caller } from '../../tables/search/quota.ts';
import type { Engine } from '../application.ts';
import { type Description, jsonAnswer } from '../description.ts';
import type { Route } from '../route.ts';
import { viewerOf } from '../searching.ts';
import type { Granted, Grants } from './grants.ts';

/** Parts that not every service has. */
export interface Has {
  /** `BUILT_IN_TABLES` */
  readonly builtIn: boolean;
  /** `VIEWS_COLLECTION` */
  readonly views: boolean;
}

type Services = Pick<Engine, 'search' | 'parseSettings' | 'unavailable'>;

export function listRoute(grants: Grants, has: Has, services: Services): Route {
  return {
    method: 'GET',
    path: '/api/v2/tables',
    permission: 'user',
    cost: 'search',
    fromMemory: true,
    description: DESCRIPTION,
    async handle(ctx) {
      const { principal, deadline, holdings, confirmRights } = ctx.state;
      await confirmRights?.();
      const all = grants.allOf(principal);
      const seen = new Set(all.map(({ table }) => table.name));
      const data: object[] = [];
      for (const granted of all) {
        const count = await counted(granted, viewerOf(ctx), deadline, holdings.caller, services);
        const { name, title } = granted.table;
        const { document } = granted.grant;
        const { resource, filters } = granted.grant.view;
        data.push({
          ...{ name, title, count, path: searchPath(name), key: resource.key },
          ...shown(granted.grant, seen),
          ...{ filters, ...askableFields(resource), documents: document },
        });
      }
      ctx.body = { data, meta: { built_in_tables: has.builtIn, saved_views: has.views } };
    },
  };
}

const searchPath = (table: string) => `/api/v2/tables/${table}/search`;

/** The rows that the caller may see; null while counting them would read the collection. */
async function counted(
  { grant: { view } }: Granted,
  viewer: Viewer,
  deadline: Deadline,
  caller: Caller,
  { search, parseSettings, unavailable }: Services,
): Promise<number | null> {
  if (unavailable(view.resource)) return null;
  const settings = await parseSettings(deadline);
  const body = { pagination: { per_page: 1 } };
  const { plan } = parseSearch(view, body, viewer, settings);
  return (await search.run(plan, deadline, caller)).total;
}

function shown(
  { fields, text, facets, sorts, sort: { by, descending }, columns, window }: TableShown,
  seen: ReadonlySet<string>,
) {
  const described = Object.entries(fields).map(([name, field]) => [name, shownField(field, seen)]);
  return {
    fields: Object.fromEntries(described),
    ...{ text, facets, sorts, columns },
    default_sort: { sort_by: by, sort_order: descending ? 'desc' : 'asc' },
    window: window ? { field: window.field ?? null, span: window.span } : null,
  };
}

/** A label leads to a table only where the caller may see that table. */
function shownField(field: DescribedField, seen: ReadonlySet<string>) {
  const { kind, title, look, uses } = field;
  const type = kind === 'stored' ? field.type : kind === 'label' ? 'string' : 'seconds';
  const leads = kind === 'label' && field.key === 'id' && seen.has(field.of);
  return {
    type,
    several: kind === 'stored' && field.several === true,
    ...{ title, uses },
    look: look ?? null,
    label_of: leads ? { table: field.of, through: field.through } : null,
  };
}

const TEXT: JsonSchema = { type: 'string' };
const TEXTS: JsonSchema = { type: 'array', items: TEXT };

const FIELD: JsonSchema = {
  title: 'TableField',
  ...fullObject({
    type: { enum: [...FIELD_TYPES, 'seconds'] },
    several: { type: 'boolean', description: 'Whether a document may hold several values.' },
    title: TEXT,
    uses: { type: 'array', items: { enum: FILE_USES } },
    look: {
      description: 'How the value looks to people; null for the usual look of its type.',
      anyOf: [
        { enum: LOOKS },
        fullObject({ link: TEXT }),
        fullObject({ money: TEXT }),
        { type: 'null' },
      ],
    },
    label_of: {
      description: 'For a label: the table that it comes from, if the caller may see that table.',
      anyOf: [fullObject({ table: TEXT, through: TEXT }), { type: 'null' }],
    },
  }),
};

const TABLE: JsonSchema = {
  title: 'TableDescription',
  ...fullObject({
    name: TEXT,
    title: TEXT,
    count: {
      anyOf: [COUNT, { type: 'null' }],
      description: 'Rows that the caller may see; null while the index cannot tell.',
    },
    path: { type: 'string', description: 'Where the search stands.' },
    key: { type: 'string', description: 'The field that names a row.' },
    fields: { type: 'object', additionalProperties: FIELD },
    text: TEXTS,
    facets: TEXTS,
    filters: { ...TEXTS, description: 'Members of `filters`.' },
    select: { ...TEXTS, description: 'Fields that conditions can be on.' },
    values: { ...TEXTS, description: 'Those of them whose values conditions can list.' },
    ranges: {
      type: 'object',
      additionalProperties: { enum: ['date', 'number'] },
      description: 'Those of them that take a range.',
    },
    contains: { ...TEXTS, description: 'Fields in which conditions can look for a text.' },
    times: { ...TEXTS, description: 'Fields that can be counted by time.' },
    stats: { ...TEXTS, description: 'Fields that have statistics.' },
    sorts: { ...TEXTS, description: 'Fields that a search sorts by.' },
    orders: { ...TEXTS, description: 'Fields that an explore and an export sort by.' },
    columns: TEXTS,
    default_sort: fullObject({ sort_by: TEXT, sort_order: { enum: ['asc', 'desc'] } }),
    window: {
      description: 'Only documents of this span before now are rows; null where all are.',
      anyOf: [
        fullObject({
          field: {
            type: ['string', 'null'],
            description: 'The date that decides; null where it is hidden from the caller.',
          },
          span: {
            type: 'string',
            description: 'Hours, days or weeks, such as `12h`, `90d`, `8w`.',
          },
        }),
        { type: 'null' },
      ],
    },
    documents: { type: 'boolean', description: 'Whether the caller may read whole documents.' },
  }),
};

const DESCRIPTION: Description = {
  id: 'listTables',
  group: 'Tables',
  summary: 'List the tables that the caller may see',
  answers: {
    200: jsonAnswer(
      'The tables.',
      fullObject({
        data: { type: 'array', items: TABLE },
        meta: fullObject({
          built_in_tables: {
            type: 'boolean',
            description: 'Whether the service has the built-in tables as well.',
          },
          saved_views: { type: 'boolean', description: 'Whether the service keeps saved views.' },
        }),
      }),
    ),
  },
};
