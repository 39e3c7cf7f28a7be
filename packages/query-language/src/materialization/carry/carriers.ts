import { joinTypeOf } from '../../join-types.ts';
import type { Field, TreeNode } from '../../tree/expressions.ts';
import type { Cte, JoinExpr, SelectQuery } from '../../tree/statements.ts';
import { finding, findingPart, type Finding } from '../rules/finding.ts';
import { rules } from '../rules/rules.ts';
import { groupingOf, hasDifferingGroups, hasWindow, isStar, outputName } from '../selects/select-shape.ts';
import { joinsOf } from '../selects/tree-conditions.ts';
import { nodesOf } from '../selects/walk.ts';
import type { Home } from '../variables/find-uses.ts';

/** A table in FROM that carries the variables. */
export interface Reading {
  /** The name by which its columns are written. */
  readonly name: string;
  readonly join: JoinExpr;
}

/** A SELECT that reads tables which carry the variables. */
export interface Carrier {
  /** Undefined: the outer query. */
  readonly cte: Cte | undefined;
  readonly query: SelectQuery;
  readonly readings: readonly Reading[];
  /** A member of a UNION ALL. */
  readonly isLeg: boolean;
}

/** The way of the variables from the CTE in which they stand to the outer query. */
export interface Carriage {
  readonly carriers: readonly Carrier[];
  readonly findings: readonly Finding[];
}

/** Follows the variables of a CTE through the CTEs that read it (rules 20 to 32). */
export function followCarriers(tree: SelectQuery, home: Home & { cte: Cte }): Carriage {
  const names = new Set([home.cte.name]);
  const carriers: Carrier[] = [];
  const findings: Finding[] = [...bodyFindings(home.query, home.cte), ...windowFindings(home.query, home.cte)];
  for (const cte of tree.ctes ?? []) {
    if (cte === home.cte) continue;
    const found = ofCte(cte, names);
    findings.push(...found.findings);
    carriers.push(...found.carriers);
    if (found.carriers.length > 0) names.add(cte.name);
  }
  const { ctes: _, ...outer } = tree;
  const root = { cte: undefined, query: tree, readings: readingsOf(outer, names), isLeg: false };
  findings.push(...rootFindings(root, outer, names), ...unionFindings(home, [...carriers, root]));
  return { carriers: [...carriers, root], findings };
}

function ofCte(cte: Cte, names: ReadonlySet<string>): Carriage {
  const { expr } = cte;
  if (expr.node !== 'SelectQuery' && expr.node !== 'SelectSetQuery') {
    const nested = nestedReads(expr, [], names);
    return { carriers: [], findings: nested.map((node) => nestedFinding(node)) };
  }
  if (expr.node === 'SelectQuery') return ofSelect(expr, cte, names);
  if (tablesIn(expr, names).length === 0) return { carriers: [], findings: [] };
  const members = [expr.initial_select_query, ...expr.subsequent_select_queries.map((each) => each.select_query)];
  const other = expr.subsequent_select_queries.find(({ set_operator }) => set_operator !== 'UNION ALL');
  const findings = other
    ? [finding(rules.union, `the CTE ${cte.name} has ${other.set_operator}; only UNION ALL carries variables`, other)]
    : [];
  const legs = members.map((member): Carriage => {
    if (member.node === 'SelectSetQuery')
      return refused(
        finding(rules.legSet, `a member of the UNION ALL in the CTE ${cte.name} is itself a UNION`, member),
      );
    const { carriers, findings: inner } = ofSelect(member, cte, names);
    if (inner.length > 0)
      return {
        carriers,
        findings: inner.map(({ reason, span }) =>
          finding(
            rules.leg,
            `a member of the UNION ALL in the CTE ${cte.name} cannot carry a variable: ${reason}`,
            span,
          ),
        ),
      };
    return carriers.length > 0
      ? { carriers: carriers.map((carrier) => ({ ...carrier, isLeg: true })), findings: [] }
      : refused(
          finding(
            rules.legSource,
            `a member of the UNION ALL in the CTE ${cte.name} does not read what carries the variable`,
            member,
          ),
        );
  });
  const limits = expr.limit ?? expr.offset;
  return {
    carriers: legs.flatMap(({ carriers }) => carriers),
    findings: [
      ...findings,
      ...(limits ? [findingPart(rules.body, 'union', `the CTE ${cte.name} has LIMIT or OFFSET`, limits)] : []),
      ...legs.flatMap((leg) => leg.findings),
    ],
  };
}

