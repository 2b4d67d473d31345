/** Projects, to which tasks and schedules belong, with the users who are members. */
import { defineResource, related, stored } from '../../../tables/definition/definition.ts';
import { shownList } from '../../../tables/definition/joinedList.ts';
import { TEXT_OR_NULL } from '../../../tables/definition/jsonSchema.ts';
import { asText, at, id, json, shown, text } from '../../../tables/definition/record.ts';
import { users } from './users.ts';

const PROJECT_TYPES = ['custom', 'demo', 'template'] as const;

/** The role in a project, of an element of its members. */
const role = shown(
  { ...TEXT_OR_NULL, description: '`owner` or `member`.' },
  ['role'],
  ({ document }) => asText(at(document, 'role')),
);

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
    users: shownList({
      path: 'members',
      key: 'user_id',
      by: 'member_email',
      title: 'Member',
      related: {
        id: id('_id'),
        email: text('email'),
        first_name: text('first_name'),
        last_name: text('last_name'),
      },
      own: { role },
    }),
  },
});
