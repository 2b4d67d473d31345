/**
 * Bytes of documents, four at a time.
 *
 *     reply   ─ document ─ document ─ document ─       one buffer, one view
 *                          └ base + 0, + 4, …
 *
 * To make a view takes as long as reading some members, so it stays for as long as the same buffer is read.
 */

class BytesInView {
  view: DataView = new DataView(new ArrayBuffer(0));
  /** Where the bytes begin in the view. */
  base = 0;
  #bytes: Uint8Array | undefined;
  #buffer: ArrayBufferLike | undefined;

  /** From now on the view shows these bytes. */
  look(bytes: Uint8Array): void {
    if (bytes === this.#bytes) return;
    const { buffer } = bytes;
    if (buffer !== this.#buffer) this.view = new DataView(buffer);
    this.#buffer = buffer;
    this.#bytes = bytes;
    this.base = bytes.byteOffset;
  }
}

/** The bytes that are being read. */
export const inView = new BytesInView();
