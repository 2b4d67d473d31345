/** The join that tasks and schedules share: `project_id` leads to the project and its name. */
import { related } from '../../../tables/definition/definition.ts';
import { TEXT_OR_NULL } from '../../../tables/definition/jsonSchema.ts';
import { asText, shownJoined } from '../../../tables/definition/record.ts';
import { projects } from './projects.ts';

export const projectNameField = related('project_id', projects, {
  key: 'project_id',
  text: 'project_name',
  keyType: 'string',
});

export const projectJoin = {
  as: 'project',
  by: 'project_name',
  shows: ['name'],
  one: true,
} as const;

/** Null for an unknown project: a dangling id is dirty data, not an error. */
export const projectName = shownJoined(TEXT_OR_NULL, [], ({ joined }) =>
  asText(joined.project?.[0]?.name),
);
