/**
 * A stored file name → one that is safe in a header, and on the disk where it is saved.
 *
 * ```
 * Βιβλιοθήκη "1".json ─▶ filename="snapshot-7d44….json"; filename*=UTF-8''%CE%92…_1_.json
 *                        for clients that know ASCII      for those that know RFC 8187
 * ```
 *
 * What no encoding makes safe is taken out: folders, controls, marks that turn the direction of text
 * (`gpj.exe` shown as `exe.jpg`), halves of characters, length, and what Windows takes in no name. The
 * ASCII form has no letter that a client could read in two ways: no escape, no percent sign, nothing of
 * Latin-1.
 */

/** Most file systems take 255 bytes. */
const MAX_BYTES = 200;

/** The header `Content-Disposition`; `fallback` is the name where nothing is left of the stored one. */
export function attachment(stored: string | null, fallback: string): string {
  const name = safeFileName(stored, fallback);
  const plain = plainName(name, fallback);
  const inUtf8 = name === plain ? '' : `; filename*=UTF-8''${percentEncoded(name)}`;
  return `attachment; filename="${plain}"${inUtf8}`;
}

/** RFC 8187: what is no `attr-char` is percent-encoded. */
const percentEncoded = (text: string) =>
  encodeURIComponent(text).replace(
    /['()*]/g,
    (c) => `%${c.charCodeAt(0).toString(16).toUpperCase()}`,
  );

/** The name in ASCII: letters without their marks, `_` for others. One that says nothing is replaced. */
function plainName(name: string, fallback: string): string {
  const { stem, extension } = parts(name.normalize('NFKD').replace(/\p{M}/gu, ''));
  const plain = stem.replace(/[^\w !#$&'()+,.=@^`{}~-]+/g, '_');
  return (/[A-Za-z0-9]/.test(plain) ? trimmed(plain) : fallback) + extension;
}

/** Such a name, or `fallback` where nothing is left of it. */
function safeFileName(stored: string | null, fallback: string): string {
  const name = (stored ?? '')
    .toWellFormed()
    .replace(/[\0-\x1f\x7f-\x9f\u061c\u200e\u200f\u2028-\u202e\u2066-\u2069\ufeff]/g, '')
    .replace(/[/\\:*?"<>|]/g, '_')
    .replace(OF_DEVICES, '_$&');
  return shortened(trimmed(name)) || fallback;
}

/** Windows takes these for devices, whatever their extension. */
const OF_DEVICES = /^(con|prn|aux|nul|com\d|lpt\d)(?=\.|$)/i;

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
  const { stem, extension } = parts(name);
  const room = MAX_BYTES - extension.length;
  let kept = '';
  let bytes = 0;
  for (const character of stem) {
    bytes += Buffer.byteLength(character);
    if (bytes > room) break;
    kept += character;
  }
  return kept + extension;
}

/** The extension has its dot, and is empty where there is none. */
function parts(name: string): { readonly stem: string; readonly extension: string } {
  const extension = /\.[A-Za-z\d]{1,16}$/.exec(name.slice(-17))?.[0] ?? '';
  return { stem: name.slice(0, name.length - extension.length), extension };
}
