import type { Statement } from '../../tree/statements.ts';
import { mapSelects } from './map-selects.ts';
import type { PlannedVariable } from '../plan.ts';
import type { RewriteFacts } from './rewrite-rule.ts';
import { rewriteRules } from './rewrite-rules.ts';

/** A statement that gives the same rows, and a sentence for each rule that changed it. */
export interface Rewritten {
  tree: Statement;
  applied: string[];
}

/**
 * Writes a query in the forms that materialization takes (contract/endpoints 6.9): the same rows, names and types for every value of its
 * variables, null and the empty text among them; the same placeholders. Null where no rule finds anything to do. It does not say whether the
 * result can be materialized. `readsTyped`: the query reads a property by a type that the project has learned. Pure.
 */
export function rewriteForMaterialization(
  tree: Statement,
  variables: readonly PlannedVariable[],
  readsTyped: boolean,
): Rewritten | null {
  const facts: RewriteFacts = { types: new Map(variables.map(({ name, type }) => [name, type])), readsTyped };
  const applied = new Set<string>();
  const rewritten = mapSelects(tree, (query) =>
    rewriteRules.reduce((before, rule) => {
      const after = rule.rewrite(before, facts);
      if (after !== before) applied.add(rule.explanation);
      return after;
    }, query),
  );
  return applied.size > 0 ? { tree: rewritten, applied: [...applied] } : null;
}
