/**
 * Bounds, and the weights of the items below them and within them. The last four say where the items go,
 * and how many there are; weights may be 0.
 */
export const bytes = 40;
export const low = 0;
export const high = 8;
export const below = 16;
export const within = 20;
export const list = 24;
export const numbers = 28;
export const weights = 32;
export const kept = 36;
