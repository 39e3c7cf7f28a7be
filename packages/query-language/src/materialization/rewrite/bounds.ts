import { hasVariable, joined } from '../selects/tree-conditions.ts';
import { inConditions } from './conditions.ts';
import type { RewriteRule } from './rewrite-rule.ts';

/** BETWEEN with a variable is two comparisons. */
export const bounds: RewriteRule = {
  name: 'bounds',
  explanation:
    'a BETWEEN b AND c was written as a >= b AND a <= c. Where times are stored in buckets, a run with <= does not read the table; < with the next day does.',
  rewrite: (query) =>
    inConditions(query, (between) => {
      if (between.node !== 'BetweenExpr' || between.negated || hasVariable(between.expr)) return between;
      const { expr: left, low, high, start, end } = between;
      return joined(
        'And',
        [
          { node: 'CompareOperation', left, op: '>=', right: low, start, end },
          { node: 'CompareOperation', left, op: '<=', right: high, start, end },
        ],
        between,
      );
    }),
};
