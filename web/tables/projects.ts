/** Projects: members look into the tasks and schedules of one at a time. */
import { VIEWS } from '../../clients/typescript/index.ts';
import { column } from './columns.ts';
import { linksWithin } from './links.ts';
import { BARE, type Table } from './table.ts';

export const projects: Table = {
  ...BARE,
  ...{ name: 'projects', title: 'Projects', icon: 'folder', one: 'project', many: 'projects' },
  ...{ key: 'identifier', names: ['name'] },
  fields: { identifier: 'project_id', name: 'project_name' },
  views: { admin: 'adminProjects', member: 'ownProjects' },
  description: VIEWS.adminProjects,
  looks: {
    name: column('Name', 'text', 300),
    type: column('Type', 'text', 120),
    users: column('Members', 'people', 380),
    identifier: column('Project ID', 'id', 300),
    config: column('Configuration', 'json', 260),
    id: column('Number', 'number', 90),
  },
  columns: ['name', 'type', 'users', 'identifier'],
  open: ['type'],
  by: 'type',
  titles: {
    project_id: 'Project',
    project_name: 'Name',
    tc_creation: 'Created',
    tc_update: 'Updated',
  },
  aliases: { created: 'tc_creation', changed: 'tc_update' },
  example: 'type:demo',
  hidden: ['users'],
  parts: ['members'],
  related({ identifier }, admin) {
    const { inProject, to } = linksWithin(identifier, admin);
    return [
      to('Tasks in this project', 'tasks', ...inProject),
      to('Schedules in this project', 'schedules', ...inProject),
    ];
  },
};
