/**
 * What the service takes and answers, made from its OpenAPI document: not to be edited by hand.
 * `npm run client:contract` makes it anew; a test says when that has to be done.
 */
export interface Schedule {
  /** A number or text; of documents written by others, whatever their ids are. */
  readonly schedule_id: number | string | boolean | Readonly<Record<string, unknown>> | null;
  readonly project_id: string | null;
  readonly project_name: string | null;
  readonly folder: string | null;
  readonly user_email: string | null;
  readonly enabled: boolean | null;
  readonly crontab: string | null;
  readonly date_last_run_at: string | null;
  /** Integers past 2^53 and decimals come as text. */
  readonly total_run_count: number | string | null;
  readonly task_name: string | null;
  readonly task_type: string | null;
  /** What the task is called with. Left out for schedules of projects. */
  readonly task_args?: unknown | undefined;
  readonly scope: string | null;
}
export interface Pagination {
  readonly total_items: number;
  readonly total_pages: number;
  readonly current_page: number;
  readonly per_page: number;
  readonly next_page_num: number | null;
  readonly prev_page_num: number | null;
}
export interface AdminSchedulesApplied {
  readonly q?: string | undefined;
  readonly task_type?: string | undefined;
  readonly project_id?: string | undefined;
  readonly schedule_id?: string | undefined;
  readonly user_email?: string | undefined;
  readonly enabled?: boolean | undefined;
  readonly scope?: 'project' | 'system' | 'backup_infrastructure' | undefined;
}
export interface AdminSchedulesAnswer {
  readonly data: readonly Schedule[];
  readonly meta: {
    readonly pagination: Pagination;
    readonly sorting: {
      readonly sort_by: NonNullable<ScheduleSorting['sort_by']>;
      readonly sort_order: 'asc' | 'desc';
    };
    readonly applied_filters: AdminSchedulesApplied;
  };
}
/** A failure (RFC 9457). */
export interface Problem {
  readonly type: string;
  readonly title: string;
  readonly status: number;
  /** What went wrong, for people. */
  readonly detail: string;
  readonly code:
    | 'MalformedBody'
    | 'InvalidTaskSearchRequest'
    | 'InvalidScheduleSearchRequest'
    | 'ProjectMismatch'
    | 'ScopeMismatch'
    | 'TooManyBuckets'
    | 'Unauthenticated'
    | 'Forbidden'
    | 'NotFound'
    | 'SnapshotNotFound'
    | 'MethodNotAllowed'
    | 'TaskNotCancellable'
    | 'BodyTooLarge'
    | 'UnsupportedMediaType'
    | 'RangeNotSatisfiable'
    | 'ValidationFailed'
    | 'TooManyRequests'
    | 'Internal'
    | 'StoreUnavailable'
    | 'SearchTimeout'
    | 'IndexLoading'
    | 'Overloaded'
    | 'MalformedRequest'
    | 'RequestTimeout'
    | 'HeadersTooLarge';
  readonly errors?:
    | readonly {
        /** Where, as a JSON pointer. */
        readonly pointer: string;
        readonly detail: string;
      }[]
    | undefined;
  readonly request_id: string;
}
export interface AdminSchedulesFilters {
  /** Contained in any of project_id, schedule_id, project_name, user_email, task_name; case-insensitive. The label or name of a task type also selects that type. */
  readonly q?: string | null | undefined;
  /** Equal to the id, a UUID in any case. Other text is 400 `InvalidScheduleSearchRequest`. */
  readonly project_id?: string | null | undefined;
  /** Equal to the id, a UUID in any case. Other text is 400 `InvalidScheduleSearchRequest`. */
  readonly schedule_id?: string | null | undefined;
  /** Contained in the value; case-insensitive. */
  readonly user_email?: string | null | undefined;
  /** Equal to the value. */
  readonly enabled?: boolean | null | undefined;
  /** Equal to the value. */
  readonly scope?: 'project' | 'system' | 'backup_infrastructure' | null | undefined;
}
/** The first 10 rows by default. The service caps large pages. */
export interface PageRequest {
  readonly page?: number | undefined;
  readonly per_page?: number | undefined;
}
export interface ScheduleSorting {
  /** `schedule_id` by default. */
  readonly sort_by?:
    | 'schedule_id'
    | 'project_id'
    | 'date_last_run_at'
    | 'total_run_count'
    | 'enabled'
    | undefined;
  /** `desc` by default. */
  readonly sort_order?: 'asc' | 'desc' | undefined;
}
export interface AdminSchedulesSearch {
  readonly filters?: AdminSchedulesFilters | undefined;
  readonly pagination?: PageRequest | undefined;
  readonly sorting?: ScheduleSorting | undefined;
}
export interface Form {
  readonly access_token?: string | undefined;
  readonly request: string;
  readonly accept?: string | undefined;
}
export interface Facet {
  readonly field: string;
  readonly by?:
    | {
        readonly field: string;
        readonly values: readonly (string | number | boolean | null)[];
      }
    | undefined;
  /** Most frequent first, or in the `order` asked for. */
  readonly values: readonly {
    readonly value: string | number | boolean | null;
    readonly label?: string | undefined;
    readonly count: number;
    /** The count under the baseline's conditions. */
    readonly baseline?: number | undefined;
    /** In the order of `by.values`. */
    readonly counts?: readonly number[] | undefined;
  }[];
  /** How many values there are. */
  readonly distinct: number;
  /** The sum of the counts of what is not listed. */
  readonly rest: number;
  /** With a baseline: the rows counted. */
  readonly total?: number | undefined;
  /** The rows counted for the baseline. */
  readonly baseline_total?: number | undefined;
}
export interface Histogram {
  readonly field: string;
  readonly interval:
    | 'PT1M'
    | 'PT2M'
    | 'PT3M'
    | 'PT5M'
    | 'PT10M'
    | 'PT15M'
    | 'PT30M'
    | 'PT1H'
    | 'PT2H'
    | 'PT3H'
    | 'PT6H'
    | 'PT12H'
    | 'P1D'
    | 'P2D'
    | 'P4D'
    | 'P1W'
    | 'P2W'
    | 'P3W'
    | 'P1M'
    | 'P2M'
    | 'P3M'
    | 'P6M'
    | 'P1Y'
    | 'P2Y'
    | 'P5Y'
    | 'P10Y'
    | 'P20Y'
    | 'P50Y'
    | 'P100Y'
    | 'P1000Y'
    | 'P10000Y'
    | 'P100000Y';
  readonly time_zone: string;
  readonly by?:
    | {
        readonly field: string;
        readonly values: readonly (string | number | boolean | null)[];
      }
    | undefined;
  readonly buckets: readonly {
    readonly start: string;
    /** Exclusive. */
    readonly end: string;
    readonly count: number;
    /** In the order of `by.values`. */
    readonly counts?: readonly number[] | undefined;
    /** Documents with none of `by.values`. */
    readonly rest?: number | undefined;
  }[];
  /** Values that are no dates. */
  readonly missing: number;
}
export interface Stats {
  readonly field: string;
  /** How many values there are. */
  readonly count: number;
  /** Null, missing and values of other types. */
  readonly missing: number;
  readonly min: number | string | null;
  readonly p50: number | string | null;
  readonly p90: number | string | null;
  readonly p95: number | string | null;
  readonly p99: number | string | null;
  readonly max: number | string | null;
}
export interface ScheduleSorted {
  readonly sort_by:
    | 'schedule_id'
    | 'project_id'
    | 'project_name'
    | 'user_email'
    | 'task_name'
    | 'task_type'
    | 'crontab'
    | 'enabled'
    | 'scope'
    | 'folder'
    | 'date_last_run_at'
    | 'total_run_count';
  readonly sort_order: 'asc' | 'desc';
}
export type ScheduleSingleCondition =
  | {
      readonly field:
        | 'schedule_id'
        | 'project_id'
        | 'user_email'
        | 'task_name'
        | 'task_type'
        | 'crontab'
        | 'enabled'
        | 'scope'
        | 'folder';
      readonly in: readonly (string | number | boolean | null)[];
    }
  | {
      readonly field:
        | 'schedule_id'
        | 'project_id'
        | 'user_email'
        | 'task_name'
        | 'task_type'
        | 'crontab'
        | 'enabled'
        | 'scope'
        | 'folder';
      readonly not_in: readonly (string | number | boolean | null)[];
    }
  | {
      readonly field: 'date_last_run_at';
      readonly from?: string | undefined;
      readonly to?: string | undefined;
    }
  | {
      readonly field: 'total_run_count';
      readonly from?: number | undefined;
      readonly to?: number | undefined;
    }
  | {
      readonly field: 'date_last_run_at' | 'total_run_count';
      readonly in: readonly null[];
    }
  | {
      readonly field: 'date_last_run_at' | 'total_run_count';
      readonly not_in: readonly null[];
    }
  | {
      readonly field:
        | 'schedule_id'
        | 'project_id'
        | 'project_name'
        | 'user_email'
        | 'task_name'
        | 'task_label';
      readonly contains: string;
    }
  | {
      readonly field:
        | 'schedule_id'
        | 'project_id'
        | 'project_name'
        | 'user_email'
        | 'task_name'
        | 'task_label';
      readonly not_contains: string;
    }
  | {
      readonly text: string;
    }
  | {
      readonly not_text: string;
    };
export type ScheduleCondition =
  | ScheduleSingleCondition
  | {
      /** One of these holds. */
      readonly any: readonly ScheduleSingleCondition[];
    };
export interface AdminSchedulesExploreAnswer {
  readonly data: readonly Schedule[];
  readonly facets?: readonly Facet[] | undefined;
  readonly histogram?: Histogram | undefined;
  readonly stats?: readonly Stats[] | undefined;
  readonly meta: {
    readonly pagination: Pagination;
    readonly sorting: ScheduleSorted;
    readonly applied_filters: AdminSchedulesApplied;
    readonly applied_sorting: readonly ScheduleSorted[];
    readonly applied_select: readonly ScheduleCondition[];
  };
}
export type ScheduleOrder =
  | {
      /** `schedule_id` by default. */
      readonly sort_by?: ScheduleSorted['sort_by'] | undefined;
      /** `desc` by default. */
      readonly sort_order?: 'asc' | 'desc' | undefined;
    }
  | readonly {
      readonly sort_by: ScheduleSorted['sort_by'];
      /** `desc` by default. */
      readonly sort_order?: 'asc' | 'desc' | undefined;
    }[];
