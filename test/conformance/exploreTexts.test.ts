/** Explore: conditions on text and alternatives of conditions, and the counts beside them. */
import { type Case, conform, type Hits } from './conform.ts';
import { ANA, BO, project, task, user, uuid } from './documents.ts';
import { facet, SCOPES } from './exploreCases.ts';

const selected = (
  name: string,
  select: readonly object[],
  ids: readonly unknown[],
  more: Partial<Hits> = {},
  body: object = {},
): Case => ({
  ...{ name, view: 'admin tasks', explore: true, body: { select, ...body } },
  expect: { ids, applied: { scope: SCOPES }, select, ...more },
});

const refused = (name: string, body: object, pointers: readonly string[]): Case => ({
  ...{ name, view: 'admin tasks', explore: true, body },
  expect: { status: 422, code: 'ValidationFailed', pointers },
});

const of = (n: number, changes = {}) => ({ scope: 'project', project_id: uuid(n), ...changes });
const TASKS = [
  task(1, of(1, { worker: 'gpu-Straße', status: 'FAILURE', task_type: 'system_backup' })),
  task(2, of(2, { worker: ['cpu', 'GPU-2'], status: 'SUCCESS' })),
  task(3, { worker: null, status: 'FAILURE', exception_type: 'TimeoutError' }),
  task(4, { worker: undefined, status: 'SUCCESS', folder: 'gpu' }),
  task(5, { worker: [], status: null }),
  task(6, { worker: 7, status: 'SUCCESS' }),
];
const WORLD = {
  projects: [project(1, { name: 'Vineyard' }), project(2, { name: 'Grapes' })],
  users: [user(1), user(ANA), user(BO)],
  tasks: TASKS,
};

conform('explore: conditions on text', WORLD, [
  selected('contains: any element, in any case', [{ field: 'worker', contains: 'GPU' }], [2, 1]),
  selected(
    'not_contains: null, missing, [] and numbers too',
    [{ field: 'worker', not_contains: 'gpu' }],
    [6, 5, 4, 3],
  ),
  selected('a label of values', [{ field: 'routing_label', contains: 'em Back' }], [1]),
  selected('not a label of values', [{ field: 'routing_label', not_contains: 'keeping' }], [1]),
  selected('a label that no value has', [{ field: 'routing_label', contains: 'nothing' }], []),
  selected('a related label', [{ field: 'project_name', contains: 'vine' }], [1]),
  selected(
    'not a related label',
    [{ field: 'project_name', not_contains: 'vine' }],
    [6, 5, 4, 3, 2],
  ),
  selected('text: all that q looks in', [{ text: 'gpu' }], [4, 2, 1]),
  selected('text: names of projects too', [{ text: 'GRAPES' }], [2]),
  selected('not_text', [{ not_text: 'gpu' }], [6, 5, 3]),
  selected(
    'several texts beside q',
    [{ text: 'vine' }, { not_text: 'grapes' }],
    [1],
    { applied: { q: 'failure', scope: SCOPES } },
    { filters: { q: 'failure' } },
  ),
  selected(
    'any, of every form',
    [{ any: [{ text: 'grapes' }, { field: 'worker', in: [7] }, { field: 'id', in: [5, 6] }] }],
    [6, 5, 2],
  ),
  selected(
    'any, with what does not hold',
    [{ any: [{ not_text: 'e' }, { field: 'worker', not_in: [null, 7, 'cpu'] }] }],
    [5, 1],
  ),
  selected(
    'a facet leaves out conditions on its field, and any where all are on it',
    [
      {
        any: [
          { field: 'status', in: ['FAILURE'] },
          { field: 'status', contains: 'fail' },
        ],
      },
      { field: 'worker', contains: 'gpu' },
    ],
    [1],
    {
      facets: [
        facet('status', ['FAILURE', 1], ['SUCCESS', 1]),
        facet('worker', [null, 1], ['gpu-Straße', 1]),
      ],
    },
    { facets: [{ field: 'status' }, { field: 'worker' }] },
  ),
  selected(
    'a facet heeds any on its field and another, and texts',
    [
      {
        any: [
          { field: 'status', in: ['FAILURE'] },
          { field: 'folder', in: ['gpu'] },
        ],
      },
      { not_text: 'TimeoutError' },
    ],
    [4, 1],
    {
      facets: [facet('status', ['FAILURE', 1], ['SUCCESS', 1])],
    },
    { facets: [{ field: 'status' }] },
  ),
  {
    name: 'within own projects, the emails of members',
    ...{ view: 'own projects', explore: true, as: ANA },
    body: { select: [{ field: 'member_email', not_contains: 'bo@' }] },
    expect: {
      ids: [uuid(2), uuid(1)],
      applied: {},
      select: [{ field: 'member_email', not_contains: 'bo@' }],
    },
  },
  {
    name: 'a baseline counts the rows of the path alone',
    ...{ view: 'project tasks', explore: true, within: uuid(1), as: ANA },
    body: {
      baseline: [{ any: [{ field: 'project_id', in: [uuid(2)] }, { text: 'gpu' }] }],
      facets: [{ field: 'worker' }],
    },
    expect: {
      ...{ ids: [1], applied: { project_id: uuid(1), scope: 'project' } },
      facets: [
        {
          ...{ field: 'worker', distinct: 1, rest: 0, total: 1, baseline_total: 1 },
          values: [{ value: 'gpu-Straße', count: 1, baseline: 1 }],
        },
      ],
    },
  },
  refused('a field without text', { select: [{ field: 'retries', contains: '1' }] }, [
    '/select/0/contains',
  ]),
  refused('blank texts', { select: [{ text: ' ' }, { field: 'worker', not_contains: '' }] }, [
    '/select/0/text',
    '/select/1/not_contains',
  ]),
  refused('a form without its field', { select: [{ contains: 'x' }] }, ['/select/0/field']),
  refused('a field beside a text', { select: [{ field: 'worker', text: 'x' }] }, [
    '/select/0/field',
  ]),
  refused('two forms', { select: [{ text: 'x', not_text: 'y' }] }, ['/select/0']),
  refused('one alternative', { select: [{ any: [{ text: 'x' }] }] }, ['/select/0/any']),
  refused(
    'alternatives within alternatives',
    { select: [{ any: [{ text: 'x' }, { any: [{ text: 'y' }, { text: 'z' }] }] }] },
    ['/select/0/any/1/any'],
  ),
  refused(
    'an alternative that cannot be',
    { select: [{ any: [{ field: 'retries', from: 2, to: 1 }, { field: 'worker' }] }] },
    ['/select/0/any/0/from', '/select/0/any/1'],
  ),
  refused(
    'more than fifty, alternatives counted',
    { select: Array(3).fill({ any: Array(17).fill({ text: 'x' }) }) },
    ['/select'],
  ),
]);