function refused(...findings: Finding[]): Carriage {
  return { carriers: [], findings };
}

function ofSelect(query: SelectQuery, cte: Cte, names: ReadonlySet<string>): Carriage {
  const readings = readingsOf(query, names);
  const nested = nestedReads(query, readings, names).map((node) => nestedFinding(node));
  if (readings.length === 0) return { carriers: [], findings: nested };
  return {
    carriers: [{ cte, query, readings, isLeg: false }],
    findings: [
      ...nested,
      ...bodyFindings(query, cte),
      ...windowFindings(query, cte),
      ...starFindings(query, readings),
      ...joinFindings(query, cte),
    ],
  };
}

function windowFindings(query: SelectQuery, cte: Cte): Finding[] {
  return hasWindow(query) ? [finding(rules.window, `the CTE ${cte.name} has a window function`, query)] : [];
}

function nestedFinding(node: TreeNode): Finding {
  return finding(rules.nested, 'a CTE that carries a variable is read inside of a sub-query', node);
}

// A clause that takes rows away by looking at others would take away others where it sees one value alone.
function bodyFindings(query: SelectQuery, cte: Cte): Finding[] {
  const { parts } = rules.body;
  const found: [boolean, keyof typeof parts, (TreeNode | undefined)?][] = [
    [cte.recursive === true, 'recursive'],
    [query.distinct === true, 'distinct'],
    [query.limit !== undefined, 'limit', query.limit],
    [query.offset !== undefined, 'offset', query.offset],
    [query.limit_by !== undefined, 'limitBy', query.limit_by],
    [hasDifferingGroups(query), 'groups'],
    [query.order_by?.some((item) => item.with_fill) === true, 'fill'],
    [query.qualify !== undefined, 'qualify', query.qualify],
  ];
  return found.flatMap(([is, part, at]) =>
    is
      ? [
          findingPart(
            rules.body,
            part,
            `the CTE ${cte.name} ${parts[part]}, which looks at the rows of all values`,
            at ?? query,
          ),
        ]
      : [],
  );
}

// A star shows the key of one table; of several it would show it twice.
function starFindings(query: SelectQuery, readings: readonly Reading[]): Finding[] {
  const stars = query.select.filter(isStar);
  const isGrouped = groupingOf(query) !== 'none';
  const wrong = stars.find(
    (star) => star.node === 'ColumnsExpr' || readings.length > 1 || stars.length > 1 || isGrouped,
  );
  return wrong
    ? [findingPart(rules.body, 'star', 'a star stands beside the columns of a variable; name the columns', wrong)]
    : [];
}

function joinFindings({ select_from }: SelectQuery, cte: Cte): Finding[] {
  return joinsOf(select_from).flatMap((join) => {
    const type = joinTypeOf(join.join_type)?.sql;
    const isSafe = type === 'FROM' || type === 'CROSS JOIN' || (type === 'INNER JOIN' && !join.natural);
    return isSafe
      ? []
      : [
          findingPart(
            rules.join,
            'type',
            `the CTE ${cte.name} joins by ${join.natural ? 'NATURAL ' : ''}${join.join_type ?? 'JOIN'}; JOIN, INNER JOIN and CROSS JOIN are possible`,
            join,
          ),
        ];
  });
}

