/**
 * A stored file name → one that is safe on the disk where it is saved.
 *
 * No encoding makes folders, controls and halves of characters safe, so the name loses them. It also loses
 * marks that turn the direction of text (`gpj.exe` shown as `exe.jpg`), excess length, and all that Windows
 * refuses.
 */

import { UNSAFE } from '../../oneLine.ts';

/** Most file systems take 255 bytes. */
const MAX_BYTES = 200;

/** Such a name, or `fallback` where nothing is left of it. */
export function safeFileName(stored: string | null, fallback: string): string {
  const name = (stored ?? '')
    .toWellFormed()
    .replace(UNSAFE, '')
    .replace(/[/\\:*?"<>|]/g, '_');
  return noDevice(trimmed(shortened(trimmed(name)))) || fallback;
}

/** Windows takes these for devices, whatever their extension. */
const OF_DEVICES = /^(con|prn|aux|nul|com\d|lpt\d)(?= *(\.|$))/i;

const noDevice = (name: string) => name.replace(OF_DEVICES, '_$&');

/** Without dots and spaces around it. A regular expression for its end would try at each dot. */
function trimmed(name: string): string {
  let start = 0;
  let end = name.length;
  while (start < end && AROUND.test(name[start]!)) start++;
  while (end > start && AROUND.test(name[end - 1]!)) end--;
  return name.slice(start, end);
}

const AROUND = /[.\s]/;

/**
 * The name for clients that know ASCII alone: letters without their marks, `_` for others, no letter that
 * one of them could read in two ways. One that says nothing is replaced.
 */
export function asciiName(name: string, fallback: string): string {
  const { stem, extension } = parts(name.normalize('NFKD').replace(/\p{M}/gu, ''));
  const plain = stem.replace(/[^\w !#$&'()+,.=@^`{}~-]+/g, '_');
  return noDevice((/[A-Za-z0-9]/.test(plain) ? trimmed(plain) : fallback) + extension);
}

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
