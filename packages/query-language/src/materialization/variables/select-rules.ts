import { isSameTree } from '../../tree/tree-nodes.ts';
import type { Expression, TreeNode } from '../../tree/expressions.ts';
import type { SelectQuery } from '../../tree/statements.ts';
import { aliasIn, groupingOf, holdsAggregate, hasDifferingGroups, hasWindow, isStar } from '../selects/select-shape.ts';
import type { Home } from './find-uses.ts';
import { findingPart, type Finding } from '../rules/finding.ts';
import { rules } from '../rules/rules.ts';

/** Clauses that the outer query of a query with variables may not have (rule 34): they look at rows of all values. */
export function clauseFindings(query: SelectQuery): Finding[] {
  const { parts } = rules.clause;
  const found: [boolean, keyof typeof parts, (TreeNode | undefined)?][] = [
    [query.distinct === true, 'distinct'],
    [query.limit_by !== undefined, 'limitBy', query.limit_by],
    [query.qualify !== undefined, 'qualify', query.qualify],
    [hasWindow(query), 'window'],
    [hasDifferingGroups(query), 'groups'],
    [groupingOf(query) !== 'none' && query.select.some(isStar), 'star'],
  ];
  return found.flatMap(([is, part, at]) =>
    is
      ? [
          findingPart(
            rules.clause,
            part,
            `the query has ${parts[part]}, which is not possible together with variables`,
            at ?? query,
          ),
        ]
      : [],
  );
}

/** Names of variables that are aliases of something else, and columns that are hidden by the alias of an aggregate (rule 22). */
export function aliasFindings({ query, lifted }: Home): Finding[] {
  const hidden = holdsAggregate(
    lifted.map(({ subject }) => subject),
    query,
  );
  return lifted.flatMap(({ variable, subject, comparison }) => {
    const alias = aliasIn(query, variable);
    if (alias && !isSameTree(alias.expr, subject) && !isNamed(subject, variable))
      return [named('variable', `${variable} is the name of a variable and of another column of SELECT`, alias)];
    return hidden && holdsAggregate([subject], query)
      ? [
          named(
            'aggregate',
            `{variables.${variable}} is compared with a name that an aggregate in SELECT has`,
            comparison,
          ),
        ]
      : [];
  });
}

function isNamed(subject: Expression, name: string): boolean {
  return subject.node === 'Field' && subject.chain.length === 1 && subject.chain[0] === name;
}

function named(part: keyof typeof rules.alias.parts, what: string, at: TreeNode): Finding {
  return findingPart(rules.alias, part, `${what}; rename one of them`, at);
}
