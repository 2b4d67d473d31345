/** Projects: what tasks and schedules belong to, with the users who are members. */
import { defineResource, related, stored } from './definition.ts';
import { fullObject, TEXT_OR_NULL } from './jsonSchema.ts';
import {
  asJson,
  asText,
  at,
  id,
  type JoinedRow,
  type Json,
  json,
  shownJoined,
  text,
} from './record.ts';
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
  fields: {
    id: stored('_id', 'number', 'sort', 'select'),
    project_id: stored('identifier', 'uuid', 'contains', 'equals', 'select'),
    project_name: stored('name', 'unique', 'contains'),
    type: stored('type', 'few', 'equals', 'facet'),
    member_ids: stored('members.user_id', 'repeating', 'equals'),
    member_email: related('member_ids', users, {
      key: 'id',
      text: 'email',
      keyType: 'number',
    }),
    tc_creation: stored('tc_creation', 'date', 'sort', 'range'),
    tc_update: stored('tc_update', 'date', 'sort', 'range'),
  },
  filters: {
    q: { kind: 'text', fields: ['project_id', 'project_name', 'member_email'] },
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
  record: {
    identifier: text('identifier'),
    name: text('name'),
    type: text('type'),
    config: json('config'),
    users: shownJoined({ type: 'array', items: MEMBER }, ['members'], memberUsers),
  },
});

/** The members in stored order; those whose user is gone are left out. */
function memberUsers({ document, joined }: JoinedRow): Json {
  const members = at(document, 'members');
  if (!Array.isArray(members)) return [];
  const byId = new Map(joined.members?.map((user) => [user._id, user]));
  return members.flatMap((member) => {
    const user = byId.get(at(member, 'user_id'));
    if (!user) return [];
    return {
      id: asJson(user._id),
      email: asText(user.email),
      first_name: asText(user.first_name),
      last_name: asText(user.last_name),
      role: asText(at(member, 'role')),
    };
  });
}
