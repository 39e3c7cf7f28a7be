const slots = 256;

/** Length and last byte distinguish nearly all names, so one lookup in a table excludes most others. */
export function slotOf(length: number, last: number): number {
  return (length * 37 + last) % slots;
}

/** Finds the names of a list among keys that are bytes, without making a string of each key. */
export class NameTable<Name extends string = string> {
  readonly names: readonly Name[];
  readonly #bytes: readonly Uint8Array[];
  readonly #indexes: ReadonlyMap<string, number>;
  /** Index of the first name of each slot, or -1. */
  readonly #first = new Int16Array(slots).fill(-1);
  /** Index of the next name of the same slot, or -1. */
  readonly #next: Int16Array;

  constructor(names: readonly Name[]) {
    this.names = names;
    this.#bytes = names.map((name) => Buffer.from(name));
    this.#indexes = new Map(names.map((name, index) => [name, index]));
    this.#next = new Int16Array(names.length);
    this.#bytes.forEach((bytes, index) => {
      const slot = slotOf(bytes.length, bytes.at(-1) ?? 0);
      this.#next[index] = this.#first[slot] as number;
      this.#first[slot] = index;
    });
  }

  /** Index of the name whose bytes lie between the two places, or -1. */
  indexAt(bytes: Uint8Array, start: number, end: number): number {
    let index = this.#first[slotOf(end - start, bytes[end - 1] as number)] as number;
    while (index !== -1 && !isAt(bytes, start, end, this.#bytes[index] as Uint8Array))
      index = this.#next[index] as number;
    return index;
  }

  /** The name whose bytes lie between the two places, or null. */
  find(bytes: Uint8Array, start: number, end: number): Name | null {
    const index = this.indexAt(bytes, start, end);
    return index === -1 ? null : (this.names[index] as Name);
  }

  /** Index of the name that the text is, or -1. */
  indexOf(text: string): number {
    return this.#indexes.get(text) ?? -1;
  }

  /** As `find`, for a name that was written with escapes: `text` is the unescaped name. */
  named(text: string): Name | null {
    return this.names[this.indexOf(text)] ?? null;
  }
}

function isAt(bytes: Uint8Array, start: number, end: number, name: Uint8Array): boolean {
  if (end - start !== name.length) return false;
  for (let index = 0; index < name.length; index++) if (bytes[start + index] !== name[index]) return false;
  return true;
}