export interface ScheduleFacetRequest {
  readonly field: 'project_id' | 'user_email' | 'task_type' | 'enabled' | 'scope' | 'folder';
  readonly limit?: number | undefined;
  readonly contains?: string | undefined;
  /** Adds to each value its counts by the ten most frequent values of this field. */
  readonly by?: ScheduleFacetRequest['field'] | undefined;
  /** `count` (the default): most frequent first. `value`: in the order of values. `lift`: most over-represented against the baseline first, others left out. */
  readonly order?: 'count' | 'value' | 'lift' | undefined;
  /** With the order `lift`: the least count of a value, 5 by default. */
  readonly min_count?: number | undefined;
}
export interface ScheduleHistogramRequest {
  readonly field: 'date_last_run_at';
  readonly interval?:
    | 'PT1M'
    | 'PT2M'
    | 'PT3M'
    | 'PT5M'
    | 'PT10M'
    | 'PT15M'
    | 'PT30M'
    | 'PT1H'
    | 'PT2H'
    | 'PT3H'
    | 'PT6H'
    | 'PT12H'
    | 'P1D'
    | 'P2D'
    | 'P4D'
    | 'P1W'
    | 'P2W'
    | 'P3W'
    | 'P1M'
    | 'P2M'
    | 'P3M'
    | 'P6M'
    | 'P1Y'
    | 'P2Y'
    | 'P5Y'
    | 'P10Y'
    | 'P20Y'
    | 'P50Y'
    | 'P100Y'
    | 'P1000Y'
    | 'P10000Y'
    | 'P100000Y'
    | 'auto'
    | undefined;
  /** Where a plain interval (`PT1M`, `PT5M`, `PT15M`, `PT1H`, `PT6H`, `P1D`, `P1W`, `P1M`, `P1Y`, `P10Y`, `P100Y`, `P1000Y`, `P10000Y`, `P100000Y`) needs fewer buckets, `auto` takes the shortest of all that fits. */
  readonly min_buckets?: number | undefined;
  readonly max_buckets?: number | undefined;
  /** The IANA name of a time zone; UTC by default. */
  readonly time_zone?: string | undefined;
  readonly from?: string | undefined;
  readonly to?: string | undefined;
  /** Buckets reach this moment, and further where a row has a later date; with `to` they end there. */
  readonly until?: string | undefined;
  readonly by?: ScheduleFacetRequest['field'] | undefined;
}
export interface ScheduleStatsRequest {
  readonly field: 'date_last_run_at' | 'total_run_count';
}
export interface AdminSchedulesExplore {
  readonly filters?: AdminSchedulesFilters | undefined;
  readonly pagination?: PageRequest | undefined;
  readonly sorting?: ScheduleOrder | undefined;
  readonly select?: readonly ScheduleCondition[] | undefined;
  /** Facets are counted once more with these conditions in place of `select`. */
  readonly baseline?: readonly ScheduleCondition[] | undefined;
  readonly facets?: readonly ScheduleFacetRequest[] | undefined;
  readonly histogram?: ScheduleHistogramRequest | undefined;
  readonly stats?: readonly ScheduleStatsRequest[] | undefined;
}
export interface ExplainedStep {
  /** What is done, as the physical plan prints it. */
  readonly does: string;
  /** About how many rows fulfil it; null where each row is tested. */
  readonly estimated: number | null;
  /** How many fulfil it by itself; null where each row is tested. */
  readonly rows: number | null;
  /** How many fulfil it and all steps before. */
  readonly left: number;
  /** How those are held. */
  readonly held_as: 'all' | 'none' | 'list' | 'bitmap';
}
/** How the index found the rows; null where the pipeline answered. */
export type ExplainedByIndex = {
  /** Rows that are there. */
  readonly rows: number;
  /** About how many rows the search finds, as it was planned. */
  readonly estimated: number;
  readonly steps: readonly ExplainedStep[];
  /** Of an explore: how conditions are asked, and how each count is made. */
  readonly counts: readonly string[];
} | null;
/** What the store did for the rows of the page; null where the index answered. */
export type ExplainedByPipeline = {
  /** Where the pipeline ran. */
  readonly collection: string;
  /** As extended JSON; lists of more than 20 are cut. */
  readonly stages: readonly Readonly<Record<string, unknown>>[];
  /** Database indexes that were used. */
  readonly indexes: readonly string[];
  /** Whether the whole collection was read. */
  readonly scans_collection: boolean;
  /** Whether the order came out of no index. */
  readonly sorts_in_memory: boolean;
  readonly keys_examined: number;
  readonly documents_examined: number;
} | null;
export interface Explained {
  /** What is looked for, in which order, which page. */
  readonly plan: readonly string[];
  readonly route: 'index' | 'pipeline';
  /** Why this route. */
  readonly why: string;
  readonly total_items: number;
  readonly index: ExplainedByIndex;
  readonly pipeline: ExplainedByPipeline;
}
export interface AdminSchedulesExport {
  readonly filters?: AdminSchedulesFilters | undefined;
  readonly sorting?: ScheduleOrder | undefined;
  readonly select?: readonly ScheduleCondition[] | undefined;
  readonly columns?: readonly (keyof Schedule)[] | undefined;
  /** In CSV: whether cells that a spreadsheet could take for formulas get a `'`, as by default. */
  readonly formulas?: 'guard' | 'keep' | undefined;
}
export interface ProjectSchedulesApplied {
  readonly q?: string | undefined;
  readonly task_type?: string | undefined;
  readonly project_id?: string | undefined;
  readonly schedule_id?: string | undefined;
  readonly user_email?: string | undefined;
  readonly enabled?: boolean | undefined;
  readonly scope?: 'project' | undefined;
}
export interface ProjectSchedulesAnswer {
  readonly data: readonly Schedule[];
  readonly meta: {
    readonly pagination: Pagination;
    readonly sorting: {
      readonly sort_by: NonNullable<ScheduleSorting['sort_by']>;
      readonly sort_order: 'asc' | 'desc';
    };
    readonly applied_filters: ProjectSchedulesApplied;
  };
}
export interface ProjectSchedulesFilters {
  /** Contained in any of project_id, schedule_id, project_name, user_email, task_name; case-insensitive. The label or name of a task type also selects that type. */
  readonly q?: string | null | undefined;
  /** Equal to the id, a UUID in any case. Other text is 400 `InvalidScheduleSearchRequest`. */
  readonly project_id?: string | null | undefined;
  /** Equal to the id, a UUID in any case. Other text is 400 `InvalidScheduleSearchRequest`. */
  readonly schedule_id?: string | null | undefined;
  /** Contained in the value; case-insensitive. */
  readonly user_email?: string | null | undefined;
  /** Equal to the value. */
  readonly enabled?: boolean | null | undefined;
  /** Equal to the value. */
  readonly scope?: 'project' | 'system' | 'backup_infrastructure' | null | undefined;
}
export interface ProjectSchedulesSearch {
  readonly filters?: ProjectSchedulesFilters | undefined;
  readonly pagination?: PageRequest | undefined;
  readonly sorting?: ScheduleSorting | undefined;
}
export interface ProjectSchedulesExploreAnswer {
  readonly data: readonly Schedule[];
  readonly facets?: readonly Facet[] | undefined;
  readonly histogram?: Histogram | undefined;
  readonly stats?: readonly Stats[] | undefined;
  readonly meta: {
    readonly pagination: Pagination;
    readonly sorting: ScheduleSorted;
    readonly applied_filters: ProjectSchedulesApplied;
    readonly applied_sorting: readonly ScheduleSorted[];
    readonly applied_select: readonly ScheduleCondition[];
  };
}
export interface ProjectSchedulesExplore {
  readonly filters?: ProjectSchedulesFilters | undefined;
  readonly pagination?: PageRequest | undefined;
  readonly sorting?: ScheduleOrder | undefined;
  readonly select?: readonly ScheduleCondition[] | undefined;
  /** Facets are counted once more with these conditions in place of `select`. */
  readonly baseline?: readonly ScheduleCondition[] | undefined;
  readonly facets?: readonly ScheduleFacetRequest[] | undefined;
  readonly histogram?: ScheduleHistogramRequest | undefined;
  readonly stats?: readonly ScheduleStatsRequest[] | undefined;
}
export interface ProjectSchedulesExport {
  readonly filters?: ProjectSchedulesFilters | undefined;
  readonly sorting?: ScheduleOrder | undefined;
  readonly select?: readonly ScheduleCondition[] | undefined;
  readonly columns?: readonly (keyof Schedule)[] | undefined;
  /** In CSV: whether cells that a spreadsheet could take for formulas get a `'`, as by default. */
  readonly formulas?: 'guard' | 'keep' | undefined;
}
export interface Task {
  /** A number or text; of documents written by others, whatever their ids are. */
  readonly id: number | string | boolean | Readonly<Record<string, unknown>> | null;
  readonly task_id: string | null;
  readonly project_id: string | null;
  readonly project_name: string | null;
  readonly folder: string | null;
  readonly user_email: string | null;
  /** As it is stored; null where nothing is. */
  readonly args: unknown;
  readonly status: string | null;
  readonly datamimic_status: string | null;
  readonly date_queued: string | null;
  readonly date_started: string | null;
  readonly date_done: string | null;
  readonly eta: string | null;
  readonly exception_type: string | null;
  readonly traceback: string | null;
  readonly worker: string | null;
  /** Integers past 2^53 and decimals come as text. */
  readonly retries: number | string | null;
  readonly preserve: boolean | null;
  /** Seconds from start to end. */
  readonly execution_time: number | null;
  readonly name: string | null;
  /** The label of a known task type, else the stored key. */
  readonly routing_key: string | null;
  readonly scope: string | null;
  readonly task_type: string | null;
  /** With `get_artifacts_metadata`, of tasks that succeeded. */
  readonly artifacts?: unknown | undefined;
}
export interface AdminTasksApplied {
  readonly q?: string | undefined;
  readonly task_id?: string | undefined;
  readonly project_id?: string | undefined;
  readonly project_name?: string | undefined;
  readonly user_email?: string | undefined;
  readonly scope?:
    | 'project'
    | 'system'
    | 'backup_infrastructure'
    | readonly ('project' | 'system' | 'backup_infrastructure')[]
    | undefined;
  readonly routing_keys?: readonly string[] | undefined;
  readonly get_artifacts_metadata?: boolean | undefined;
}
export interface AdminTasksAnswer {
  readonly data: readonly Task[];
  readonly meta: {
    readonly pagination: Pagination;
    readonly sorting: {
      readonly sort_by: 'id' | 'date_started' | 'date_queued' | 'date_done';
      readonly sort_order: 'asc' | 'desc';
    };
    readonly applied_filters: AdminTasksApplied;
  };
}
export interface AdminTasksFilters {
  /** Contained in any of task_id, project_id, project_name, user_email, name, routing_key, routing_label, folder, worker, status, exception_type; case-insensitive. */
  readonly q?: string | null | undefined;
  /** Equal to the id, a UUID in any case. */
  readonly task_id?: string | null | undefined;
  /** Equal to the id, a UUID in any case. Other text is 400 `InvalidTaskSearchRequest`. */
  readonly project_id?: string | null | undefined;
  /** Contained in the value; case-insensitive. */
  readonly project_name?: string | null | undefined;
  /** Contained in the value; case-insensitive. */
  readonly user_email?: string | null | undefined;
  /** Equal to the value. */
  readonly scope?: 'project' | 'system' | 'backup_infrastructure' | null | undefined;
  /** Equal to one of these routing keys, each canonical or a label. */
  readonly routing_keys?: readonly string[] | null | undefined;
  /** Whether records show additional members. */
  readonly get_artifacts_metadata?: boolean | undefined;
}
export interface TaskSorting {
  /** `id` by default. */
  readonly sort_by?: 'id' | 'date_started' | 'date_queued' | 'date_done' | undefined;
  /** `desc` by default. */
  readonly sort_order?: 'asc' | 'desc' | undefined;
}
export interface AdminTasksSearch {
  readonly filters?: AdminTasksFilters | undefined;
  readonly pagination?: PageRequest | undefined;
  readonly sorting?: TaskSorting | undefined;
}
export interface TaskSorted {
  readonly sort_by:
    | 'id'
    | 'task_id'
    | 'project_id'
    | 'project_name'
    | 'user_email'
    | 'name'
    | 'routing_key'
    | 'task_type'
    | 'folder'
    | 'worker'
    | 'status'
    | 'datamimic_status'
    | 'exception_type'
    | 'scope'
    | 'preserve'
    | 'retries'
    | 'date_started'
    | 'date_queued'
    | 'date_done'
    | 'eta'
    | 'args'
    | 'traceback'
    | 'execution_time';
  readonly sort_order: 'asc' | 'desc';
}
export type TaskSingleCondition =
  | {
      readonly field:
        | 'id'
        | 'task_id'
        | 'project_id'
        | 'user_email'
        | 'name'
        | 'routing_key'
        | 'task_type'
        | 'folder'
        | 'worker'
        | 'status'
        | 'datamimic_status'
        | 'exception_type'
        | 'scope'
        | 'preserve';
      readonly in: readonly (string | number | boolean | null)[];
    }
  | {
      readonly field:
        | 'id'
        | 'task_id'
        | 'project_id'
        | 'user_email'
        | 'name'
        | 'routing_key'
        | 'task_type'
        | 'folder'
        | 'worker'
        | 'status'
        | 'datamimic_status'
        | 'exception_type'
        | 'scope'
        | 'preserve';
      readonly not_in: readonly (string | number | boolean | null)[];
    }
  | {
      readonly field: 'date_started' | 'date_queued' | 'date_done' | 'eta';
      readonly from?: string | undefined;
      readonly to?: string | undefined;
    }
  | {
      readonly field: 'id' | 'retries' | 'execution_time';
      readonly from?: number | undefined;
      readonly to?: number | undefined;
    }
  | {
      readonly field:
        | 'retries'
        | 'date_started'
        | 'date_queued'
        | 'date_done'
        | 'eta'
        | 'execution_time';
      readonly in: readonly null[];
    }
  | {
      readonly field:
        | 'retries'
        | 'date_started'
        | 'date_queued'
        | 'date_done'
        | 'eta'
        | 'execution_time';
      readonly not_in: readonly null[];
    }
  | {
      readonly field:
        | 'task_id'
        | 'project_id'
        | 'project_name'
        | 'user_email'
        | 'name'
        | 'routing_key'
        | 'routing_label'
        | 'folder'
        | 'worker'
        | 'status'
        | 'exception_type';
      readonly contains: string;
    }
  | {
      readonly field:
        | 'task_id'
        | 'project_id'
        | 'project_name'
        | 'user_email'
        | 'name'
        | 'routing_key'
        | 'routing_label'
        | 'folder'
        | 'worker'
        | 'status'
        | 'exception_type';
      readonly not_contains: string;
    }
  | {
      readonly text: string;
    }
  | {
      readonly not_text: string;
    };
