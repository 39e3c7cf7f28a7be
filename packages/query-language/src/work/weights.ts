import { patternBytesMax } from './limits.ts';
import { weighPattern, type PatternWeight } from './pattern-weight.ts';
import { costOf, spend } from '../budget.ts';
import type { Span } from '../query-error.ts';

/** Weights of the patterns of one statement: each is weighed once, however often it is named. */
export class Weights {
  readonly #known = new Map<string, PatternWeight>();

  /** Charges a pattern that is new here. Throws `query_too_large`. */
  of(pattern: string, span: Span): PatternWeight {
    spend(costOf.visit, span);
    if (pattern.length > patternBytesMax) return { steps: Infinity, even: false };
    const known = this.#known.get(pattern);
    if (known) return known;
    spend(pattern.length * costOf.weigh, span);
    const weight = weighPattern(pattern);
    this.#known.set(pattern, weight);
    return weight;
  }
}
