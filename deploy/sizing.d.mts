export interface Rows {
  readonly tasks: number;
  /** Schedules, users, projects and audit records together. */
  readonly others?: number;
}

/** Of memory, in bytes. */
export type Figures = Readonly<Record<'process' | 'task' | 'other' | 'requests' | 'room', number>>;

export const FIGURES: Figures;

/** Bytes, rounded up to 64 MiB. */
export function memoryFor(rows: Rows, figures?: Figures): number;