export type TaskCondition =
  | TaskSingleCondition
  | {
      /** One of these holds. */
      readonly any: readonly TaskSingleCondition[];
    };
export interface AdminTasksExploreAnswer {
  readonly data: readonly Task[];
  readonly facets?: readonly Facet[] | undefined;
  readonly histogram?: Histogram | undefined;
  readonly stats?: readonly Stats[] | undefined;
  readonly meta: {
    readonly pagination: Pagination;
    readonly sorting: TaskSorted;
    readonly applied_filters: AdminTasksApplied;
    readonly applied_sorting: readonly TaskSorted[];
    readonly applied_select: readonly TaskCondition[];
  };
}
export type TaskOrder =
  | {
      /** `id` by default. */
      readonly sort_by?: TaskSorted['sort_by'] | undefined;
      /** `desc` by default. */
      readonly sort_order?: 'asc' | 'desc' | undefined;
    }
  | readonly {
      readonly sort_by: TaskSorted['sort_by'];
      /** `desc` by default. */
      readonly sort_order?: 'asc' | 'desc' | undefined;
    }[];
export interface TaskFacetRequest {
  readonly field:
    | 'project_id'
    | 'user_email'
    | 'name'
    | 'routing_key'
    | 'task_type'
    | 'folder'
    | 'worker'
    | 'status'
    | 'exception_type'
    | 'scope'
    | 'preserve';
  readonly limit?: number | undefined;
  readonly contains?: string | undefined;
  /** Adds to each value its counts by the ten most frequent values of this field. */
  readonly by?: TaskFacetRequest['field'] | undefined;
  /** `count` (the default): most frequent first. `value`: in the order of values. `lift`: most over-represented against the baseline first, others left out. */
  readonly order?: 'count' | 'value' | 'lift' | undefined;
  /** With the order `lift`: the least count of a value, 5 by default. */
  readonly min_count?: number | undefined;
}
export interface TaskHistogramRequest {
  readonly field: 'date_started' | 'date_queued' | 'date_done' | 'eta';
  readonly interval?: NonNullable<ScheduleHistogramRequest['interval']> | undefined;
  /** Where a plain interval (`PT1M`, `PT5M`, `PT15M`, `PT1H`, `PT6H`, `P1D`, `P1W`, `P1M`, `P1Y`, `P10Y`, `P100Y`, `P1000Y`, `P10000Y`, `P100000Y`) needs fewer buckets, `auto` takes the shortest of all that fits. */
  readonly min_buckets?: number | undefined;
  readonly max_buckets?: number | undefined;
  /** The IANA name of a time zone; UTC by default. */
  readonly time_zone?: string | undefined;
  readonly from?: string | undefined;
  readonly to?: string | undefined;
  /** Buckets reach this moment, and further where a row has a later date; with `to` they end there. */
  readonly until?: string | undefined;
  readonly by?: TaskFacetRequest['field'] | undefined;
}
export interface TaskStatsRequest {
  readonly field:
    | 'id'
    | 'retries'
    | 'date_started'
    | 'date_queued'
    | 'date_done'
    | 'eta'
    | 'execution_time';
}
export interface AdminTasksExplore {
  readonly filters?: AdminTasksFilters | undefined;
  readonly pagination?: PageRequest | undefined;
  readonly sorting?: TaskOrder | undefined;
  readonly select?: readonly TaskCondition[] | undefined;
  /** Facets are counted once more with these conditions in place of `select`. */
  readonly baseline?: readonly TaskCondition[] | undefined;
  readonly facets?: readonly TaskFacetRequest[] | undefined;
  readonly histogram?: TaskHistogramRequest | undefined;
  readonly stats?: readonly TaskStatsRequest[] | undefined;
}
export interface AdminTasksExport {
  readonly filters?: AdminTasksFilters | undefined;
  readonly sorting?: TaskOrder | undefined;
  readonly select?: readonly TaskCondition[] | undefined;
  readonly columns?: readonly (keyof Task)[] | undefined;
  /** In CSV: whether cells that a spreadsheet could take for formulas get a `'`, as by default. */
  readonly formulas?: 'guard' | 'keep' | undefined;
}
export interface ProjectTasksApplied {
  readonly q?: string | undefined;
  readonly user_email?: string | undefined;
  readonly routing_keys?: readonly string[] | undefined;
  readonly project_id?: string | undefined;
  readonly scope?: 'project' | undefined;
}
export interface ProjectTasksAnswer {
  readonly data: readonly Task[];
  readonly meta: {
    readonly pagination: Pagination;
    readonly sorting: {
      readonly sort_by: 'id' | 'date_started' | 'date_queued' | 'date_done';
      readonly sort_order: 'asc' | 'desc';
    };
    readonly applied_filters: ProjectTasksApplied;
  };
}
export interface ProjectTasksFilters {
  /** Contained in any of task_id, project_id, project_name, user_email, name, routing_key, routing_label, folder, worker, status, exception_type; case-insensitive. */
  readonly q?: string | null | undefined;
  /** Contained in the value; case-insensitive. */
  readonly user_email?: string | null | undefined;
  /** Equal to one of these routing keys, each canonical or a label. */
  readonly routing_keys?: readonly string[] | null | undefined;
}
export interface ProjectTasksSearch {
  readonly filters?: ProjectTasksFilters | undefined;
  readonly pagination?: PageRequest | undefined;
  readonly sorting?: TaskSorting | undefined;
}
export interface ProjectTasksExploreAnswer {
  readonly data: readonly Task[];
  readonly facets?: readonly Facet[] | undefined;
  readonly histogram?: Histogram | undefined;
  readonly stats?: readonly Stats[] | undefined;
  readonly meta: {
    readonly pagination: Pagination;
    readonly sorting: TaskSorted;
    readonly applied_filters: ProjectTasksApplied;
    readonly applied_sorting: readonly TaskSorted[];
    readonly applied_select: readonly TaskCondition[];
  };
}
export interface ProjectTasksExplore {
  readonly filters?: ProjectTasksFilters | undefined;
  readonly pagination?: PageRequest | undefined;
  readonly sorting?: TaskOrder | undefined;
  readonly select?: readonly TaskCondition[] | undefined;
  /** Facets are counted once more with these conditions in place of `select`. */
  readonly baseline?: readonly TaskCondition[] | undefined;
  readonly facets?: readonly TaskFacetRequest[] | undefined;
  readonly histogram?: TaskHistogramRequest | undefined;
  readonly stats?: readonly TaskStatsRequest[] | undefined;
}
export interface ProjectTasksExport {
  readonly filters?: ProjectTasksFilters | undefined;
  readonly sorting?: TaskOrder | undefined;
  readonly select?: readonly TaskCondition[] | undefined;
  readonly columns?: readonly (keyof Task)[] | undefined;
  /** In CSV: whether cells that a spreadsheet could take for formulas get a `'`, as by default. */
  readonly formulas?: 'guard' | 'keep' | undefined;
}
export interface User {
  /** A number or text; of documents written by others, whatever their ids are. */
  readonly id: number | string | boolean | Readonly<Record<string, unknown>> | null;
  readonly email: string | null;
  readonly first_name: string | null;
  readonly last_name: string | null;
  readonly language: string | null;
  readonly active: boolean | null;
  readonly tc_creation: string | null;
  readonly tc_update: string | null;
  /** As it is stored; null where nothing is. */
  readonly auth_groups: unknown;
  /** As it is stored; null where nothing is. */
  readonly preferences: unknown;
}
export interface UsersApplied {
  readonly q?: string | undefined;
  readonly id?: number | undefined;
  readonly email?: string | undefined;
  readonly active?: boolean | undefined;
  readonly first_name?: string | undefined;
  readonly last_name?: string | undefined;
  readonly language?: string | undefined;
  readonly match_type?: 'like' | 'exact' | undefined;
}
export interface UsersAnswer {
  readonly data: readonly User[];
  readonly meta: {
    readonly pagination: Pagination;
    readonly sorting: {
      readonly sort_by: 'id' | 'tc_creation' | 'tc_update' | 'email';
      readonly sort_order: 'asc' | 'desc';
    };
    readonly applied_filters: UsersApplied;
  };
}
export interface UsersFilters {
  /** Contained in any of id_text, email, first_name, last_name; case-insensitive. */
  readonly q?: string | null | undefined;
  /** Equal to the value. */
  readonly id?: number | null | undefined;
  /** Contained in the value, or equal to it: see `match_type`. */
  readonly email?: string | null | undefined;
  /** Equal to the value. */
  readonly active?: boolean | null | undefined;
  /** Contained in the value, or equal to it: see `match_type`. */
  readonly first_name?: string | null | undefined;
  /** Contained in the value, or equal to it: see `match_type`. */
  readonly last_name?: string | null | undefined;
  /** Contained in the value, or equal to it: see `match_type`. */
  readonly language?: string | null | undefined;
  /** How text filters compare: `like` (the default) finds the text anywhere, case-insensitive; `exact` finds equal values. */
  readonly match_type?: 'like' | 'exact' | undefined;
}
export interface UserSorting {
  /** `id` by default. */
  readonly sort_by?: 'id' | 'tc_creation' | 'tc_update' | 'email' | undefined;
  /** `desc` by default. */
  readonly sort_order?: 'asc' | 'desc' | undefined;
}
export interface UsersSearch {
  readonly filters?: UsersFilters | undefined;
  readonly pagination?: PageRequest | undefined;
  readonly sorting?: UserSorting | undefined;
}
export interface UserSorted {
  readonly sort_by:
    | 'id'
    | 'email'
    | 'first_name'
    | 'last_name'
    | 'language'
    | 'active'
    | 'auth_groups'
    | 'tc_creation'
    | 'tc_update'
    | 'preferences';
  readonly sort_order: 'asc' | 'desc';
}
export type UserSingleCondition =
  | {
      readonly field:
        | 'id'
        | 'email'
        | 'first_name'
        | 'last_name'
        | 'language'
        | 'active'
        | 'auth_groups';
      readonly in: readonly (string | number | boolean | null)[];
    }
  | {
      readonly field:
        | 'id'
        | 'email'
        | 'first_name'
        | 'last_name'
        | 'language'
        | 'active'
        | 'auth_groups';
      readonly not_in: readonly (string | number | boolean | null)[];
    }
  | {
      readonly field: 'tc_creation' | 'tc_update';
      readonly from?: string | undefined;
      readonly to?: string | undefined;
    }
  | {
      readonly field: 'id';
      readonly from?: number | undefined;
      readonly to?: number | undefined;
    }
  | {
      readonly field: 'tc_creation' | 'tc_update';
      readonly in: readonly null[];
    }
  | {
      readonly field: 'tc_creation' | 'tc_update';
      readonly not_in: readonly null[];
    }
  | {
      readonly field: 'email' | 'first_name' | 'last_name' | 'language';
      readonly contains: string;
    }
  | {
      readonly field: 'email' | 'first_name' | 'last_name' | 'language';
      readonly not_contains: string;
    }
  | {
      readonly text: string;
    }
  | {
      readonly not_text: string;
    };
