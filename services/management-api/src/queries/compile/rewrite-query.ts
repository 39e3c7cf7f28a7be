import { checkDefinition } from '@millrace/query-language/materialization/check-definition.ts';
import { rewriteForMaterialization } from '@millrace/query-language/materialization/rewrite/rewrite-for-materialization.ts';
import type { KeptTypes } from '@millrace/query-language/schema/learned-names.ts';
import { writeStatement } from '@millrace/query-language/write/write-statement.ts';
import type { CheckedQuery } from './check-query.ts';
import { readDeclarations } from '../definition/variables.ts';

/** A query by fixed rules, and what they changed, in sentences. */
export interface RewrittenQuery {
  query: string;
  explanation: string;
}

/** The query in the forms that can be materialized; null when no rule finds anything to do (contract/endpoints 6.9). Pure. */
export function rewriteQuery(query: CheckedQuery, kept: KeptTypes): RewrittenQuery | null {
  const declared = readDeclarations(query.variables);
  const checked = checkDefinition(query);
  const rewritten =
    checked.ok && checked.tree !== undefined
      ? rewriteForMaterialization(checked.tree, declared, readsTyped(kept))
      : null;
  return (
    rewritten && {
      query: writeStatement(rewritten.tree, { keepNames: true }),
      explanation: rewritten.applied.join(' '),
    }
  );
}

const readsTyped = (kept: KeptTypes): boolean =>
  Object.values(kept).some((types) => Object.values(types).some((type) => type !== 'String'));
