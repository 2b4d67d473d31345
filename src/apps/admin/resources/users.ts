/** Users: people who sign in, run tasks and are members of projects. */
import { decimal, defineResource, stored } from '../../../tables/definition/definition.ts';
import { boolean, date, id, json, text } from '../../../tables/definition/record.ts';

export const users = defineResource({
  name: 'users',
  collection: 'users',
  key: 'id',
  keptLongest: true,
  fields: {
    id: stored('_id', 'number', 'equals', 'sort', 'select', 'range'),
    id_text: decimal('_id'),
    email: stored('email', 'unique', 'contains', 'equals', 'sort', 'select'),
    first_name: stored('first_name', 'many', 'contains', 'equals', 'select'),
    last_name: stored('last_name', 'many', 'contains', 'equals', 'select'),
    language: stored('language', 'few', 'contains', 'equals', 'facet'),
    active: stored('active', 'few', 'equals', 'facet'),
    auth_groups: stored('auth_groups', 'many', 'facet'),
    tc_creation: stored('tc_creation', 'date', 'sort', 'range'),
    tc_update: stored('tc_update', 'date', 'sort', 'range'),
    preferences: stored('preferences', 'unique'),
  },
  filters: {
    q: {
      kind: 'text',
      fields: ['id_text', 'email', 'first_name', 'last_name'],
      shown: { id_text: 'id' },
    },
    id: { kind: 'integer', field: 'id' },
    email: { kind: 'matchMode', field: 'email', by: 'match_type' },
    active: { kind: 'boolean', field: 'active' },
    first_name: { kind: 'matchMode', field: 'first_name', by: 'match_type' },
    last_name: { kind: 'matchMode', field: 'last_name', by: 'match_type' },
    language: { kind: 'matchMode', field: 'language', by: 'match_type' },
    match_type: { kind: 'choice', values: ['like', 'exact'] },
  },
  sorts: ['id', 'tc_creation', 'tc_update', 'email'],
  indexes: [
    // For equality with an email, and the sort.
    { key: { email: 1, _id: 1 }, forPipelines: true, selective: true },
  ],
  record: {
    id: id('_id'),
    email: text('email'),
    first_name: text('first_name'),
    last_name: text('last_name'),
    language: text('language'),
    active: boolean('active'),
    tc_creation: date('tc_creation'),
    tc_update: date('tc_update'),
    auth_groups: json('auth_groups'),
    preferences: json('preferences'),
  },
});
