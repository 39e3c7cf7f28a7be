/** Which hashes came already, of up to `SeenHashes.max`. Cleared without touching every place. */
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

  /** False when it was there, or when there is no room for more. */
  add(hash: number): boolean {
    if (++this.#count > SeenHashes.max) return false;
    const last = this.#hashes.length - 1;
    let place = hash & last;
    for (; this.#rounds[place] === this.#round; place = (place + 1) & last)
      if (this.#hashes[place] === hash) return false;
    this.#rounds[place] = this.#round;
    this.#hashes[place] = hash;
    return true;
  }
}
