import { bounds } from './bounds.ts';
import { havingKeys } from './having-keys.ts';
import { innerJoinConditions } from './inner-join-conditions.ts';
import { negations } from './negations.ts';
import { optionalComparison } from './optional-comparison.ts';
import type { RewriteRule } from './rewrite-rule.ts';
import { singleMember } from './single-member.ts';

/** All rules, in the order in which one makes work for the next. */
export const rewriteRules: readonly RewriteRule[] = [
  innerJoinConditions,
  havingKeys,
  negations,
  bounds,
  singleMember,
  optionalComparison,
];