function rootFindings(root: Carrier, outer: SelectQuery, names: ReadonlySet<string>): Finding[] {
  const { readings } = root;
  const joined = outer.select_from?.next_join;
  const nested = nestedReads(outer, readings, names);
  const { select_from, ...rest } = outer;
  const inExpressions = new Set(
    Object.values(rest).flatMap((part) => partsOf(part).flatMap((tree) => tablesIn(tree, names))),
  );
  return [
    ...(readings.length > 0 && joined
      ? [finding(rules.cteJoin, 'the outer query joins the CTE that carries the variable with another table', joined)]
      : []),
    ...nested.map((node) =>
      inExpressions.has(node)
        ? finding(
            rules.scalar,
            'a sub-query in an expression of the outer query reads the CTE that carries the variable',
            node,
          )
        : nestedFinding(node),
    ),
    ...(readings.length === 0 && nested.length === 0
      ? [finding(rules.source, 'the outer query does not read the CTE that carries the variable', outer)]
      : []),
    ...starFindings(outer, readings),
  ];
}

function partsOf(part: unknown): TreeNode[] {
  const parts = (Array.isArray(part) ? part : [part]) as unknown[];
  return parts.filter((each): each is TreeNode => typeof each === 'object' && each !== null && 'node' in each);
}

// One row where nothing matches: beside the rows of another member its absence would not be seen.
function unionFindings(home: Home & { cte: Cte }, carriers: readonly Carrier[]): Finding[] {
  const legs = carriers.filter(({ isLeg }) => isLeg);
  if (legs.length === 0) return [];
  const single = [home, ...carriers.filter(({ cte }) => cte)].find(({ query }) => groupingOf(query) === 'global');
  return single
    ? [
        finding(
          rules.leg,
          'a member of a UNION ALL cannot carry a variable: an aggregate without GROUP BY returns a row where nothing matches',
          single.query,
        ),
      ]
    : [];
}

function readingsOf({ select_from }: SelectQuery, names: ReadonlySet<string>): Reading[] {
  return joinsOf(select_from).flatMap((join) => {
    const name = tableName(join.table, names);
    return name === undefined || join.table_args ? [] : [{ name: join.alias ?? name, join }];
  });
}

function tableName(table: TreeNode, names: ReadonlySet<string>): string | undefined {
  const [name, ...rest] = table.node === 'Field' ? table.chain : [];
  return name !== undefined && rest.length === 0 && names.has(name) ? name : undefined;
}

/** Names of carrying CTEs where a table may stand: in FROM, and behind IN. */
function tablesIn(tree: TreeNode, names: ReadonlySet<string>): Field[] {
  return [...nodesOf(tree)].flatMap((node) => {
    const table = node.node === 'JoinExpr' ? node.table : isMembership(node) ? node.right : undefined;
    return table && tableName(table, names) !== undefined ? [table as Field] : [];
  });
}

function isMembership(node: TreeNode): node is TreeNode & { node: 'CompareOperation' } {
  return node.node === 'CompareOperation' && (node.op === 'in' || node.op === 'not in');
}

function nestedReads(tree: TreeNode, readings: readonly Reading[], names: ReadonlySet<string>): Field[] {
  const direct = new Set<TreeNode>(readings.map(({ join }) => join.table));
  return tablesIn(tree, names).filter((table) => !direct.has(table));
}

/** Columns of a carrier that have this name and are not the column itself (rule 28). */
export function columnsNamed({ query, readings }: Carrier, column: string): TreeNode[] {
  return query.select.filter((item) => outputName(item) === column && !isColumnOf(item, column, readings));
}

/** Is this column of the SELECT list the carried one, under its name? */
export function isColumnOf(item: TreeNode, column: string, readings: readonly Reading[]): boolean {
  if (item.node !== 'Field') return false;
  const [first, second, ...rest] = item.chain;
  if (rest.length > 0) return false;
  return second === undefined ? first === column : second === column && readings.some(({ name }) => name === first);
}