export type UserCondition =
  | UserSingleCondition
  | {
      /** One of these holds. */
      readonly any: readonly UserSingleCondition[];
    };
export interface UsersExploreAnswer {
  readonly data: readonly User[];
  readonly facets?: readonly Facet[] | undefined;
  readonly histogram?: Histogram | undefined;
  readonly stats?: readonly Stats[] | undefined;
  readonly meta: {
    readonly pagination: Pagination;
    readonly sorting: UserSorted;
    readonly applied_filters: UsersApplied;
    readonly applied_sorting: readonly UserSorted[];
    readonly applied_select: readonly UserCondition[];
  };
}
export type UserOrder =
  | {
      /** `id` by default. */
      readonly sort_by?: UserSorted['sort_by'] | undefined;
      /** `desc` by default. */
      readonly sort_order?: 'asc' | 'desc' | undefined;
    }
  | readonly {
      readonly sort_by: UserSorted['sort_by'];
      /** `desc` by default. */
      readonly sort_order?: 'asc' | 'desc' | undefined;
    }[];
export interface UserFacetRequest {
  readonly field: 'language' | 'active' | 'auth_groups';
  readonly limit?: number | undefined;
  readonly contains?: string | undefined;
  /** Adds to each value its counts by the ten most frequent values of this field. */
  readonly by?: 'language' | 'active' | 'auth_groups' | undefined;
  /** `count` (the default): most frequent first. `value`: in the order of values. `lift`: most over-represented against the baseline first, others left out. */
  readonly order?: 'count' | 'value' | 'lift' | undefined;
  /** With the order `lift`: the least count of a value, 5 by default. */
  readonly min_count?: number | undefined;
}
export interface UserHistogramRequest {
  readonly field: 'tc_creation' | 'tc_update';
  readonly interval?: NonNullable<ScheduleHistogramRequest['interval']> | undefined;
  /** Where a plain interval (`PT1M`, `PT5M`, `PT15M`, `PT1H`, `PT6H`, `P1D`, `P1W`, `P1M`, `P1Y`, `P10Y`, `P100Y`, `P1000Y`, `P10000Y`, `P100000Y`) needs fewer buckets, `auto` takes the shortest of all that fits. */
  readonly min_buckets?: number | undefined;
  readonly max_buckets?: number | undefined;
  /** The IANA name of a time zone; UTC by default. */
  readonly time_zone?: string | undefined;
  readonly from?: string | undefined;
  readonly to?: string | undefined;
  /** Buckets reach this moment, and further where a row has a later date; with `to` they end there. */
  readonly until?: string | undefined;
  readonly by?: 'language' | 'active' | 'auth_groups' | undefined;
}
export interface UserStatsRequest {
  readonly field: 'id' | 'tc_creation' | 'tc_update';
}
export interface UsersExplore {
  readonly filters?: UsersFilters | undefined;
  readonly pagination?: PageRequest | undefined;
  readonly sorting?: UserOrder | undefined;
  readonly select?: readonly UserCondition[] | undefined;
  /** Facets are counted once more with these conditions in place of `select`. */
  readonly baseline?: readonly UserCondition[] | undefined;
  readonly facets?: readonly UserFacetRequest[] | undefined;
  readonly histogram?: UserHistogramRequest | undefined;
  readonly stats?: readonly UserStatsRequest[] | undefined;
}
export interface UsersExport {
  readonly filters?: UsersFilters | undefined;
  readonly sorting?: UserOrder | undefined;
  readonly select?: readonly UserCondition[] | undefined;
  readonly columns?: readonly (keyof User)[] | undefined;
  /** In CSV: whether cells that a spreadsheet could take for formulas get a `'`, as by default. */
  readonly formulas?: 'guard' | 'keep' | undefined;
}
export interface Member {
  /** A number or text; of documents written by others, whatever their ids are. */
  readonly id: number | string | boolean | Readonly<Record<string, unknown>> | null;
  readonly email: string | null;
  readonly first_name: string | null;
  readonly last_name: string | null;
  /** `owner` or `member`. */
  readonly role: string | null;
}
export interface Project {
  readonly identifier: string | null;
  readonly name: string | null;
  readonly type: string | null;
  /** As it is stored; null where nothing is. */
  readonly config: unknown;
  readonly users: readonly Member[];
}
export interface OwnProjectsApplied {
  readonly q?: string | undefined;
  readonly project_id?: string | undefined;
  readonly project_name?: string | undefined;
  readonly user_email?: string | undefined;
  readonly type?: 'custom' | 'demo' | 'template' | undefined;
}
export interface OwnProjectsAnswer {
  readonly data: readonly Project[];
  readonly meta: {
    readonly pagination: Pagination;
    readonly sorting: {
      readonly sort_by: 'id' | 'tc_creation' | 'tc_update';
      readonly sort_order: 'asc' | 'desc';
    };
    readonly applied_filters: OwnProjectsApplied;
  };
}
export interface OwnProjectsFilters {
  /** Contained in any of project_id, project_name, member_email; case-insensitive. */
  readonly q?: string | null | undefined;
  /** Equal to the id, a UUID in any case. */
  readonly project_id?: string | null | undefined;
  /** Contained in the value; case-insensitive. */
  readonly project_name?: string | null | undefined;
  /** Contained in the value; case-insensitive. */
  readonly user_email?: string | null | undefined;
  /** Equal to the value. */
  readonly type?: 'custom' | 'demo' | 'template' | null | undefined;
}
export interface ProjectSorting {
  /** `id` by default. */
  readonly sort_by?: 'id' | 'tc_creation' | 'tc_update' | undefined;
  /** `desc` by default. */
  readonly sort_order?: 'asc' | 'desc' | undefined;
}
export interface OwnProjectsSearch {
  readonly filters?: OwnProjectsFilters | undefined;
  readonly pagination?: PageRequest | undefined;
  readonly sorting?: ProjectSorting | undefined;
}
export interface ProjectSorted {
  readonly sort_by:
    | 'id'
    | 'project_id'
    | 'project_name'
    | 'type'
    | 'tc_creation'
    | 'tc_update'
    | 'config'
    | 'users';
  readonly sort_order: 'asc' | 'desc';
}
export type ProjectSingleCondition =
  | {
      readonly field: 'id' | 'project_id' | 'project_name' | 'type';
      readonly in: readonly (string | number | boolean | null)[];
    }
  | {
      readonly field: 'id' | 'project_id' | 'project_name' | 'type';
      readonly not_in: readonly (string | number | boolean | null)[];
    }
  | {
      readonly field: 'tc_creation' | 'tc_update';
      readonly from?: string | undefined;
      readonly to?: string | undefined;
    }
  | {
      readonly field: 'id';
      readonly from?: number | undefined;
      readonly to?: number | undefined;
    }
  | {
      readonly field: 'tc_creation' | 'tc_update';
      readonly in: readonly null[];
    }
  | {
      readonly field: 'tc_creation' | 'tc_update';
      readonly not_in: readonly null[];
    }
  | {
      readonly field: 'project_id' | 'project_name' | 'member_email';
      readonly contains: string;
    }
  | {
      readonly field: 'project_id' | 'project_name' | 'member_email';
      readonly not_contains: string;
    }
  | {
      readonly text: string;
    }
  | {
      readonly not_text: string;
    };
export type ProjectCondition =
  | ProjectSingleCondition
  | {
      /** One of these holds. */
      readonly any: readonly ProjectSingleCondition[];
    };
export interface OwnProjectsExploreAnswer {
  readonly data: readonly Project[];
  readonly facets?: readonly Facet[] | undefined;
  readonly histogram?: Histogram | undefined;
  readonly stats?: readonly Stats[] | undefined;
  readonly meta: {
    readonly pagination: Pagination;
    readonly sorting: ProjectSorted;
    readonly applied_filters: OwnProjectsApplied;
    readonly applied_sorting: readonly ProjectSorted[];
    readonly applied_select: readonly ProjectCondition[];
  };
}
export type ProjectOrder =
  | {
      /** `id` by default. */
      readonly sort_by?: ProjectSorted['sort_by'] | undefined;
      /** `desc` by default. */
      readonly sort_order?: 'asc' | 'desc' | undefined;
    }
  | readonly {
      readonly sort_by: ProjectSorted['sort_by'];
      /** `desc` by default. */
      readonly sort_order?: 'asc' | 'desc' | undefined;
    }[];
