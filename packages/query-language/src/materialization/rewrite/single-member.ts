import { isBare } from '../../tree/tree-nodes.ts';
import type { Expression } from '../../tree/expressions.ts';
import { asOperator, joined, variableNames } from '../selects/tree-conditions.ts';
import { inConditions } from './conditions.ts';
import type { RewriteFacts, RewriteRule } from './rewrite-rule.ts';

/** IN with one variable that is never a list is an equality. */
export const singleMember: RewriteRule = {
  name: 'single-member',
  explanation: 'IN with one variable was written as =.',
  rewrite: (query, { types }) => inConditions(query, (conjunct) => withEqualities(conjunct, types)),
};

// Also in the alternatives of OR: neither operator is ever NULL.
function withEqualities(condition: Expression, types: RewriteFacts['types']): Expression {
  const expr = asOperator(condition);
  if (expr.node === 'And' || expr.node === 'Or') {
    const exprs = expr.exprs.map((part) => withEqualities(part, types));
    return exprs.every((part, at) => part === expr.exprs[at]) ? condition : joined(expr.node, exprs, expr);
  }
  if (expr.node !== 'CompareOperation' || expr.op !== 'in' || expr.left.node === 'Tuple') return condition;
  const member = onlyMember(expr.right);
  const [name, ...others] = member ? variableNames(member) : [];
  const type = name === undefined || others.length > 0 ? undefined : types.get(name);
  if (!member || type === undefined || type === 'List' || type === 'Any') return condition;
  return { ...expr, op: '==', right: member };
}

// Brackets around one member leave no node, so other calls may be lists.
function onlyMember(set: Expression): Expression | undefined {
  if (set.node === 'Placeholder') return set;
  const isCall = set.node === 'Call' && /^(?:tuple|array)$/i.test(set.name) && isBare(set);
  const members = set.node === 'Tuple' || set.node === 'Array' ? set.exprs : isCall ? set.args : [];
  return members.length === 1 && members[0]?.node === 'Placeholder' ? members[0] : undefined;
}
