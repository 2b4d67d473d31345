/** Controls, and the marks that turn the direction of text or cannot be seen. */
export const UNSAFE = /[\0-\x1f\x7f-\x9f\u061c\u200e\u200f\u2028-\u202e\u2066-\u2069\ufeff]/g;

const SHORT: Readonly<Record<string, string>> = { '\n': '\\n', '\r': '\\r', '\t': '\\t' };

/** A text as one line that steers no terminal: control characters are escaped, except for `kept`. */
export const oneLine = (text: string, kept = ''): string =>
  text.replace(UNSAFE, (sign) =>
    sign === kept
      ? sign
      : (SHORT[sign] ?? `\\u${sign.charCodeAt(0).toString(16).padStart(4, '0')}`),
  );