export interface ProjectFacetRequest {
  readonly field: 'type';
  readonly limit?: number | undefined;
  readonly contains?: string | undefined;
  /** Adds to each value its counts by the ten most frequent values of this field. */
  readonly by?: 'type' | undefined;
  /** `count` (the default): most frequent first. `value`: in the order of values. `lift`: most over-represented against the baseline first, others left out. */
  readonly order?: 'count' | 'value' | 'lift' | undefined;
  /** With the order `lift`: the least count of a value, 5 by default. */
  readonly min_count?: number | undefined;
}
export interface ProjectHistogramRequest {
  readonly field: 'tc_creation' | 'tc_update';
  readonly interval?: NonNullable<ScheduleHistogramRequest['interval']> | undefined;
  /** Where a plain interval (`PT1M`, `PT5M`, `PT15M`, `PT1H`, `PT6H`, `P1D`, `P1W`, `P1M`, `P1Y`, `P10Y`, `P100Y`, `P1000Y`, `P10000Y`, `P100000Y`) needs fewer buckets, `auto` takes the shortest of all that fits. */
  readonly min_buckets?: number | undefined;
  readonly max_buckets?: number | undefined;
  /** The IANA name of a time zone; UTC by default. */
  readonly time_zone?: string | undefined;
  readonly from?: string | undefined;
  readonly to?: string | undefined;
  /** Buckets reach this moment, and further where a row has a later date; with `to` they end there. */
  readonly until?: string | undefined;
  readonly by?: 'type' | undefined;
}
export interface ProjectStatsRequest {
  readonly field: 'id' | 'tc_creation' | 'tc_update';
}
export interface OwnProjectsExplore {
  readonly filters?: OwnProjectsFilters | undefined;
  readonly pagination?: PageRequest | undefined;
  readonly sorting?: ProjectOrder | undefined;
  readonly select?: readonly ProjectCondition[] | undefined;
  /** Facets are counted once more with these conditions in place of `select`. */
  readonly baseline?: readonly ProjectCondition[] | undefined;
  readonly facets?: readonly ProjectFacetRequest[] | undefined;
  readonly histogram?: ProjectHistogramRequest | undefined;
  readonly stats?: readonly ProjectStatsRequest[] | undefined;
}
export interface OwnProjectsExport {
  readonly filters?: OwnProjectsFilters | undefined;
  readonly sorting?: ProjectOrder | undefined;
  readonly select?: readonly ProjectCondition[] | undefined;
  readonly columns?: readonly (keyof Project)[] | undefined;
  /** In CSV: whether cells that a spreadsheet could take for formulas get a `'`, as by default. */
  readonly formulas?: 'guard' | 'keep' | undefined;
}
export interface AdminProjectsApplied {
  readonly q?: string | undefined;
  readonly project_id?: string | undefined;
  readonly project_name?: string | undefined;
  readonly user_email?: string | undefined;
  readonly type?: 'custom' | 'demo' | 'template' | undefined;
}
export interface AdminProjectsAnswer {
  readonly data: readonly Project[];
  readonly meta: {
    readonly pagination: Pagination;
    readonly sorting: {
      readonly sort_by: 'id' | 'tc_creation' | 'tc_update';
      readonly sort_order: 'asc' | 'desc';
    };
    readonly applied_filters: AdminProjectsApplied;
  };
}
export interface AdminProjectsFilters {
  /** Contained in any of project_id, project_name, member_email; case-insensitive. */
  readonly q?: string | null | undefined;
  /** Equal to the id, a UUID in any case. */
  readonly project_id?: string | null | undefined;
  /** Contained in the value; case-insensitive. */
  readonly project_name?: string | null | undefined;
  /** Contained in the value; case-insensitive. */
  readonly user_email?: string | null | undefined;
  /** Equal to the value. */
  readonly type?: 'custom' | 'demo' | 'template' | null | undefined;
}
export interface AdminProjectsSearch {
  readonly filters?: AdminProjectsFilters | undefined;
  readonly pagination?: PageRequest | undefined;
  readonly sorting?: ProjectSorting | undefined;
}
export interface AdminProjectsExploreAnswer {
  readonly data: readonly Project[];
  readonly facets?: readonly Facet[] | undefined;
  readonly histogram?: Histogram | undefined;
  readonly stats?: readonly Stats[] | undefined;
  readonly meta: {
    readonly pagination: Pagination;
    readonly sorting: ProjectSorted;
    readonly applied_filters: AdminProjectsApplied;
    readonly applied_sorting: readonly ProjectSorted[];
    readonly applied_select: readonly ProjectCondition[];
  };
}
export interface AdminProjectsExplore {
  readonly filters?: AdminProjectsFilters | undefined;
  readonly pagination?: PageRequest | undefined;
  readonly sorting?: ProjectOrder | undefined;
  readonly select?: readonly ProjectCondition[] | undefined;
  /** Facets are counted once more with these conditions in place of `select`. */
  readonly baseline?: readonly ProjectCondition[] | undefined;
  readonly facets?: readonly ProjectFacetRequest[] | undefined;
  readonly histogram?: ProjectHistogramRequest | undefined;
  readonly stats?: readonly ProjectStatsRequest[] | undefined;
}
export interface AdminProjectsExport {
  readonly filters?: AdminProjectsFilters | undefined;
  readonly sorting?: ProjectOrder | undefined;
  readonly select?: readonly ProjectCondition[] | undefined;
  readonly columns?: readonly (keyof Project)[] | undefined;
  /** In CSV: whether cells that a spreadsheet could take for formulas get a `'`, as by default. */
  readonly formulas?: 'guard' | 'keep' | undefined;
}
export interface Audit {
  /** A number or text; of documents written by others, whatever their ids are. */
  readonly id: number | string | boolean | Readonly<Record<string, unknown>> | null;
  readonly at: string | null;
  readonly actor: string | null;
  readonly action: string | null;
  readonly target_type: string | null;
  readonly target_id: string | null;
  /** As it is stored; null where nothing is. */
  readonly before: unknown;
  /** As it is stored; null where nothing is. */
  readonly after: unknown;
  readonly request_id: string | null;
}
export interface AuditApplied {
  readonly q?: string | undefined;
  readonly actor?: string | undefined;
  readonly action?: string | undefined;
  readonly target_type?: string | undefined;
  readonly target_id?: string | undefined;
}
export interface AuditAnswer {
  readonly data: readonly Audit[];
  readonly meta: {
    readonly pagination: Pagination;
    readonly sorting: {
      readonly sort_by: 'id' | 'at';
      readonly sort_order: 'asc' | 'desc';
    };
    readonly applied_filters: AuditApplied;
  };
}
export interface AuditFilters {
  /** Contained in any of id, actor, action, target_type, target_id, request_id; case-insensitive. */
  readonly q?: string | null | undefined;
  /** Equal to the value; case-sensitive. */
  readonly actor?: string | null | undefined;
  /** Equal to the value; case-sensitive. */
  readonly action?: string | null | undefined;
  /** Equal to the value; case-sensitive. */
  readonly target_type?: string | null | undefined;
  /** Equal to the id, a UUID in any case. */
  readonly target_id?: string | null | undefined;
}
export interface AuditSorting {
  /** `id` by default. */
  readonly sort_by?: 'id' | 'at' | undefined;
  /** `desc` by default. */
  readonly sort_order?: 'asc' | 'desc' | undefined;
}
export interface AuditSearch {
  readonly filters?: AuditFilters | undefined;
  readonly pagination?: PageRequest | undefined;
  readonly sorting?: AuditSorting | undefined;
}
export interface AuditSorted {
  readonly sort_by:
    | 'id'
    | 'at'
    | 'actor'
    | 'action'
    | 'target_type'
    | 'target_id'
    | 'request_id'
    | 'before'
    | 'after';
  readonly sort_order: 'asc' | 'desc';
}
export type AuditSingleCondition =
  | {
      readonly field: 'id' | 'actor' | 'action' | 'target_type' | 'target_id' | 'request_id';
      readonly in: readonly (string | number | boolean | null)[];
    }
  | {
      readonly field: 'id' | 'actor' | 'action' | 'target_type' | 'target_id' | 'request_id';
      readonly not_in: readonly (string | number | boolean | null)[];
    }
  | {
      readonly field: 'at';
      readonly from?: string | undefined;
      readonly to?: string | undefined;
    }
  | {
      readonly field: 'at';
      readonly in: readonly null[];
    }
  | {
      readonly field: 'at';
      readonly not_in: readonly null[];
    }
  | {
      readonly field: 'id' | 'actor' | 'action' | 'target_type' | 'target_id' | 'request_id';
      readonly contains: string;
    }
  | {
      readonly field: 'id' | 'actor' | 'action' | 'target_type' | 'target_id' | 'request_id';
      readonly not_contains: string;
    }
  | {
      readonly text: string;
    }
  | {
      readonly not_text: string;
    };
export type AuditCondition =
  | AuditSingleCondition
  | {
      /** One of these holds. */
      readonly any: readonly AuditSingleCondition[];
    };
export interface AuditExploreAnswer {
  readonly data: readonly Audit[];
  readonly facets?: readonly Facet[] | undefined;
  readonly histogram?: Histogram | undefined;
  readonly stats?: readonly Stats[] | undefined;
  readonly meta: {
    readonly pagination: Pagination;
    readonly sorting: AuditSorted;
    readonly applied_filters: AuditApplied;
    readonly applied_sorting: readonly AuditSorted[];
    readonly applied_select: readonly AuditCondition[];
  };
}
export type AuditOrder =
  | {
      /** `id` by default. */
      readonly sort_by?: AuditSorted['sort_by'] | undefined;
      /** `desc` by default. */
      readonly sort_order?: 'asc' | 'desc' | undefined;
    }
  | readonly {
      readonly sort_by: AuditSorted['sort_by'];
      /** `desc` by default. */
      readonly sort_order?: 'asc' | 'desc' | undefined;
    }[];
