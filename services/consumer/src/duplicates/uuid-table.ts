import { randomInt } from 'node:crypto';

/** An event as the table knows it: the four words of its uuid, and a hash of what else makes it the same event. */
export interface EventKey {
  w0: number;
  w1: number;
  w2: number;
  w3: number;
  sameness: number;
}

const words = 6;
const markWord = 5;

/** A fuller hash table gets slow. */
const fillMax = 0.67;

/**
 * A hash table of fixed size for (uuid, sameness) with a mark above 0 each: 24 bytes a slot, nothing for the garbage
 * collector. Slots are found by a hash with a secret of the process, so that no client can aim at one slot.
 */
export class UuidTable {
  /** Capacity in entries. */
  readonly capacity: number;
  readonly #slots: Uint32Array;
  readonly #mask: number;
  readonly #secret = randomInt(2 ** 32);
  #size = 0;

  /** @param slotsLog2 the table has 2 to this power slots. */
  constructor(slotsLog2: number) {
    const slots = 2 ** slotsLog2;
    this.capacity = Math.floor(slots * fillMax);
    this.#slots = new Uint32Array(slots * words);
    this.#mask = slots - 1;
  }

  get size(): number {
    return this.#size;
  }

  /** Its mark, or 0. */
  get(key: EventKey): number {
    return this.#slots[this.#find(key) + markWord] ?? 0;
  }

  /** Adds the key or changes its mark. @throws {RangeError} when the table is full. */
  set(key: EventKey, mark: number): void {
    const slots = this.#slots;
    const at = this.#find(key);
    if (slots[at + markWord] === 0) {
      if (this.#size >= this.capacity) throw new RangeError('the table is full');
      this.#size += 1;
      slots[at] = key.w0;
      slots[at + 1] = key.w1;
      slots[at + 2] = key.w2;
      slots[at + 3] = key.w3;
      slots[at + 4] = key.sameness;
    }
    slots[at + markWord] = mark;
  }

  clear(): void {
    this.#slots.fill(0);
    this.#size = 0;
  }

  /** Slot of the key, or the free slot where it would be. */
  #find({ w0, w1, w2, w3, sameness }: EventKey): number {
    const slots = this.#slots;
    for (let slot = this.#hash(w0, w1, w2, w3, sameness) & this.#mask; ; slot = (slot + 1) & this.#mask) {
      const at = slot * words;
      if (slots[at + markWord] === 0) return at;
      const isIt =
        slots[at + 3] === w3 &&
        slots[at + 2] === w2 &&
        slots[at + 1] === w1 &&
        slots[at] === w0 &&
        slots[at + 4] === sameness;
      if (isIt) return at;
    }
  }

  #hash(w0: number, w1: number, w2: number, w3: number, sameness: number): number {
    return mix(mix(mix(mix(mix(this.#secret, w0), w1), w2), w3), sameness);
  }
}

function mix(hash: number, word: number): number {
  const mixed = Math.imul(hash ^ word, 0x9e3779b1);
  return mixed ^ (mixed >>> 15);
}
