/**
 * Audit records: one record for each change through the service, with its author. Written in
 * `manage/`.
 */
import { defineResource, stored } from '../../../tables/definition/definition.ts';
import { date, id, json, text } from '../../../tables/definition/record.ts';

export const auditRecords = defineResource({
  name: 'audit',
  collection: 'audit',
  key: 'id',
  fields: {
    id: stored('_id', 'uuid', 'contains', 'sort', 'select'),
    at: stored('at', 'date', 'sort', 'range'),
    actor: stored('actor', 'many', 'contains', 'equals', 'facet'),
    action: stored('action', 'few', 'contains', 'equals', 'facet'),
    target_type: stored('target_type', 'few', 'contains', 'equals', 'facet'),
    target_id: stored('target_id', 'uuid', 'contains', 'equals', 'select'),
    request_id: stored('request_id', 'unique', 'contains', 'select'),
    before: stored('before', 'unique'),
    after: stored('after', 'unique'),
  },
  filters: {
    q: {
      kind: 'text',
      fields: ['id', 'actor', 'action', 'target_type', 'target_id', 'request_id'],
    },
    actor: { kind: 'exact', field: 'actor' },
    action: { kind: 'exact', field: 'action' },
    target_type: { kind: 'exact', field: 'target_type' },
    target_id: { kind: 'id', field: 'target_id' },
  },
  sorts: ['id', 'at'],
  indexes: [
    // For the changes of a user, and of a task or schedule.
    { key: { actor: 1, _id: 1 }, forPipelines: true },
    { key: { target_id: 1, _id: 1 }, forPipelines: true, selective: true },
  ],
  record: {
    id: id('_id'),
    at: date('at'),
    actor: text('actor'),
    action: text('action'),
    target_type: text('target_type'),
    target_id: text('target_id'),
    before: json('before'),
    after: json('after'),
    request_id: text('request_id'),
  },
});