export interface AuditFacetRequest {
  readonly field: 'actor' | 'action' | 'target_type';
  readonly limit?: number | undefined;
  readonly contains?: string | undefined;
  /** Adds to each value its counts by the ten most frequent values of this field. */
  readonly by?: 'actor' | 'action' | 'target_type' | undefined;
  /** `count` (the default): most frequent first. `value`: in the order of values. `lift`: most over-represented against the baseline first, others left out. */
  readonly order?: 'count' | 'value' | 'lift' | undefined;
  /** With the order `lift`: the least count of a value, 5 by default. */
  readonly min_count?: number | undefined;
}
export interface AuditHistogramRequest {
  readonly field: 'at';
  readonly interval?: NonNullable<ScheduleHistogramRequest['interval']> | undefined;
  /** Where a plain interval (`PT1M`, `PT5M`, `PT15M`, `PT1H`, `PT6H`, `P1D`, `P1W`, `P1M`, `P1Y`, `P10Y`, `P100Y`, `P1000Y`, `P10000Y`, `P100000Y`) needs fewer buckets, `auto` takes the shortest of all that fits. */
  readonly min_buckets?: number | undefined;
  readonly max_buckets?: number | undefined;
  /** The IANA name of a time zone; UTC by default. */
  readonly time_zone?: string | undefined;
  readonly from?: string | undefined;
  readonly to?: string | undefined;
  /** Buckets reach this moment, and further where a row has a later date; with `to` they end there. */
  readonly until?: string | undefined;
  readonly by?: 'actor' | 'action' | 'target_type' | undefined;
}
export interface AuditStatsRequest {
  readonly field: 'at';
}
export interface AuditExplore {
  readonly filters?: AuditFilters | undefined;
  readonly pagination?: PageRequest | undefined;
  readonly sorting?: AuditOrder | undefined;
  readonly select?: readonly AuditCondition[] | undefined;
  /** Facets are counted once more with these conditions in place of `select`. */
  readonly baseline?: readonly AuditCondition[] | undefined;
  readonly facets?: readonly AuditFacetRequest[] | undefined;
  readonly histogram?: AuditHistogramRequest | undefined;
  readonly stats?: readonly AuditStatsRequest[] | undefined;
}
export interface AuditExport {
  readonly filters?: AuditFilters | undefined;
  readonly sorting?: AuditOrder | undefined;
  readonly select?: readonly AuditCondition[] | undefined;
  readonly columns?: readonly (keyof Audit)[] | undefined;
  /** In CSV: whether cells that a spreadsheet could take for formulas get a `'`, as by default. */
  readonly formulas?: 'guard' | 'keep' | undefined;
}
export interface ScheduleChange {
  readonly enabled: boolean;
}
export interface PreserveChange {
  readonly preserve: boolean;
}
export interface TableField {
  readonly type:
    | 'string'
    | 'number'
    | 'decimal'
    | 'boolean'
    | 'date'
    | 'objectId'
    | 'uuid'
    | 'mixed'
    | 'seconds';
  /** Whether a document may hold several values. */
  readonly several: boolean;
  readonly title: string;
  readonly uses: readonly ('text' | 'filter' | 'facet' | 'sort' | 'range' | 'show')[];
  /** How the value looks to people; null for the usual look of its type. */
  readonly look:
    | 'status'
    | 'code'
    | 'bytes'
    | 'seconds'
    | 'json'
    | {
        readonly link: string;
      }
    | {
        readonly money: string;
      }
    | null;
  /** For a label: the table that it comes from, if the caller may see that table. */
  readonly label_of: {
    readonly table: string;
    readonly through: string;
  } | null;
}
export interface TableDescription {
  readonly name: string;
  readonly title: string;
  /** Rows that the caller may see; null while the index cannot tell. */
  readonly count: number | null;
  /** Where the search stands. */
  readonly path: string;
  /** The field that names a row. */
  readonly key: string;
  readonly fields: Readonly<Record<string, TableField>>;
  readonly text: readonly string[];
  readonly facets: readonly string[];
  /** Members of `filters`. */
  readonly filters: readonly string[];
  /** Fields that conditions can be on. */
  readonly select: readonly string[];
  /** Those of them whose values conditions can list. */
  readonly values: readonly string[];
  /** Those of them that take a range. */
  readonly ranges: Readonly<Record<string, 'date' | 'number'>>;
  /** Fields in which conditions can look for a text. */
  readonly contains: readonly string[];
  /** Fields that can be counted by time. */
  readonly times: readonly string[];
  /** Fields that have statistics. */
  readonly stats: readonly string[];
  /** Fields that a search sorts by. */
  readonly sorts: readonly string[];
  /** Fields that an explore and an export sort by. */
  readonly orders: readonly string[];
  readonly columns: readonly string[];
  readonly default_sort: {
    readonly sort_by: string;
    readonly sort_order: 'asc' | 'desc';
  };
  /** Only documents of this span before now are rows; null where all are. */
  readonly window: {
    /** The date that decides; null where it is hidden from the caller. */
    readonly field: string | null;
    /** Hours, days or weeks, such as `12h`, `90d`, `8w`. */
    readonly span: string;
  } | null;
  /** Whether the caller may read whole documents. */
  readonly documents: boolean;
}
export interface TableAnswer {
  readonly data: readonly Readonly<Record<string, unknown>>[];
  readonly meta: Readonly<Record<string, unknown>>;
}
export interface TableSearch {
  /** `q`, and each string field that may be filtered. */
  readonly filters?: Readonly<Record<string, string | null>> | undefined;
  readonly sorting?:
    | {
        readonly sort_by?: string | undefined;
        readonly sort_order?: 'asc' | 'desc' | undefined;
      }
    | undefined;
  readonly select?: readonly Readonly<Record<string, unknown>>[] | undefined;
  readonly pagination?:
    | {
        readonly page?: number | undefined;
        readonly per_page?: number | undefined;
      }
    | undefined;
}
export interface TableExplore {
  /** `q`, and each string field that may be filtered. */
  readonly filters?: Readonly<Record<string, string | null>> | undefined;
  readonly sorting?:
    | {
        readonly sort_by?: string | undefined;
        readonly sort_order?: 'asc' | 'desc' | undefined;
      }
    | readonly {
        readonly sort_by?: string | undefined;
        readonly sort_order?: 'asc' | 'desc' | undefined;
      }[]
    | undefined;
  readonly select?: readonly Readonly<Record<string, unknown>>[] | undefined;
  readonly pagination?:
    | {
        readonly page?: number | undefined;
        readonly per_page?: number | undefined;
      }
    | undefined;
  readonly baseline?: readonly Readonly<Record<string, unknown>>[] | undefined;
  readonly facets?: readonly Readonly<Record<string, unknown>>[] | undefined;
  readonly histogram?: Readonly<Record<string, unknown>> | undefined;
  readonly stats?: readonly Readonly<Record<string, unknown>>[] | undefined;
}
export interface TableExplain {
  /** `q`, and each string field that may be filtered. */
  readonly filters?: Readonly<Record<string, string | null>> | undefined;
  readonly sorting?:
    | {
        readonly sort_by?: string | undefined;
        readonly sort_order?: 'asc' | 'desc' | undefined;
      }
    | readonly {
        readonly sort_by?: string | undefined;
        readonly sort_order?: 'asc' | 'desc' | undefined;
      }[]
    | undefined;
  readonly select?: readonly Readonly<Record<string, unknown>>[] | undefined;
  readonly pagination?:
    | {
        readonly page?: number | undefined;
        readonly per_page?: number | undefined;
      }
    | undefined;
  readonly baseline?: readonly Readonly<Record<string, unknown>>[] | undefined;
  readonly facets?: readonly Readonly<Record<string, unknown>>[] | undefined;
  readonly histogram?: Readonly<Record<string, unknown>> | undefined;
  readonly stats?: readonly Readonly<Record<string, unknown>>[] | undefined;
}
export interface TableExport {
  /** `q`, and each string field that may be filtered. */
  readonly filters?: Readonly<Record<string, string | null>> | undefined;
  readonly sorting?:
    | {
        readonly sort_by?: string | undefined;
        readonly sort_order?: 'asc' | 'desc' | undefined;
      }
    | readonly {
        readonly sort_by?: string | undefined;
        readonly sort_order?: 'asc' | 'desc' | undefined;
      }[]
    | undefined;
  readonly select?: readonly Readonly<Record<string, unknown>>[] | undefined;
  readonly columns?: readonly string[] | undefined;
  readonly formulas?: 'guard' | 'keep' | undefined;
}
export interface SavedView {
  readonly view_id: string;
  readonly table: string;
  readonly name: string;
  readonly description: string;
  readonly address: string;
  readonly visibility: 'private' | 'project' | 'everyone';
  readonly project_id: string | null;
  readonly is_default: boolean;
  /** The `sub` of the token that made it. */
  readonly owner: string;
  /** Whether the caller is the owner. */
  readonly mine: boolean;
  readonly tc_creation: string;
  readonly tc_update: string;
}
export interface NewSavedView {
  /** The name of a table that the caller may see. */
  readonly table: string;
  /** A text that is not blank, without NUL. */
  readonly name: string;
  readonly description?: string | undefined;
  /** The query of the web UI's address, percent-encoded and without its question mark. */
  readonly address: string;
  /** Who sees it; `private` by default. `everyone` is for admins. */
  readonly visibility?: 'private' | 'project' | 'everyone' | undefined;
  /** The project, where `visibility` is `project`. */
  readonly project_id?: string | null | undefined;
  /** Whether the table opens with it. The default before is one no longer. */
  readonly is_default?: boolean | undefined;
}
export interface SavedViewChange {
  /** A text that is not blank, without NUL. */
  readonly name?: string | undefined;
  readonly description?: string | undefined;
  /** The query of the web UI's address, percent-encoded and without its question mark. */
  readonly address?: string | undefined;
  /** Who sees it; `private` by default. `everyone` is for admins. */
  readonly visibility?: 'private' | 'project' | 'everyone' | undefined;
  /** The project, where `visibility` is `project`. */
  readonly project_id?: string | null | undefined;
  /** Whether the table opens with it. The default before is one no longer. */
  readonly is_default?: boolean | undefined;
}
/** The types of each operation that is no search. */
export interface Operations {
  /** Delete a schedule. */
  deleteAnySchedule: {
    readonly path: {
      readonly schedule_id: string;
    };
    readonly query: {
      readonly scope?: 'project' | 'system' | 'backup_infrastructure' | undefined;
    };
    readonly body: undefined;
    readonly answer: undefined;
  };
  /** Enable or disable a schedule. */
  switchAnySchedule: {
    readonly path: {
      readonly schedule_id: string;
    };
    readonly query: {
      readonly scope?: 'project' | 'system' | 'backup_infrastructure' | undefined;
    };
    readonly body: ScheduleChange;
    readonly answer: Schedule;
  };
  /** Delete a schedule. */
  deleteScheduleOfAnyProject: {
    readonly path: {
      readonly project_id: string;
      readonly schedule_id: string;
    };
    readonly query: Readonly<Record<never, never>>;
    readonly body: undefined;
    readonly answer: undefined;
  };
  /** Enable or disable a schedule. */
  switchScheduleOfAnyProject: {
    readonly path: {
      readonly project_id: string;
      readonly schedule_id: string;
    };
    readonly query: Readonly<Record<never, never>>;
    readonly body: ScheduleChange;
    readonly answer: Schedule;
  };
  /** Delete a schedule. */
  deleteScheduleOfProject: {
    readonly path: {
      readonly project_id: string;
      readonly schedule_id: string;
    };
    readonly query: Readonly<Record<never, never>>;
    readonly body: undefined;
    readonly answer: undefined;
  };
  /** Enable or disable a schedule. */
  switchScheduleOfProject: {
    readonly path: {
      readonly project_id: string;
      readonly schedule_id: string;
    };
    readonly query: Readonly<Record<never, never>>;
    readonly body: ScheduleChange;
    readonly answer: Schedule;
  };
  /** Cancel a task that has not ended. */
  cancelTask: {
    readonly path: {
      readonly task_id: string;
    };
    readonly query: Readonly<Record<never, never>>;
    readonly body: undefined;
    readonly answer: Task;
  };
  /** Revoke every running system and backup task that is not preserved. */
  cleanUpTasks: {
    readonly path: Readonly<Record<never, never>>;
    readonly query: Readonly<Record<never, never>>;
    readonly body: undefined;
    readonly answer: {
      readonly revoked: number;
      readonly task_ids: readonly string[];
    };
  };
  /** Preserve a task from cleanup, or stop preserving it. */
  preserveTask: {
    readonly path: {
      readonly project_id: string;
      readonly task_id: string;
    };
    readonly query: Readonly<Record<never, never>>;
    readonly body: PreserveChange;
    readonly answer: Task;
  };
  /** Read a task's metadata. */
  readTaskMetadata: {
    readonly path: {
      readonly project_id: string;
      readonly task_id: string;
    };
    readonly query: Readonly<Record<never, never>>;
    readonly body: undefined;
    readonly answer: {
      readonly task_id: string | null;
      readonly status: string | null;
      readonly name: string | null;
      /** The label of a known task type, else the stored key. */
      readonly routing_key: string | null;
      readonly dates: {
        readonly date_queued: string | null;
        readonly date_started: string | null;
        readonly date_done: string | null;
        readonly eta: string | null;
      };
      readonly artifacts: readonly unknown[];
      readonly snapshot: {
        readonly file_name: string | null;
        readonly size: number;
        readonly content_type: string | null;
      } | null;
      readonly log_lines: number;
    };
  };
  /** List the task types and their routing keys. */
  listRoutingKeys: {
    readonly path: Readonly<Record<never, never>>;
    readonly query: Readonly<Record<never, never>>;
    readonly body: undefined;
    readonly answer: {
      readonly data: readonly {
        readonly routing_key: string;
        readonly task_type: string;
        readonly task_name: string;
        readonly label: string;
        readonly scopes: readonly ('project' | 'system' | 'backup_infrastructure')[];
      }[];
    };
  };
  /** Read a task's log: pages of JSON, plain text, or live events. */
  readLog: {
    readonly path: {
      readonly task_id: string;
    };
    readonly query: {
      readonly after?: number | undefined;
      readonly last?: number | undefined;
      readonly limit?: number | undefined;
    };
    readonly body: undefined;
    readonly answer: {
      readonly data: readonly {
        readonly seq: number | string | null;
        readonly ts: string | null;
        readonly level: string | null;
        readonly message: string | null;
      }[];
      readonly next_after: number | string | null;
    };
  };
  /** Read a task's log: pages of JSON, plain text, or live events. */
  readLogOfProject: {
    readonly path: {
      readonly project_id: string;
      readonly task_id: string;
    };
    readonly query: {
      readonly after?: number | undefined;
      readonly last?: number | undefined;
      readonly limit?: number | undefined;
    };
    readonly body: undefined;
    readonly answer: {
      readonly data: readonly {
        readonly seq: number | string | null;
        readonly ts: string | null;
        readonly level: string | null;
        readonly message: string | null;
      }[];
      readonly next_after: number | string | null;
    };
  };
  /** Read a task's log: pages of JSON, plain text, or live events. */
  readAnyLog: {
    readonly path: {
      readonly task_id: string;
    };
    readonly query: {
      readonly after?: number | undefined;
      readonly last?: number | undefined;
      readonly limit?: number | undefined;
    };
    readonly body: undefined;
    readonly answer: {
      readonly data: readonly {
        readonly seq: number | string | null;
        readonly ts: string | null;
        readonly level: string | null;
        readonly message: string | null;
      }[];
      readonly next_after: number | string | null;
    };
  };
  /** Download a task's snapshot. */
  downloadSnapshot: {
    readonly path: {
      readonly task_id: string;
    };
    readonly query: Readonly<Record<never, never>>;
    readonly body: undefined;
    readonly answer: undefined;
  };
  /** List the tables that the caller may see. */
  listTables: {
    readonly path: Readonly<Record<never, never>>;
    readonly query: Readonly<Record<never, never>>;
    readonly body: undefined;
    readonly answer: {
      readonly data: readonly TableDescription[];
      readonly meta: {
        /** Whether the service has the built-in tables as well. */
        readonly built_in_tables: boolean;
        /** Whether the service keeps saved views. */
        readonly saved_views: boolean;
      };
    };
  };
  /** Read a whole document. */
  readDocument: {
    readonly path: {
      readonly table: string;
      readonly id: string;
    };
    readonly query: Readonly<Record<never, never>>;
    readonly body: undefined;
    readonly answer: Readonly<Record<string, unknown>>;
  };
  /** List the views that the caller may see. */
  listViews: {
    readonly path: Readonly<Record<never, never>>;
    readonly query: Readonly<Record<never, never>>;
    readonly body: undefined;
    readonly answer: {
      readonly records: readonly SavedView[];
    };
  };
  /** Save a view. */
  createView: {
    readonly path: Readonly<Record<never, never>>;
    readonly query: Readonly<Record<never, never>>;
    readonly body: NewSavedView;
    readonly answer: SavedView;
  };
  /** Change a view. */
  changeView: {
    readonly path: {
      readonly view_id: string;
    };
    readonly query: Readonly<Record<never, never>>;
    readonly body: SavedViewChange;
    readonly answer: SavedView;
  };
  /** Delete a view. */
  deleteView: {
    readonly path: {
      readonly view_id: string;
    };
    readonly query: Readonly<Record<never, never>>;
    readonly body: undefined;
    readonly answer: undefined;
  };
}
/** Where each operation stands. */
export const OPERATIONS = {
  deleteAnySchedule: { method: 'DELETE', path: '/api/v2/admin/schedules/{schedule_id}' },
  switchAnySchedule: { method: 'PATCH', path: '/api/v2/admin/schedules/{schedule_id}' },
  deleteScheduleOfAnyProject: {
    method: 'DELETE',
    path: '/api/v2/admin/projects/{project_id}/schedules/{schedule_id}',
  },
  switchScheduleOfAnyProject: {
    method: 'PATCH',
    path: '/api/v2/admin/projects/{project_id}/schedules/{schedule_id}',
  },
  deleteScheduleOfProject: {
    method: 'DELETE',
    path: '/api/v2/projects/{project_id}/schedules/{schedule_id}',
  },
  switchScheduleOfProject: {
    method: 'PATCH',
    path: '/api/v2/projects/{project_id}/schedules/{schedule_id}',
  },
  cancelTask: { method: 'POST', path: '/api/v2/tasks/{task_id}/cancel' },
  cleanUpTasks: { method: 'POST', path: '/api/v2/admin/tasks/cleanup' },
  preserveTask: { method: 'PUT', path: '/api/v2/projects/{project_id}/tasks/{task_id}/preserve' },
  readTaskMetadata: {
    method: 'GET',
    path: '/api/v2/projects/{project_id}/tasks/{task_id}/metadata',
  },
  listRoutingKeys: { method: 'GET', path: '/api/v2/tasks/routing-keys' },
  readLog: { method: 'GET', path: '/api/v2/tasks/{task_id}/logs' },
  readLogOfProject: { method: 'GET', path: '/api/v2/projects/{project_id}/tasks/{task_id}/logs' },
  readAnyLog: { method: 'GET', path: '/api/v2/admin/tasks/{task_id}/logs' },
  downloadSnapshot: { method: 'GET', path: '/api/v2/tasks/{task_id}/snapshot/download' },
  listTables: { method: 'GET', path: '/api/v2/tables' },
  readDocument: { method: 'GET', path: '/api/v2/tables/{table}/documents/{id}' },
  listViews: { method: 'GET', path: '/api/v2/views' },
  createView: { method: 'POST', path: '/api/v2/views' },
  changeView: { method: 'PATCH', path: '/api/v2/views/{view_id}' },
  deleteView: { method: 'DELETE', path: '/api/v2/views/{view_id}' },
} as const;
/** The types of each search. */
export interface Views {
  adminSchedules: {
    readonly path: Readonly<Record<never, never>>;
    readonly record: Schedule;
    readonly search: AdminSchedulesSearch;
    readonly answer: AdminSchedulesAnswer;
    readonly explore: AdminSchedulesExplore;
    readonly explored: AdminSchedulesExploreAnswer;
    readonly export: AdminSchedulesExport;
  };
  projectSchedules: {
    readonly path: {
      readonly project_id: string;
    };
    readonly record: Schedule;
    readonly search: ProjectSchedulesSearch;
    readonly answer: ProjectSchedulesAnswer;
    readonly explore: ProjectSchedulesExplore;
    readonly explored: ProjectSchedulesExploreAnswer;
    readonly export: ProjectSchedulesExport;
  };
  adminTasks: {
    readonly path: Readonly<Record<never, never>>;
    readonly record: Task;
    readonly search: AdminTasksSearch;
    readonly answer: AdminTasksAnswer;
    readonly explore: AdminTasksExplore;
    readonly explored: AdminTasksExploreAnswer;
    readonly export: AdminTasksExport;
  };
  projectTasks: {
    readonly path: {
      readonly project_id: string;
    };
    readonly record: Task;
    readonly search: ProjectTasksSearch;
    readonly answer: ProjectTasksAnswer;
    readonly explore: ProjectTasksExplore;
    readonly explored: ProjectTasksExploreAnswer;
    readonly export: ProjectTasksExport;
  };
  users: {
    readonly path: Readonly<Record<never, never>>;
    readonly record: User;
    readonly search: UsersSearch;
    readonly answer: UsersAnswer;
    readonly explore: UsersExplore;
    readonly explored: UsersExploreAnswer;
    readonly export: UsersExport;
  };
  ownProjects: {
    readonly path: Readonly<Record<never, never>>;
    readonly record: Project;
    readonly search: OwnProjectsSearch;
    readonly answer: OwnProjectsAnswer;
    readonly explore: OwnProjectsExplore;
    readonly explored: OwnProjectsExploreAnswer;
    readonly export: OwnProjectsExport;
  };
  adminProjects: {
    readonly path: Readonly<Record<never, never>>;
    readonly record: Project;
    readonly search: AdminProjectsSearch;
    readonly answer: AdminProjectsAnswer;
    readonly explore: AdminProjectsExplore;
    readonly explored: AdminProjectsExploreAnswer;
    readonly export: AdminProjectsExport;
  };
  audit: {
    readonly path: Readonly<Record<never, never>>;
    readonly record: Audit;
    readonly search: AuditSearch;
    readonly answer: AuditAnswer;
    readonly explore: AuditExplore;
    readonly explored: AuditExploreAnswer;
    readonly export: AuditExport;
  };
}

