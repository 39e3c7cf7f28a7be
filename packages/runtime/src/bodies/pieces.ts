import { setImmediate } from 'node:timers/promises';

/** A piece below this size costs more memory for itself than for its bytes. */
const smallBytes = 1024;
/** Bytes of a body that are copied in one turn of the event loop, some 0.05 ms: many bodies may be joined at once. */
const turnBytes = 65_536;

/** Number of small pieces that are joined into one, with all pieces between them. */
const joinedAt = 256;

/**
 * The pieces of a body, in order. A client decides how large they are: pieces of one byte each would take some hundred times
 * the memory that is counted for them, so they are joined from time to time. Each byte is copied once for that.
 */
export class Pieces {
  readonly #pieces: Buffer[] = [];
  /** How many at the beginning are joined, and how many after them are small, wherever among the others: a large one now and then saves none of them. */
  #joined = 0;
  #small = 0;

  add(piece: Buffer): void {
    this.#pieces.push(piece);
    if (piece.length < smallBytes && ++this.#small === joinedAt) this.#join();
  }

  /** Number of pieces. */
  get count(): number {
    return this.#pieces.length;
  }

  /** All of them as one. */
  joined(): Buffer {
    return this.#pieces.length === 1 ? (this.#pieces[0] as Buffer) : Buffer.concat(this.#pieces);
  }

  /** As `joined`, in many short turns of the event loop and always a copy. The pieces are gone then. */
  async joinedInTurns(): Promise<Buffer> {
    const pieces = this.#pieces.splice(0);
    const all = Buffer.allocUnsafeSlow(pieces.reduce((sum, { length }) => sum + length, 0));
    let at = 0;
    let turnEnd = turnBytes;
    for (const piece of pieces) {
      at += piece.copy(all, at);
      if (at < turnEnd) continue;
      await setImmediate();
      turnEnd = at + turnBytes;
    }
    return all;
  }

  #join(): void {
    this.#pieces.push(Buffer.concat(this.#pieces.splice(this.#joined)));
    this.#joined++;
    this.#small = 0;
  }
}
