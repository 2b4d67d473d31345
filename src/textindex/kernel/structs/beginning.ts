/** How many bytes most items begin with, and these bytes; 16 more after them can be read. */
export const shared = 0;
export const bytes = 4;
