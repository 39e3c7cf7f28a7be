import type { PayloadMemory } from '@millrace/event-log/event-log.ts';

const chunkBytes = 1024 * 1024;

/** Memory for payloads that is used again: new pages for every batch cost the kernel more than the copying into them. */
export class PayloadPool {
  readonly #free: Buffer[] = [];
  readonly #chunksMax: number;

  /** @param bytesMax maximum unused memory in the pool. */
  constructor(bytesMax: number) {
    this.#chunksMax = Math.floor(bytesMax / chunkBytes);
  }

  open(): PayloadArena {
    return new PayloadArena(this);
  }

  take(): Buffer {
    return this.#free.pop() ?? Buffer.allocUnsafeSlow(chunkBytes);
  }

  giveBack(chunks: readonly Buffer[]): void {
    this.#free.push(...chunks.slice(0, Math.max(0, this.#chunksMax - this.#free.length)));
  }
}

/**
 * Memory for consecutive payloads, with a count of its users. The creator of an arena is its first user. An
 * arena whose users never leave is left to the garbage collector, with its payloads.
 */
export class PayloadArena implements PayloadMemory {
  readonly #pool: PayloadPool;
  readonly #chunks: Buffer[] = [];
  /** In the last chunk. */
  #end = chunkBytes;
  #users = 1;

  constructor(pool: PayloadPool) {
    this.#pool = pool;
  }

  keep(payload: Buffer): Buffer {
    if (payload.length === 0 || payload.length > chunkBytes) return Buffer.from(payload);
    if (this.#end + payload.length > chunkBytes) {
      this.#chunks.push(this.#pool.take());
      this.#end = 0;
    }
    const chunk = this.#chunks.at(-1) as Buffer;
    const start = this.#end;
    payload.copy(chunk, start);
    this.#end += payload.length;
    return chunk.subarray(start, this.#end);
  }

  /** Position of the next payload. */
  get mark(): { chunks: number; end: number } {
    return { chunks: this.#chunks.length, end: this.#end };
  }

  /** Frees the payloads that were added since the mark. */
  rewind({ chunks, end }: { chunks: number; end: number }): void {
    this.#pool.giveBack(this.#chunks.splice(chunks));
    this.#end = end;
  }

  /** Adds a user. */
  use(): void {
    this.#users++;
  }

  /** Removes a user. After the last one, other payloads may overwrite these. */
  leave(): void {
    if (--this.#users === 0) this.#pool.giveBack(this.#chunks.splice(0));
  }
}
