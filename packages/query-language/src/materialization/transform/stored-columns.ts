import type { Expression } from '../../tree/expressions.ts';
import type { SelectQuery } from '../../tree/statements.ts';
import type { FreshNames } from '../selects/fresh-names.ts';
import { outputName, valueOf } from '../selects/select-shape.ts';
import { treeKey } from '../selects/tree-key.ts';
import { named } from './make-nodes.ts';

/** The columns of the table: those of the SELECT list, under one name each, and those that reading needs besides. */
export class StoredColumns {
  readonly #names: FreshNames;
  readonly #select: readonly Expression[];
  readonly #stored: (string | undefined)[] = [];
  /** By the key of the value. */
  readonly #named = new Map<string, string>();
  readonly #added: { name: string; expr: Expression }[] = [];

  constructor({ select }: SelectQuery, names: FreshNames) {
    this.#names = names;
    this.#select = select;
    const seen = new Set<string>();
    for (const item of select) {
      const name = outputName(item);
      // A table has no two columns of one name.
      const stored = name !== undefined && seen.has(name) ? names.make(name) : name;
      this.#stored.push(stored);
      if (name === undefined || stored === undefined) continue;
      seen.add(name);
      const key = treeKey(valueOf(item));
      if (!this.#named.has(key)) this.#named.set(key, stored);
    }
  }

  /** The stored name of a column of the SELECT list; undefined for a star. */
  nameAt(place: number): string | undefined {
    return this.#stored[place];
  }

  /** The stored column of a value, which is added where the SELECT list has none. `purpose` is what it is called by. */
  columnOf(expr: Expression, purpose: string): string {
    const key = treeKey(expr);
    const known = this.#named.get(key);
    if (known !== undefined) return known;
    const name = this.#names.make(purpose);
    this.#named.set(key, name);
    this.#added.push({ name, expr });
    return name;
  }

  /** Names of the columns that were added. */
  get added(): string[] {
    return this.#added.map(({ name }) => name);
  }

  /** The SELECT list of the build. */
  get select(): Expression[] {
    const own = this.#select.map((item, at) => {
      const name = this.#stored[at];
      return name === undefined || name === outputName(item) ? item : named(valueOf(item), name);
    });
    return [...own, ...this.#added.map(({ name, expr }) => named(expr, name))];
  }
}
