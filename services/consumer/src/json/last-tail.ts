const bytesMax = 1024;

/**
 * How the last object ended: its bytes from one member on, and what these members are. Objects that come one after the other
 * mostly end alike, and equal bytes need not be read again.
 */
export class LastTail {
  readonly #bytes = Buffer.alloc(bytesMax);
  #length = 0;
  #members: readonly (readonly [name: string, value: unknown])[] = [];

  /** True when `bytes` end in the same way, from `start` on. */
  isAt(bytes: Buffer, start: number): boolean {
    const length = this.#length;
    if (bytes.length - start !== length) return false;
    const known = this.#bytes;
    for (let at = 0; at < length; at++) if (bytes[start + at] !== known[at]) return false;
    return true;
  }

  /** Gives the object the members of the tail, in their order. */
  addTo(object: Record<string, unknown>): void {
    for (const [name, value] of this.#members) object[name] = value;
  }

  /** Remembers that from `start` on the bytes are these members and the end of the object. */
  remember(bytes: Buffer, start: number, members: readonly (readonly [name: string, value: unknown])[]): void {
    this.#length = bytes.length - start > bytesMax ? 0 : bytes.copy(this.#bytes, 0, start);
    this.#members = members;
  }
}
