/** The stamp of the entry that met a node of the class last. */
export const bytes = 4;
export const seen = 0;
