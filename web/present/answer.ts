/** An answer of the service, and how it stands with the next one: as plain data. */
import type {
  AnswerInfo,
  AnyAnswer,
  Facet,
  Histogram,
  Stats,
  TaskMetadata,
} from '../../clients/typescript/index.ts';
import type { Row } from '../tables/tables.ts';

export type { Facet, Histogram, LogLine, Stats } from '../../clients/typescript/index.ts';
export type { Row };

export type FacetValue = Facet['values'][number];
export type Bucket = Histogram['buckets'][number];

export interface Answer extends Omit<AnyAnswer, 'meta'> {
  readonly meta: Pick<AnyAnswer['meta'], 'pagination' | 'applied_sorting'>;
  /** Events have none. */
  readonly info?: AnswerInfo;
}

/** The figures of one column, of all rows that match. */
export interface ColumnFigures {
  readonly total: number;
  readonly stats?: Stats;
  readonly facet?: Facet;
  /** Whether filters on the column are left out of the facet. */
  readonly isOwnLeftOut?: boolean;
  readonly histogram?: Histogram;
}

/** The artifacts and the snapshot of a task. */
export interface Metadata extends Pick<TaskMetadata, 'snapshot'> {
  readonly artifacts: readonly {
    readonly name?: string;
    readonly size?: number;
    readonly content_type?: string;
    readonly created_at?: string;
  }[];
  readonly log_lines?: number;
}

/** The latest changes that people made to a record, and the names of these people by their ids. */
export interface Changes {
  readonly changes: readonly Row[];
  readonly names: ReadonlyMap<string, string>;
}

/** When the rows of a group happened. */
export interface GroupTimes {
  latest?: unknown;
  readonly bars: readonly { readonly count: number }[];
}

/** How it stands with the table moving by itself. */
export type Live =
  | { readonly state: 'off' | 'connecting' | 'live' | 'paused' }
  /** `loaded`: percent of all rows that an index has which is being loaded. */
  | { readonly state: 'slow'; readonly reason: string; readonly loaded: number | undefined }
  /**
   * `until`: when it is tried again; never where it cannot succeed, as with a page of too many bytes. `isRefused`: the
   * service answered, and gives the reason.
   */
  | {
      readonly state: 'lost';
      readonly reason: string;
      readonly until: number | undefined;
      readonly isRefused: boolean;
    };

/** Why the latest question has no answer. */
export interface Failure {
  readonly title: string;
  readonly detail: string;
  readonly status: number | undefined;
  /** When it is tried again, milliseconds since 1970. */
  readonly retryAt: number | undefined;
  readonly requestId?: string | undefined;
}
