import { costOf, spend } from '../../budget.ts';
import type { Span } from '../../query-error.ts';

/**
 * Numbers what values say, wherever they are in the text: equal numbers, equal values. A value is no tree, as BETWEEN
 * has what it tests twice; each part is visited once, so that the time is linear in the parts. Throws
 * `query_too_large`, at `span`.
 */
export class Shapes {
  private readonly known = new WeakMap<object, number>();
  private readonly numbers = new Map<string, number>();
  private readonly span: Span;

  constructor(span: Span) {
    this.span = span;
  }

  /** The number of a resolved value. */
  of(value: object): number {
    const known = this.known.get(value);
    if (known !== undefined) return known;
    spend(costOf.shape, this.span);
    const said = JSON.stringify([
      Array.isArray(value),
      Object.entries(value).map(([name, part]: [string, unknown]) => this.said(name, part)),
    ]);
    const number = this.numbers.get(said) ?? this.numbers.size;
    this.numbers.set(said, number);
    this.known.set(value, number);
    return number;
  }

  private said(name: string, part: unknown): unknown {
    if (name === 'start' || name === 'end' || part === undefined) return [];
    if (name === 'source') return [name, (part as { alias: string }).alias];
    if (typeof part === 'object' && part !== null) return [name, 'shape', this.of(part)];
    return [name, typeof part, typeof part === 'bigint' ? String(part) : part];
  }
}
