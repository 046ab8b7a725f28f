/** Splits a stream of bytes into lines, with the offset of each. */
export class LineSplitter {
  #rest: Buffer = Buffer.alloc(0);
  /** Offset in the file of the first byte of `rest`. */
  #offset: number;

  constructor(offset = 0) {
    this.#offset = offset;
  }

  /** Complete lines without their line feeds; `end` is the offset after the line feed. */
  *feed(chunk: Uint8Array): Generator<{ line: Buffer; end: number }> {
    const data =
      this.#rest.length === 0
        ? Buffer.from(chunk.buffer, chunk.byteOffset, chunk.byteLength)
        : Buffer.concat([this.#rest, chunk]);
    let start = 0;
    for (let end = data.indexOf(0x0a); end !== -1; end = data.indexOf(0x0a, start)) {
      const line = data.subarray(start, end);
      this.#offset += line.length + 1;
      start = end + 1;
      yield { line, end: this.#offset };
    }
    this.#rest = Buffer.from(data.subarray(start));
  }

  /** What follows the last line feed. */
  get rest(): Buffer {
    return this.#rest;
  }

  /** Offset after the last complete line. */
  get offset(): number {
    return this.#offset;
  }
}
