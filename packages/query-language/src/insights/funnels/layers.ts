import type { Expression } from '../../tree/expressions.ts';
import type { Statement } from '../../tree/statements.ts';
import { alias, field } from '../nodes.ts';
import { expressionTemplate, type TemplateParts } from '../template.ts';

const at = { start: 0, end: 0 } as const;

/**
 * A query that grows by columns which are computed of those before. Each group of columns is a SELECT around the one before it, so that a column is
 * computed once however often it is named.
 */
export class Layers {
  readonly #source: Statement;
  readonly #layers: Readonly<Record<string, Expression>>[] = [];

  /** `source`: its columns are the first that can be named. */
  constructor(source: Statement) {
    this.#source = source;
  }

  /** Adds columns. Their expressions name columns that are there. */
  add(columns: Readonly<Record<string, Expression>>): void {
    this.#layers.push(columns);
  }

  /** Adds one column by a template. */
  let(name: string, text: string, parts: TemplateParts = {}): void {
    this.add({ [name]: expressionTemplate(text, parts) });
  }

  /** The query with these columns. Each SELECT has only those that are needed around it. */
  select(names: readonly string[]): Statement {
    const needed = new Set(names);
    const kept: Expression[][] = [];
    for (const layer of this.#layers.toReversed()) {
      const added = Object.entries(layer).filter(([name]) => needed.has(name));
      if (added.length === 0) continue;
      for (const [name] of added) needed.delete(name);
      kept.push([...[...needed].map((name) => field(name)), ...added.map(([name, expr]) => alias(expr, name))]);
      for (const [, expr] of added) addNames(expr, needed);
    }
    return kept.reduceRight<Statement>(
      (table, select): Statement => ({
        node: 'SelectQuery',
        select,
        select_from: { node: 'JoinExpr', table, ...at },
        ...at,
      }),
      this.#source,
    );
  }
}

/** Adds the names of columns in an expression. `own`: arguments of the lambdas around it. */
function addNames(node: unknown, names: Set<string>, own: readonly string[] = []): void {
  if (typeof node !== 'object' || node === null) return;
  const { node: kind, chain, args } = node as { node?: string; chain?: readonly string[]; args?: readonly string[] };
  if (kind === 'Field') {
    const [name] = chain ?? [];
    if (name !== undefined && !own.includes(name)) names.add(name);
    return;
  }
  const inner = kind === 'Lambda' ? [...own, ...(args ?? [])] : own;
  for (const member of Object.values(node)) addNames(member, names, inner);
}
