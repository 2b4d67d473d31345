/** The messages of MongoDB's wire protocol in a stream of bytes: each begins with its length. */

/** Takes the stream's bytes as they come, and hands on each message when it is whole. */
export function eachMessage(take: (message: Buffer) => void): (bytes: Buffer) => void {
  let parts: Buffer[] = [];
  let held = 0;
  return (bytes) => {
    parts.push(bytes);
    held += bytes.length;
    // Put together once, also when a message comes in hundreds of parts.
    while (held >= 4) {
      if (parts[0]!.length < 4) parts = [Buffer.concat(parts)];
      const length = parts[0]!.readInt32LE(0);
      if (held < length) return;
      const all = parts.length === 1 ? parts[0]! : Buffer.concat(parts);
      take(all.subarray(0, length));
      const rest = all.subarray(length);
      parts = rest.length > 0 ? [rest] : [];
      held = rest.length;
    }
  };
}
