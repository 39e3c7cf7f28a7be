import type { Expression } from '../../tree/expressions.ts';
import type { SelectQuery } from '../../tree/statements.ts';
import { isSameTree } from '../../tree/tree-nodes.ts';
import type { FreshNames } from '../keys/fresh-names.ts';
import { isStar, outputName, valueOf } from '../selects/select-shape.ts';
import { named } from './make-nodes.ts';

/** The columns of the table: those of the SELECT list, under one name each, and those that reading needs besides. */
export class StoredColumns {
  readonly #names: FreshNames;
  readonly #select: readonly Expression[];
  readonly #stored: (string | undefined)[] = [];
  readonly #added: { name: string; expr: Expression }[] = [];

  constructor({ select }: SelectQuery, names: FreshNames) {
    this.#names = names;
    this.#select = select;
    const seen = new Set<string>();
    for (const item of select) {
      const name = outputName(item);
      // A table has no two columns of one name.
      this.#stored.push(name !== undefined && seen.has(name) ? names.make(name) : name);
      if (name !== undefined) seen.add(name);
    }
  }

  /** The stored name of a column of the SELECT list; undefined for a star. */
  nameAt(place: number): string | undefined {
    return this.#stored[place];
  }

  /** The stored column of a value, which is added where the SELECT list has none. `purpose` is what it is called by. */
  columnOf(expr: Expression, purpose: string): string {
    const place = this.#select.findIndex((item) => !isStar(item) && isSameTree(valueOf(item), expr));
    const known = this.#stored[place] ?? this.#added.find((added) => isSameTree(added.expr, expr))?.name;
    if (known !== undefined) return known;
    const name = this.#names.make(purpose);
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
