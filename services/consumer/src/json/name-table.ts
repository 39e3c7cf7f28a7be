/** Start of the hash of a name; each byte of the name is mixed in by `mixIn`. */
export const emptyHash = 0x811c9dc5 | 0;

/** The hash of what was hashed so far and one byte more. */
export function mixIn(hash: number, byte: number): number {
  return Math.imul(hash ^ byte, 0x01000193);
}

/** The hash of the bytes from `start` to before `end`. */
export function hashOf(bytes: Uint8Array, start: number, end: number, from = emptyHash): number {
  let hash = from;
  for (let at = start; at < end; at++) hash = mixIn(hash, bytes[at] as number);
  return hash;
}

/** Finds the names of a list among keys that are bytes, without making a text of each key. Names are ASCII. */
export class NameTable {
  readonly names: readonly string[];
  readonly #indexes: ReadonlyMap<string, number>;
  readonly #hashes: Int32Array;
  /** Index of the name in each place of the table, or -1. */
  readonly #places: Int16Array;
  readonly #bytes: readonly Buffer[];

  constructor(names: readonly string[]) {
    this.names = names;
    this.#indexes = new Map(names.map((name, index) => [name, index]));
    this.#bytes = names.map((name) => Buffer.from(name));
    this.#hashes = Int32Array.from(this.#bytes, (bytes) => bytes.reduce(mixIn, emptyHash));
    this.#places = new Int16Array(2 ** Math.ceil(Math.log2(names.length * 8))).fill(-1);
    this.#hashes.forEach((hash, index) => {
      let place = hash & (this.#places.length - 1);
      while (this.#places[place] !== -1) place = (place + 1) & (this.#places.length - 1);
      this.#places[place] = index;
    });
  }

  /** Which of the names the text is, or -1. */
  indexOf(name: string): number {
    return this.#indexes.get(name) ?? -1;
  }

  /** Which of the names stands in `bytes` from `start` to `end`, or -1. `hash` is that of these bytes. */
  find(hash: number, bytes: Uint8Array, start: number, end: number): number {
    const places = this.#places;
    for (let place = hash & (places.length - 1); ; place = (place + 1) & (places.length - 1)) {
      const index = places[place] as number;
      if (index === -1) return -1;
      if (this.#hashes[index] === hash && isSame(this.#bytes[index] as Buffer, bytes, start, end)) return index;
    }
  }
}

function isSame(name: Uint8Array, bytes: Uint8Array, start: number, end: number): boolean {
  if (name.length !== end - start) return false;
  for (let at = 0; at < name.length; at++) if (name[at] !== bytes[start + at]) return false;
  return true;
}
