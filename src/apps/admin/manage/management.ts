/** Everything people do to schedules and tasks after a search, made from a store. */
import type { Db } from 'mongodb';
import type { Resources } from '../../../tables/definition/definition.ts';
import type { RecordContext } from '../../../tables/definition/record.ts';
import { Changes, type Written } from '../../changes/changes.ts';
import { LogTails } from '../logs/logTails.ts';
import { TaskLogs } from '../logs/taskLogs.ts';
import type { TaskCatalogue } from '../resources/taskTypes.ts';
import { Cleanup } from './cleanup.ts';
import { Schedules } from './schedules.ts';
import { Snapshots } from './snapshots.ts';
import { Tasks } from './tasks.ts';

export interface Management {
  readonly schedules: Schedules;
  readonly tasks: Tasks;
  readonly cleanup: Cleanup;
  readonly logs: TaskLogs;
  readonly logTails: LogTails;
  readonly snapshots: Snapshots;
  readonly catalogue: TaskCatalogue;
  /** The context in which the records of answers are made. */
  readonly recordContext: RecordContext;
}

export interface ManagementOptions {
  readonly db: Db;
  readonly resources: Resources;
  readonly catalogue: TaskCatalogue;
  readonly written: Written;
}

export function createManagement(options: ManagementOptions): Management {
  const { db, catalogue } = options;
  const recordContext = { labels: catalogue.labels, options: new Set<string>() };
  const changes = new Changes(options);
  return {
    schedules: new Schedules(changes, recordContext),
    tasks: new Tasks(changes, db),
    cleanup: new Cleanup(changes, db),
    logs: new TaskLogs(db),
    logTails: new LogTails(db),
    snapshots: new Snapshots(db),
    catalogue,
    recordContext,
  };
}
