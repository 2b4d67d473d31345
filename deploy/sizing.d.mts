export interface Rows {
  readonly tasks: number;
  /** Schedules, users, projects and audit records together. */
  readonly others?: number;
}

/** Of memory, in bytes. */
export type Figures = Readonly<
  Record<
    'process' | 'task' | 'shown' | 'other' | 'rowsMemory' | 'requests' | 'room' | 'searchMax',
    number
  >
>;

export const FIGURES: Figures;

/** Bytes, rounded up to 64 MiB. */
export function memoryFor(rows: Rows, figures?: Figures): number;

/** Bytes of CHECKPOINT_DIR, rounded up to 64 MiB. */
export function diskFor(rows: Rows, figures?: Figures): number;

/** A size for SEARCH_MAX_BYTES, undefined where its default is enough. */
export function searchMaxFor(rows: Rows, figures?: Figures): string | undefined;
