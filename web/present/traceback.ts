/** The message that a traceback ends with, without the kind of exception before it. */
export function messageOf(text: string, kind: string): string {
  const last = text.trimEnd().split('\n').at(-1)!.trim();
  return last.startsWith(`${kind}:`) ? last.slice(kind.length + 1).trim() : last;
}
