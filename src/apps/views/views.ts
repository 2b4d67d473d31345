/** Saved views as an application: names for addresses of the web UI, kept in one collection. */
import type { Application } from '../../serve/application.ts';
import { type Description, jsonAnswer } from '../../serve/description.ts';
import type { AppReference } from '../../serve/openapi/document.ts';
import type { Route, RouteContext } from '../../serve/route.ts';
import { closedObject, fullObject } from '../../tables/definition/jsonSchema.ts';
import { compileSchema, NOT_BLANK } from '../../tables/query/schema.ts';
import { CHANGED, callerOf } from '../changes/caller.ts';
import { Changes } from '../changes/changes.ts';
import { INDEXES, shownTo, VISIBILITIES, type ViewDocument } from './savedView.ts';
import { type Editor, type NewView, SavedViews, type ViewChange } from './savedViews.ts';

/** @param audited whether the service keeps an audit trail */
export const views = (collection: string, audited: boolean): Application => ({
  ...{ resources: {}, labels: {}, pages: [] },
  databaseIndexes: { [collection]: INDEXES },
  reference: REFERENCE,
  sees: () => false,
  routes({ search, ...engine }) {
    const changes = new Changes({ db: engine.db, resources: {}, written: search });
    return viewRoutes(new SavedViews({ ...engine, changes, collection, audited }));
  },
});

const TEXT = { type: 'string' } as const;
const TIME = { type: 'string', format: 'date-time' } as const;

/** Members that a caller may set. */
const SETTABLE = {
  name: {
    ...TEXT,
    maxLength: 80,
    pattern: NOT_BLANK,
    searchable: true,
    description: 'A text that is not blank, without NUL.',
  },
  description: { ...TEXT, maxLength: 500, searchable: true },
  address: {
    ...TEXT,
    maxLength: 2_000,
    pattern: '^(?!\\?)[!"$-~]*$',
    description:
      "The query of the web UI's address, percent-encoded and without its question mark.",
  },
  visibility: {
    enum: VISIBILITIES,
    description: 'Who sees it; `private` by default. `everyone` is for admins.',
  },
  project_id: {
    type: ['string', 'null'],
    description: 'The project, where `visibility` is `project`.',
  },
  is_default: {
    type: 'boolean',
    description: 'Whether the table opens with it. The default before is one no longer.',
  },
} as const;
const TABLE = {
  ...TEXT,
  maxLength: 32,
  description: 'The name of a table that the caller may see.',
} as const;

const validateNew = compileSchema<NewView>({
  title: 'NewSavedView',
  ...closedObject({ table: TABLE, ...SETTABLE }, ['table', 'name', 'address']),
});
const validateChange = compileSchema<ViewChange>({
  title: 'SavedViewChange',
  ...closedObject(SETTABLE),
});

const VIEW = {
  title: 'SavedView',
  ...fullObject({
    view_id: { type: 'string', format: 'uuid' },
    table: TEXT,
    ...{ name: TEXT, description: TEXT, address: TEXT },
    visibility: { enum: VISIBILITIES },
    project_id: { type: ['string', 'null'] },
    is_default: { type: 'boolean' },
    owner: { ...TEXT, description: 'The `sub` of the token that made it.' },
    mine: { type: 'boolean', description: 'Whether the caller is the owner.' },
    ...{ tc_creation: TIME, tc_update: TIME },
  }),
};

const REFERENCE: AppReference = {
  parameters: {
    view_id: { example: '0193f0a5-6f0e-7c4b-9d1e-2b7a54c0de11' },
  },
  groups: { Views: 'Saved views of tables: private, of a project, or for everyone.' },
};

const describe = (
  about: Pick<Description, 'id' | 'summary' | 'answers'> & Partial<Description>,
): Description => ({ group: 'Views', ...about });

const EXAMPLE = {
  table: 'tasks',
  name: 'Failures of last night',
  address: 'status=FAILURE',
};

const LISTED = describe({
  id: 'listViews',
  summary: 'List the views that the caller may see',
  text: "Everyone's views, the caller's own, then those of projects, the newest first; at most 500.",
  answers: {
    200: jsonAnswer('The views.', fullObject({ records: { type: 'array', items: VIEW } })),
  },
});
const CREATED = describe({
  id: 'createView',
  summary: 'Save a view',
  text: 'At most 100 for one owner, one project, and everyone. Only admins may save one for everyone.',
  request: { schema: validateNew.schema, examples: { 'Keep a search': EXAMPLE } },
  answers: { 201: jsonAnswer('The view.', VIEW, CHANGED) },
  problems: ['Forbidden'],
});
const CHANGE = describe({
  id: 'changeView',
  summary: 'Change a view',
  text: "The owner and admins may; everyone's views only admins. A private view of another is 404.",
  request: { schema: validateChange.schema, examples: { 'Open with it': { is_default: true } } },
  answers: { 200: jsonAnswer('The view as it is now.', VIEW, CHANGED) },
  problems: ['Forbidden', 'NotFound'],
});
const REMOVAL = describe({
  id: 'deleteView',
  summary: 'Delete a view',
  text: "The owner and admins may; everyone's views only admins. A private view of another is 404.",
  answers: { 204: { text: 'The view is deleted.', headers: CHANGED } },
  problems: ['Forbidden', 'NotFound'],
});

const PATH = '/api/v2/views';
const OF_ONE = `${PATH}/:view_id`;

/** List, create, change and delete saved views. */
function viewRoutes(views: SavedViews): Route[] {
  const show = (ctx: RouteContext, view: ViewDocument) => shownTo(ctx.state.principal.sub, view);
  const editorOf = (ctx: RouteContext): Editor => ({
    ...callerOf(ctx),
    principal: ctx.state.principal,
  });
  return [
    {
      ...{ method: 'GET', path: PATH, permission: 'user', cost: 'reads' },
      description: LISTED,
      async handle(ctx) {
        const { principal, deadline, holdings } = ctx.state;
        const found = await holdings.run('reads', () => views.list(principal, deadline));
        ctx.body = { records: found.map((view) => show(ctx, view)) };
      },
    },
    {
      ...{ method: 'POST', path: PATH, permission: 'user', cost: 'change', body: 'json' },
      description: CREATED,
      async handle(ctx) {
        const body = validateNew(ctx.request.body);
        ctx.body = show(ctx, await views.create(editorOf(ctx), body));
        ctx.status = 201;
      },
    },
    {
      ...{ method: 'PATCH', path: OF_ONE, permission: 'user', cost: 'change', body: 'json' },
      description: CHANGE,
      async handle(ctx) {
        const body = validateChange(ctx.request.body);
        ctx.body = show(ctx, await views.change(editorOf(ctx), ctx.params.view_id!, body));
      },
    },
    {
      ...{ method: 'DELETE', path: OF_ONE, permission: 'user', cost: 'change' },
      description: REMOVAL,
      async handle(ctx) {
        await views.remove(editorOf(ctx), ctx.params.view_id!);
        ctx.status = 204;
      },
    },
  ];
}
