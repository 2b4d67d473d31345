/**
 * A stored file name → one that is safe in a header, and on the disk where it is saved.
 *
 * Koa writes it as RFC 6266 wants it: `filename` in Latin letters, and `filename*` in UTF-8 where that
 * does not do. What no encoding makes safe is taken out here: folders, controls, marks that turn the
 * direction of text (`gpj.exe` shown as `exe.jpg`), halves of characters, and length.
 */

/** Most file systems take 255 bytes. */
const MAX_BYTES = 200;

/** Such a name, or `fallback` where nothing is left of it. */
export function safeFileName(stored: string | null, fallback: string): string {
  const name = (stored ?? '')
    .toWellFormed()
    .replace(/[\0-\x1f\x7f-\x9f\u200e\u200f\u2028-\u202e\u2066-\u2069\ufeff]/g, '')
    .replace(/[/\\:]/g, '_');
  return shortened(trimmed(name)) || fallback;
}

/** Without dots and spaces around it. A regular expression for its end would try at each dot. */
function trimmed(name: string): string {
  let start = 0;
  let end = name.length;
  while (start < end && AROUND.test(name[start]!)) start++;
  while (end > start && AROUND.test(name[end - 1]!)) end--;
  return name.slice(start, end);
}

const AROUND = /[.\s]/;

/** Cut before its extension, between characters. */
function shortened(name: string): string {
  if (Buffer.byteLength(name) <= MAX_BYTES) return name;
  const extension = /\.[\w-]{1,16}$/.exec(name.slice(-17))?.[0] ?? '';
  const room = MAX_BYTES - extension.length;
  let stem = '';
  let bytes = 0;
  for (const character of name.slice(0, name.length - extension.length)) {
    bytes += Buffer.byteLength(character);
    if (bytes > room) break;
    stem += character;
  }
  return stem + extension;
}