export interface FilterDescription {
  readonly takes: 'text' | 'texts' | 'integer' | 'boolean' | 'choice';
  /** The values of a choice. */
  readonly choices?: readonly string[];
  /** For people. */
  readonly meaning: string;
}

export interface ViewDescription {
  readonly path: string;
  /** Whether the path names a project. */
  readonly ofProject: boolean;
  readonly filters: Readonly<Record<string, FilterDescription>>;
  /** Members of a record that the text search looks into. */
  readonly searched: readonly string[];
  /** Fields that a search sorts by; the first is the default. */
  readonly sorts: readonly string[];
  /** Fields that an explore and an export sort by. */
  readonly orders: readonly string[];
  /** Members of a record, and what their values are where they are as they should be. */
  readonly columns: Readonly<
    Record<string, 'id' | 'text' | 'number' | 'boolean' | 'date' | 'json'>
  >;
  /** Fields that conditions can be on. */
  readonly conditions: readonly string[];
  /** Those of them whose values conditions can list. */
  readonly values: readonly string[];
  /** Those of them that can be asked for a range. */
  readonly ranges: Readonly<Record<string, 'date' | 'number'>>;
  /** Fields, and labels, in which conditions can look for a text. */
  readonly contains: readonly string[];
  /** Fields that can be counted by value. */
  readonly facets: readonly string[];
  /** Fields that can be counted by time. */
  readonly times: readonly string[];
  /** Fields that have statistics. */
  readonly stats: readonly string[];
}

