/** The users of the administration service. */
import { VIEWS } from '../../clients/typescript/index.ts';
import { column, date } from './columns.ts';
import { is, linksWithin } from './links.ts';
import { BARE, type Table } from './table.ts';

export const users: Table = {
  ...BARE,
  ...{ name: 'users', title: 'Users', icon: 'person', one: 'user', many: 'users' },
  ...{ key: 'id', numericKey: true, names: ['email'] },
  views: { admin: 'users', member: 'users' },
  description: VIEWS.users,
  looks: {
    id: column('ID', 'number', 84),
    email: column('Email', 'text', 280),
    first_name: column('First name', 'text', 150),
    last_name: column('Last name', 'text', 180),
    language: column('Language', 'text', 100),
    active: column('Active', 'truth', 92),
    auth_groups: column('Groups', 'list', 220),
    preferences: column('Preferences', 'json', 220),
    tc_creation: date('Created'),
    tc_update: date('Updated'),
  },
  columns: ['id', 'email', 'first_name', 'last_name', 'language', 'active', 'auth_groups'],
  open: ['active', 'language', 'auth_groups'],
  by: 'active',
  titles: { auth_groups: 'Group' },
  aliases: { group: 'auth_groups', created: 'tc_creation', changed: 'tc_update' },
  example: 'active:no group:…',
  related({ id, email }, admin) {
    const { to } = linksWithin(null, admin);
    return admin
      ? [
          to('Tasks of this user', 'tasks', is('user_email', email)),
          to('Changes by this user', 'audit', is('actor', String(id))),
        ]
      : [];
  },
};
