/** Most batches that are remembered by their range. */
const failedMax = 1_000;

/** Batches that were left unfinished, as long as the memory may hold events of theirs. */
export class FailedBatches {
  /** How often something had been forgotten when they ended; in the order in which they did. */
  readonly #endedAt = new Map<number, number>();
  /**
   * Batches up to this one count as unfinished: there were too many. For finished ones ClickHouse is queried in vain.
   */
  #upTo = 0;

  has(batch: number): boolean {
    return batch <= this.#upTo || this.#endedAt.has(batch);
  }

  add(batch: number, losses: number): void {
    this.#endedAt.set(batch, losses);
    if (this.#endedAt.size <= failedMax) return;
    const [oldest] = this.#endedAt.keys();
    if (oldest === undefined) return;
    this.#endedAt.delete(oldest);
    this.#upTo = Math.max(this.#upTo, oldest);
  }

  /** Forgets batches that ended before this many losses: their events are in neither table any more. */
  forgetBefore(losses: number): void {
    for (const [batch, endedAt] of this.#endedAt) if (endedAt < losses) this.#endedAt.delete(batch);
  }
}
