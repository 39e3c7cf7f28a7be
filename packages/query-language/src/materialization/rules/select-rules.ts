import { isSameTree } from '../../tree/tree-nodes.ts';
import type { TreeNode } from '../../tree/expressions.ts';
import type { SelectQuery } from '../../tree/statements.ts';
import { aliasIn, groupingOf, holdsAggregate, hasDifferingGroups, hasWindow, isStar } from '../selects/select-shape.ts';
import type { Home } from '../variables/find-uses.ts';
import { finding, type Finding } from './finding.ts';
import { rules } from './rules.ts';

/** What the outer query of a query with variables may not have (rule 34): it looks at rows of all values. */
export function clauseFindings(query: SelectQuery): Finding[] {
  const parts: [boolean, string, (TreeNode | undefined)?][] = [
    [query.distinct === true, 'DISTINCT'],
    [query.limit_by !== undefined, 'LIMIT BY', query.limit_by],
    [query.qualify !== undefined, 'QUALIFY', query.qualify],
    [hasWindow(query), 'a window function'],
    [hasDifferingGroups(query), 'ROLLUP, CUBE or GROUPING SETS'],
    [groupingOf(query) !== 'none' && query.select.some(isStar), 'a star beside GROUP BY or an aggregate'],
  ];
  return parts.flatMap(([is, what, at]) =>
    is
      ? [finding(rules.clause, `the query has ${what}, which is not possible together with variables`, at ?? query)]
      : [],
  );
}

/** Names of variables that are aliases of something else (rule 22). */
export function aliasFindings({ query, lifted }: Home): Finding[] {
  return lifted.flatMap(({ variable, subject, comparison }) => {
    const alias = aliasIn(query, variable);
    const isSame =
      alias && (isSameTree(alias.expr, subject) || isSameTree(subject, { node: 'Field', chain: [variable] }));
    if (alias && !isSame)
      return [
        finding(
          rules.alias,
          `${variable} is the name of a variable and of another column of SELECT; rename one of them`,
          alias,
        ),
      ];
    const aggregate = holdsAggregate([subject], query);
    return aggregate
      ? [
          finding(
            rules.alias,
            `{variables.${variable}} is compared with a column whose name is that of an aggregate in SELECT; rename one of them`,
            comparison,
          ),
        ]
      : [];
  });
}
