/** Where patterns begin after their number, and the bytes of each. */
export const first = 16;
export const each = 32;
