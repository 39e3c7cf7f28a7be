/** Set of up to `SeenHashes.max` hashes. It is cleared without touching every slot. */
export class SeenHashes {
  static readonly max = 256;
  readonly #hashes = new Int32Array(4 * SeenHashes.max);
  /** The round in which each place was taken. */
  readonly #rounds = new Uint32Array(4 * SeenHashes.max);
  #round = 0;
  #count = 0;

  clear(): void {
    this.#count = 0;
    this.#round++;
    if (this.#round < 2 ** 32) return;
    this.#rounds.fill(0);
    this.#round = 1;
  }

  /** False when it was there, or when the table is full. */
  add(hash: number): boolean {
    if (++this.#count > SeenHashes.max) return false;
    const last = this.#hashes.length - 1;
    let slot = hash & last;
    for (; this.#rounds[slot] === this.#round; slot = (slot + 1) & last) if (this.#hashes[slot] === hash) return false;
    this.#rounds[slot] = this.#round;
    this.#hashes[slot] = hash;
    return true;
  }
}
