/** The stamp of the entry that met a node last, how many entries met it, and its class + 1 or 0. */
export const bytes = 16;
export const seen = 0;
export const found = 4;
export const classNumber = 8;
