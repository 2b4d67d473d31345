/** Projects, to which tasks and schedules belong, with the users who are members. */
import { defineResource, related, stored } from '../../../tables/definition/definition.ts';
import { shownList } from '../../../tables/definition/joinedList.ts';
import { fullObject, TEXT_OR_NULL } from '../../../tables/definition/jsonSchema.ts';
import { asJson, asText, at, id, json, text } from '../../../tables/definition/record.ts';
import { users } from './users.ts';

const PROJECT_TYPES = ['custom', 'demo', 'template'] as const;

const MEMBER = {
  title: 'Member',
  ...fullObject({
    id: id('_id').schema,
    email: TEXT_OR_NULL,
    first_name: TEXT_OR_NULL,
    last_name: TEXT_OR_NULL,
    role: { ...TEXT_OR_NULL, description: '`owner` or `member`.' },
  }),
};

export const projects = defineResource({
  name: 'projects',
  collection: 'projects',
  key: 'id',
  keptLongest: true,
  fields: {
    id: stored('_id', 'number', 'sort', 'select', 'range'),
    project_id: stored('identifier', 'uuid', 'contains', 'equals', 'select'),
    project_name: stored('name', 'unique', 'contains', 'select'),
    type: stored('type', 'few', 'equals', 'facet'),
    member_ids: stored('members.user_id', 'many', 'equals'),
    member_email: related('member_ids', users, {
      key: 'id',
      text: 'email',
      keyType: 'number',
    }),
    tc_creation: stored('tc_creation', 'date', 'sort', 'range'),
    tc_update: stored('tc_update', 'date', 'sort', 'range'),
    config: stored('config', 'unique'),
    users: stored('members', 'unique'),
  },
  filters: {
    q: {
      kind: 'text',
      fields: ['project_id', 'project_name', 'member_email'],
      shown: { project_id: 'identifier', project_name: 'name', member_email: 'users' },
    },
    project_id: { kind: 'id', field: 'project_id' },
    project_name: { kind: 'contains', field: 'project_name' },
    user_email: { kind: 'contains', field: 'member_email' },
    type: { kind: 'enum', field: 'type', values: PROJECT_TYPES },
  },
  sorts: ['id', 'tc_creation', 'tc_update'],
  joins: [
    {
      as: 'members',
      by: 'member_email',
      shows: ['email', 'first_name', 'last_name'],
      one: false,
    },
  ],
  indexes: [
    // For permissions and joins of names. Without the `_id` in it, joins that want the lowest one may
    // walk the collection by `_id`.
    { key: { identifier: 1, _id: 1 }, selective: true },
    // For a user's own projects.
    { key: { 'members.user_id': 1, _id: 1 }, selective: true },
  ],
  record: {
    identifier: text('identifier'),
    name: text('name'),
    type: text('type'),
    config: json('config'),
    users: shownList(
      { type: 'array', items: MEMBER },
      {
        path: 'members',
        key: 'user_id',
        joined: 'members',
        related: {
          id: ({ _id }) => asJson(_id),
          email: ({ email }) => asText(email),
          first_name: ({ first_name: name }) => asText(name),
          last_name: ({ last_name: name }) => asText(name),
        },
        own: { role: (member) => asText(at(member, 'role')) },
      },
    ),
  },
});
