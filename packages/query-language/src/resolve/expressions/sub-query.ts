import { readByType } from '../../operators/learned-types.ts';
import type { Resolved } from '../../resolved.ts';
import type { Expression } from '../../tree/expressions.ts';
import type { Statement } from '../../tree/statements.ts';
import { nullable, plain, unread, type ValueType } from '../../types.ts';
import type { Scope } from '../names/scope.ts';

/** The statement that reads a CTE: `x IN cte` means `x IN (SELECT * FROM cte)`. `undefined` where no CTE is named. */
export function cteAsQuery(right: Expression, scope: Scope): Statement | undefined {
  const [name] = right.node === 'Field' && right.chain.length === 1 ? right.chain : [];
  if (name === undefined || !scope.findCte(name, right) || scope.aliases.has(name)) return undefined;
  const span = { start: right.start, end: right.end };
  return {
    node: 'SelectQuery',
    select: [{ node: 'Field', chain: ['*'], ...span }],
    select_from: { node: 'JoinExpr', table: { node: 'Field', chain: [name], ...span }, ...span },
    ...span,
  };
}

/** A statement as an operand; the operator knows its type. */
export function subQuery(statement: Statement, scope: Scope): Resolved & { kind: 'query' } {
  const query = scope.resolution.resolveQuery(statement, scope);
  return {
    kind: 'query',
    query,
    type: plain('unknown', true),
    aggregate: false,
    local: false,
    start: statement.start,
    end: statement.end,
  };
}

/** A statement as a value: a tuple, where it has several columns. */
export function scalarQuery(statement: Statement, scope: Scope): Resolved {
  const resolved = subQuery(statement, scope);
  const { columns } = resolved.query;
  const type: ValueType =
    columns.length === 1 && columns[0]
      ? nullable(columns[0].type)
      : { kind: 'tuple', nullable: false, items: columns.map((column) => column.type) };
  const value = readByType({ ...resolved, type });
  return { ...value, type: unread(value.type) };
}