type OfRecord = Omit<ViewDescription, 'path' | 'ofProject' | 'filters'>;
const SCHEDULE: OfRecord = {
  searched: ['project_id', 'schedule_id', 'project_name', 'user_email', 'task_name'],
  sorts: ['schedule_id', 'project_id', 'date_last_run_at', 'total_run_count', 'enabled'],
  orders: [
    'schedule_id',
    'project_id',
    'project_name',
    'user_email',
    'task_name',
    'task_type',
    'crontab',
    'enabled',
    'scope',
    'folder',
    'date_last_run_at',
    'total_run_count',
  ],
  columns: {
    schedule_id: 'id',
    project_id: 'text',
    project_name: 'text',
    folder: 'text',
    user_email: 'text',
    enabled: 'boolean',
    crontab: 'text',
    date_last_run_at: 'date',
    total_run_count: 'number',
    task_name: 'text',
    task_type: 'text',
    task_args: 'json',
    scope: 'text',
  },
  conditions: [
    'schedule_id',
    'project_id',
    'user_email',
    'task_name',
    'task_type',
    'crontab',
    'enabled',
    'scope',
    'folder',
    'date_last_run_at',
    'total_run_count',
  ],
  values: [
    'schedule_id',
    'project_id',
    'user_email',
    'task_name',
    'task_type',
    'crontab',
    'enabled',
    'scope',
    'folder',
  ],
  ranges: { date_last_run_at: 'date', total_run_count: 'number' },
  contains: ['schedule_id', 'project_id', 'project_name', 'user_email', 'task_name', 'task_label'],
  facets: ['project_id', 'user_email', 'task_type', 'enabled', 'scope', 'folder'],
  times: ['date_last_run_at'],
  stats: ['date_last_run_at', 'total_run_count'],
};
const TASK: OfRecord = {
  searched: [
    'task_id',
    'project_id',
    'project_name',
    'user_email',
    'name',
    'routing_key',
    'folder',
    'worker',
    'status',
    'exception_type',
  ],
  sorts: ['id', 'date_started', 'date_queued', 'date_done'],
  orders: [
    'id',
    'task_id',
    'project_id',
    'project_name',
    'user_email',
    'name',
    'routing_key',
    'task_type',
    'folder',
    'worker',
    'status',
    'datamimic_status',
    'exception_type',
    'scope',
    'preserve',
    'retries',
    'date_started',
    'date_queued',
    'date_done',
    'eta',
    'args',
    'traceback',
    'execution_time',
  ],
  columns: {
    id: 'id',
    task_id: 'text',
    project_id: 'text',
    project_name: 'text',
    folder: 'text',
    user_email: 'text',
    args: 'json',
    status: 'text',
    datamimic_status: 'text',
    date_queued: 'date',
    date_started: 'date',
    date_done: 'date',
    eta: 'date',
    exception_type: 'text',
    traceback: 'text',
    worker: 'text',
    retries: 'number',
    preserve: 'boolean',
    execution_time: 'number',
    name: 'text',
    routing_key: 'text',
    scope: 'text',
    task_type: 'text',
    artifacts: 'json',
  },
  conditions: [
    'id',
    'task_id',
    'project_id',
    'user_email',
    'name',
    'routing_key',
    'task_type',
    'folder',
    'worker',
    'status',
    'datamimic_status',
    'exception_type',
    'scope',
    'preserve',
    'date_started',
    'date_queued',
    'date_done',
    'eta',
    'retries',
    'execution_time',
  ],
  values: [
    'id',
    'task_id',
    'project_id',
    'user_email',
    'name',
    'routing_key',
    'task_type',
    'folder',
    'worker',
    'status',
    'datamimic_status',
    'exception_type',
    'scope',
    'preserve',
  ],
  ranges: {
    date_started: 'date',
    date_queued: 'date',
    date_done: 'date',
    eta: 'date',
    id: 'number',
    retries: 'number',
    execution_time: 'number',
  },
  contains: [
    'task_id',
    'project_id',
    'project_name',
    'user_email',
    'name',
    'routing_key',
    'routing_label',
    'folder',
    'worker',
    'status',
    'exception_type',
  ],
  facets: [
    'project_id',
    'user_email',
    'name',
    'routing_key',
    'task_type',
    'folder',
    'worker',
    'status',
    'exception_type',
    'scope',
    'preserve',
  ],
  times: ['date_started', 'date_queued', 'date_done', 'eta'],
  stats: ['id', 'retries', 'date_started', 'date_queued', 'date_done', 'eta', 'execution_time'],
};
const USER: OfRecord = {
  searched: ['id', 'email', 'first_name', 'last_name'],
  sorts: ['id', 'tc_creation', 'tc_update', 'email'],
  orders: [
    'id',
    'email',
    'first_name',
    'last_name',
    'language',
    'active',
    'auth_groups',
    'tc_creation',
    'tc_update',
    'preferences',
  ],
  columns: {
    id: 'id',
    email: 'text',
    first_name: 'text',
    last_name: 'text',
    language: 'text',
    active: 'boolean',
    tc_creation: 'date',
    tc_update: 'date',
    auth_groups: 'json',
    preferences: 'json',
  },
  conditions: [
    'id',
    'email',
    'first_name',
    'last_name',
    'language',
    'active',
    'auth_groups',
    'tc_creation',
    'tc_update',
  ],
  values: ['id', 'email', 'first_name', 'last_name', 'language', 'active', 'auth_groups'],
  ranges: { tc_creation: 'date', tc_update: 'date', id: 'number' },
  contains: ['email', 'first_name', 'last_name', 'language'],
  facets: ['language', 'active', 'auth_groups'],
  times: ['tc_creation', 'tc_update'],
  stats: ['id', 'tc_creation', 'tc_update'],
};
const PROJECT: OfRecord = {
  searched: ['identifier', 'name', 'users'],
  sorts: ['id', 'tc_creation', 'tc_update'],
  orders: [
    'id',
    'project_id',
    'project_name',
    'type',
    'tc_creation',
    'tc_update',
    'config',
    'users',
  ],
  columns: { identifier: 'text', name: 'text', type: 'text', config: 'json', users: 'json' },
  conditions: ['id', 'project_id', 'project_name', 'type', 'tc_creation', 'tc_update'],
  values: ['id', 'project_id', 'project_name', 'type'],
  ranges: { tc_creation: 'date', tc_update: 'date', id: 'number' },
  contains: ['project_id', 'project_name', 'member_email'],
  facets: ['type'],
  times: ['tc_creation', 'tc_update'],
  stats: ['id', 'tc_creation', 'tc_update'],
};
const AUDIT: OfRecord = {
  searched: ['id', 'actor', 'action', 'target_type', 'target_id', 'request_id'],
  sorts: ['id', 'at'],
  orders: [
    'id',
    'at',
    'actor',
    'action',
    'target_type',
    'target_id',
    'request_id',
    'before',
    'after',
  ],
  columns: {
    id: 'id',
    at: 'date',
    actor: 'text',
    action: 'text',
    target_type: 'text',
    target_id: 'text',
    before: 'json',
    after: 'json',
    request_id: 'text',
  },
  conditions: ['id', 'actor', 'action', 'target_type', 'target_id', 'request_id', 'at'],
  values: ['id', 'actor', 'action', 'target_type', 'target_id', 'request_id'],
  ranges: { at: 'date' },
  contains: ['id', 'actor', 'action', 'target_type', 'target_id', 'request_id'],
  facets: ['actor', 'action', 'target_type'],
  times: ['at'],
  stats: ['at'],
};
/** What can be asked of each search, as data. */
export const VIEWS: { readonly [V in keyof Views]: ViewDescription } = {
  adminSchedules: {
    path: '/api/v2/admin/schedules/search',
    ofProject: false,
    filters: {
      q: {
        takes: 'text',
        meaning:
          'Contained in any of project_id, schedule_id, project_name, user_email, task_name; case-insensitive. The label or name of a task type also selects that type.',
      },
      project_id: {
        takes: 'text',
        meaning:
          'Equal to the id, a UUID in any case. Other text is 400 `InvalidScheduleSearchRequest`.',
      },
      schedule_id: {
        takes: 'text',
        meaning:
          'Equal to the id, a UUID in any case. Other text is 400 `InvalidScheduleSearchRequest`.',
      },
      user_email: { takes: 'text', meaning: 'Contained in the value; case-insensitive.' },
      enabled: { takes: 'boolean', meaning: 'Equal to the value.' },
      scope: {
        takes: 'choice',
        choices: ['project', 'system', 'backup_infrastructure'],
        meaning: 'Equal to the value.',
      },
    },
    ...SCHEDULE,
  },
  projectSchedules: {
    path: '/api/v2/projects/{project_id}/schedules/search',
    ofProject: true,
    filters: {
      q: {
        takes: 'text',
        meaning:
          'Contained in any of project_id, schedule_id, project_name, user_email, task_name; case-insensitive. The label or name of a task type also selects that type.',
      },
      project_id: {
        takes: 'text',
        meaning:
          'Equal to the id, a UUID in any case. Other text is 400 `InvalidScheduleSearchRequest`.',
      },
      schedule_id: {
        takes: 'text',
        meaning:
          'Equal to the id, a UUID in any case. Other text is 400 `InvalidScheduleSearchRequest`.',
      },
      user_email: { takes: 'text', meaning: 'Contained in the value; case-insensitive.' },
      enabled: { takes: 'boolean', meaning: 'Equal to the value.' },
      scope: {
        takes: 'choice',
        choices: ['project', 'system', 'backup_infrastructure'],
        meaning: 'Equal to the value.',
      },
    },
    ...SCHEDULE,
  },
  adminTasks: {
    path: '/api/v2/admin/tasks/search',
    ofProject: false,
    filters: {
      q: {
        takes: 'text',
        meaning:
          'Contained in any of task_id, project_id, project_name, user_email, name, routing_key, routing_label, folder, worker, status, exception_type; case-insensitive.',
      },
      task_id: { takes: 'text', meaning: 'Equal to the id, a UUID in any case.' },
      project_id: {
        takes: 'text',
        meaning:
          'Equal to the id, a UUID in any case. Other text is 400 `InvalidTaskSearchRequest`.',
      },
      project_name: { takes: 'text', meaning: 'Contained in the value; case-insensitive.' },
      user_email: { takes: 'text', meaning: 'Contained in the value; case-insensitive.' },
      scope: {
        takes: 'choice',
        choices: ['project', 'system', 'backup_infrastructure'],
        meaning: 'Equal to the value.',
      },
      routing_keys: {
        takes: 'texts',
        meaning: 'Equal to one of these routing keys, each canonical or a label.',
      },
      get_artifacts_metadata: {
        takes: 'boolean',
        meaning: 'Whether records show additional members.',
      },
    },
    ...TASK,
  },
  projectTasks: {
    path: '/api/v2/projects/{project_id}/tasks/search',
    ofProject: true,
    filters: {
      q: {
        takes: 'text',
        meaning:
          'Contained in any of task_id, project_id, project_name, user_email, name, routing_key, routing_label, folder, worker, status, exception_type; case-insensitive.',
      },
      user_email: { takes: 'text', meaning: 'Contained in the value; case-insensitive.' },
      routing_keys: {
        takes: 'texts',
        meaning: 'Equal to one of these routing keys, each canonical or a label.',
      },
    },
    ...TASK,
  },
  users: {
    path: '/api/v2/users/search',
    ofProject: false,
    filters: {
      q: {
        takes: 'text',
        meaning: 'Contained in any of id_text, email, first_name, last_name; case-insensitive.',
      },
      id: { takes: 'integer', meaning: 'Equal to the value.' },
      email: {
        takes: 'text',
        meaning: 'Contained in the value, or equal to it: see `match_type`.',
      },
      active: { takes: 'boolean', meaning: 'Equal to the value.' },
      first_name: {
        takes: 'text',
        meaning: 'Contained in the value, or equal to it: see `match_type`.',
      },
      last_name: {
        takes: 'text',
        meaning: 'Contained in the value, or equal to it: see `match_type`.',
      },
      language: {
        takes: 'text',
        meaning: 'Contained in the value, or equal to it: see `match_type`.',
      },
      match_type: {
        takes: 'choice',
        choices: ['like', 'exact'],
        meaning:
          'How text filters compare: `like` (the default) finds the text anywhere, case-insensitive; `exact` finds equal values.',
      },
    },
    ...USER,
  },
  ownProjects: {
    path: '/api/v2/projects/search',
    ofProject: false,
    filters: {
      q: {
        takes: 'text',
        meaning: 'Contained in any of project_id, project_name, member_email; case-insensitive.',
      },
      project_id: { takes: 'text', meaning: 'Equal to the id, a UUID in any case.' },
      project_name: { takes: 'text', meaning: 'Contained in the value; case-insensitive.' },
      user_email: { takes: 'text', meaning: 'Contained in the value; case-insensitive.' },
      type: {
        takes: 'choice',
        choices: ['custom', 'demo', 'template'],
        meaning: 'Equal to the value.',
      },
    },
    ...PROJECT,
  },
  adminProjects: {
    path: '/api/v2/admin/projects/search',
    ofProject: false,
    filters: {
      q: {
        takes: 'text',
        meaning: 'Contained in any of project_id, project_name, member_email; case-insensitive.',
      },
      project_id: { takes: 'text', meaning: 'Equal to the id, a UUID in any case.' },
      project_name: { takes: 'text', meaning: 'Contained in the value; case-insensitive.' },
      user_email: { takes: 'text', meaning: 'Contained in the value; case-insensitive.' },
      type: {
        takes: 'choice',
        choices: ['custom', 'demo', 'template'],
        meaning: 'Equal to the value.',
      },
    },
    ...PROJECT,
  },
  audit: {
    path: '/api/v2/admin/audit/search',
    ofProject: false,
    filters: {
      q: {
        takes: 'text',
        meaning:
          'Contained in any of id, actor, action, target_type, target_id, request_id; case-insensitive.',
      },
      actor: { takes: 'text', meaning: 'Equal to the value; case-sensitive.' },
      action: { takes: 'text', meaning: 'Equal to the value; case-sensitive.' },
      target_type: { takes: 'text', meaning: 'Equal to the value; case-sensitive.' },
      target_id: { takes: 'text', meaning: 'Equal to the id, a UUID in any case.' },
    },
    ...AUDIT,
  },
};
