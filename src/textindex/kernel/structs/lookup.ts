/** `count` scans; `places` has room for 8 kB; rows found go to a bitmap or to a list. */
export const bytes = 24;
export const scans = 0;
export const count = 4;
export const places = 8;
export const bitmap = 12;
export const list = 16;
export const most = 20;
