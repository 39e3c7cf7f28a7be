import { placeholderChain } from '../../placeholders/placeholders.ts';
import type { Expression, Placeholder, TreeNode } from '../../tree/expressions.ts';
import type { Cte, SelectQuery, Statement } from '../../tree/statements.ts';
import type { PlannedVariable } from '../plan.ts';
import { finding, findingPart, type Finding } from '../rules/finding.ts';
import { rules } from '../rules/rules.ts';
import { nodesOf } from '../selects/walk.ts';
import { isSameTree } from '../../tree/tree-nodes.ts';
import type { Lifted } from './lifted.ts';
import { conjunctsOf, variableOf, variablesIn } from '../selects/tree-conditions.ts';
import { readCondition } from './read-condition.ts';

/** The SELECT in whose WHERE the variables stand: that of a CTE, or the outer one. */
export interface Home {
  readonly cte: Cte | undefined;
  readonly query: SelectQuery;
  readonly lifted: readonly Lifted[];
}

/** Where the variables of a query stand, and what refuses them there (rules 8 to 18). */
export interface Uses {
  readonly home: Home | undefined;
  readonly findings: readonly Finding[];
}

/** Finds the variables of a statement that has some. */
export function findUses(tree: Statement, variables: readonly PlannedVariable[]): Uses {
  const findings = namesOf(tree, variables);
  if (tree.node === 'SelectSetQuery') {
    const at = variablesIn(tree);
    return {
      home: undefined,
      findings: [...findings, ...at.map((node) => outside(node, 'union'))],
    };
  }
  const { ctes = [], ...outer } = tree;
  const homes = [...ctes.map((cte) => homeOf(cte.expr, cte)), homeOf(outer, undefined)].filter(
    (home) => home !== undefined,
  );
  const [home, ...others] = homes.filter(({ findings, lifted }) => lifted.length + findings.length > 0);
  const [other] = others;
  return {
    home: home && { ...home, query: home.cte ? home.query : tree },
    findings: [
      ...findings,
      ...homes.flatMap((each) => each.findings),
      ...homes.flatMap(severalColumns),
      ...(home && other ? [inSeveral(home, other)] : []),
    ],
  };
}

type Found = Home & { readonly findings: readonly Finding[] };

function namesOf(tree: Statement, variables: readonly PlannedVariable[]): Finding[] {
  const known = new Set(variables.map(({ name }) => name));
  const placeholders = [...nodesOf(tree)].filter((node): node is Placeholder => node.node === 'Placeholder');
  const found = placeholders.flatMap((node): Finding[] => {
    const chain = placeholderChain(node);
    const name = variableOf(node);
    if (chain.length === 0 || name === '')
      return [finding(rules.placeholder, 'a placeholder has no name; write {variables.<code_name>}', node)];
    if (name === undefined || known.has(name)) return [];
    return [finding(rules.undeclared, `{variables.${name}} is not declared`, node)];
  });
  const hasVariable = placeholders.some((node) => variableOf(node) !== undefined);
  return hasVariable || found.length > 0 || variables.length === 0
    ? found
    : [finding(rules.noVariables, 'variables are declared, and the query names none', tree)];
}

function homeOf(expr: Expression | SelectQuery | Statement, cte: Cte | undefined): Found | undefined {
  const at = variablesIn(expr);
  if (at.length === 0) return undefined;
  if (expr.node !== 'SelectQuery') {
    const place = expr.node === 'SelectSetQuery' ? 'cteUnion' : 'column';
    return { cte, query: nothing, lifted: [], findings: at.map((node) => outside(node, place)) };
  }
  const { where, having, ...rest } = expr;
  const conditions = conjunctsOf(where).filter((condition) => variablesIn(condition).length > 0);
  const read = conditions.map(readOne);
  return {
    cte,
    query: expr,
    lifted: read.filter((each): each is Lifted => !('rule' in each)),
    findings: [
      ...Object.entries(rest).flatMap(([clause, part]) => elsewhere(clause, part)),
      ...(having ? variablesIn(having).map((node) => inHaving(node)) : []),
      ...read.filter((each): each is Finding => 'rule' in each),
    ],
  };
}

const nothing: SelectQuery = { node: 'SelectQuery', select: [], start: 0, end: 0 };

function readOne(condition: Expression): Lifted | Finding {
  const [inQuery] = [...nodesOf(condition)].filter(
    (node) => (node.node === 'SelectQuery' || node.node === 'SelectSetQuery') && variablesIn(node).length > 0,
  );
  return inQuery
    ? findingPart(
        rules.usage,
        'subQuery',
        'a variable stands in a sub-query in WHERE; compare a column of the query itself with it',
        inQuery,
      )
    : readCondition(condition);
}

type Place = keyof typeof rules.place.parts;
const isPlace = (clause: string): clause is Place => Object.hasOwn(rules.place.parts, clause);

function elsewhere(clause: string, part: unknown): Finding[] {
  if (!isPlace(clause)) return [];
  const trees = (
    Array.isArray(part) ? part : clause === 'window_exprs' ? Object.values(part as object) : [part]
  ) as TreeNode[];
  return trees.flatMap(variablesIn).map((node) => outside(node, clause));
}

function outside(node: Placeholder, place: Place): Finding {
  const reason = `{variables.${variableOf(node)}} stands in ${rules.place.parts[place]}; it may stand only in WHERE`;
  return findingPart(rules.place, place, reason, node);
}

function inHaving(node: Placeholder): Finding {
  return finding(rules.having, `{variables.${variableOf(node)}} stands in HAVING; it may stand only in WHERE`, node);
}

function severalColumns({ lifted }: Home): Finding[] {
  return lifted.flatMap((each, at) => {
    const before = lifted.slice(0, at).find(({ variable }) => variable === each.variable);
    return before && !isSameTree(before.subject, each.subject)
      ? [finding(rules.columns, `{variables.${each.variable}} is compared with several columns`, each.comparison)]
      : [];
  });
}

function inSeveral(home: Home, other: Home): Finding {
  const [, at] = [home, other].map(({ query, cte }) => cte ?? query);
  return other.cte
    ? finding(rules.ctes, 'variables stand in several CTEs', at)
    : finding(rules.cteAndTop, 'variables stand both in a CTE and in the outer query', at);
}
