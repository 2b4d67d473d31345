/** The label that tasks and schedules share: `project_id` leads to the project and its name. */
import { related } from '../../../tables/definition/definition.ts';
import { relatedText } from '../../../tables/definition/record.ts';
import { projects } from './projects.ts';

export const projectNameField = related('project_id', projects, {
  key: 'project_id',
  text: 'project_name',
  keyType: 'string',
});

export const projectName = relatedText('project_name', 'name');
