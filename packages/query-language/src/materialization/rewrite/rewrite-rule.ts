import type { SelectQuery } from '../../tree/statements.ts';
import type { PlannedVariable } from '../plan.ts';

/** Facts about a query that its text does not say. */
export interface RewriteFacts {
  /** Types of the declared variables by their names. Each may be given null; only `List` and `Any` may be given a list. */
  readonly types: ReadonlyMap<string, PlannedVariable['type']>;
  /** Does it read a property by a type that the project has learned? Such a value is compared otherwise behind GROUP BY than before it. */
  readonly readsTyped: boolean;
}

/** One way in which a SELECT can be written so that it selects the same rows whatever the values of its variables. Pure. */
export interface RewriteRule {
  readonly name: string;
  /** A sentence for the author of the query. */
  readonly explanation: string;
  /** The SELECT itself where the rule finds nothing. Its sub-queries are rewritten apart. */
  readonly rewrite: (query: SelectQuery, facts: RewriteFacts) => SelectQuery;
}
