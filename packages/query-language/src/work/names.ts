import type { Estimate } from './estimate.ts';

/** The names that a query or a lambda makes, and those around it: nothing is copied, however many there are. */
export class Names {
  readonly #own = new Map<string, Estimate>();
  readonly #outer: Names | undefined;

  constructor(outer?: Names) {
    this.#outer = outer;
  }

  get(name: string): Estimate | undefined {
    return this.#own.get(name) ?? this.#outer?.get(name);
  }

  set(name: string, estimate: Estimate): void {
    this.#own.set(name, estimate);
  }
}
