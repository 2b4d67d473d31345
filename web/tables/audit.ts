/** The audit log: each change that somebody made through the service. */
import { VIEWS } from '../../clients/typescript/index.ts';
import { column } from './columns.ts';
import { rowOf } from './links.ts';
import { BARE, type Table } from './table.ts';

export const audit: Table = {
  ...BARE,
  ...{ name: 'audit', title: 'Audit log', icon: 'journal', one: 'event', many: 'events' },
  ...{ key: 'id', names: ['action'] },
  views: { admin: 'audit' },
  description: VIEWS.audit,
  looks: {
    at: column('Time', 'date', 176),
    action: column('Action', 'code', 160),
    actor: column('Actor', 'text', 150),
    target_type: column('Target type', 'text', 110),
    target_id: column('Target ID', 'id', 300),
    request_id: column('Request ID', 'id', 300),
    id: column('Event ID', 'id', 300),
    before: column('Before', 'json', 220),
    after: column('After', 'json', 220),
  },
  columns: ['at', 'action', 'actor', 'target_type', 'target_id', 'request_id'],
  open: ['action', 'actor', 'target_type'],
  by: 'action',
  aliases: { who: 'actor', target: 'target_id' },
  example: 'action:task.cancel date:today',
  lead({ target_type: type, target_id: id }, member) {
    const isShown = member === 'target_id' && id !== null && id !== undefined;
    return isShown && (type === 'task' || type === 'schedule') ? rowOf(`${type}s`, id) : undefined;
  },
};
