import { costOf, spend } from '../../budget.ts';
import { SpanError, type Span } from '../../query-error.ts';
import { checkFits, settledValue, typedNull } from '../../operators/recursive-types.ts';
import { typesAt, type OutputColumn, type ResolvedCte, type ResolvedQuery, type ResolvedSet } from '../../resolved.ts';
import { Scope } from '../names/scope.ts';
import { withColumnNames } from './named-columns.ts';
import type { Cte, SelectSetQuery } from '../../tree/statements.ts';
import { commonType, plain } from '../../types.ts';

/**
 * Resolves a CTE of WITH RECURSIVE: the first part gives the rows to begin with, the others read those of the step before.
 * The engine ends it after 1,000 steps; time, memory and rows are bounded as of every query. The first part settles the types, and
 * any value can be NULL. Throws `type_mismatch` when another part gives what does not fit.
 */
export function resolveRecursive(
  { name, columns, ...span }: Cte,
  set: SelectSetQuery,
  scope: Scope,
): { kind: 'cte' } & ResolvedCte {
  const other = set.subsequent_select_queries.find((member) => member.set_operator !== 'UNION ALL');
  if (other)
    throw new SpanError(
      'not_supported',
      `The parts of a recursive query are joined by UNION ALL; ${other.set_operator.replace(' DISTINCT', '')} is not possible there`,
      other,
    );
  if (set.limit ?? set.offset)
    throw new SpanError(
      'not_supported',
      'LIMIT and OFFSET are not possible after the parts of a recursive query; write them where the query is read',
      set.limit ?? set,
    );
  const { resolution } = scope;
  const first = settled(withColumnNames(resolution.resolveQuery(set.initial_select_query, scope), columns, span));
  const query: ResolvedSet = {
    kind: 'set',
    withs: [],
    columns: first.columns,
    members: [first],
    operators: [],
    limit: undefined,
    offset: undefined,
  };
  spend(set.subsequent_select_queries.length * first.columns.length * costOf.column, set);
  const cte: { kind: 'cte' } & ResolvedCte = {
    kind: 'cte',
    name: resolution.freshName('w'),
    written: name,
    query,
    selects: 0,
    recursive: true,
  };
  const inside = new Scope(resolution, scope);
  inside.ctes.set(name, cte);
  for (const { select_query: part } of set.subsequent_select_queries) {
    const member = resolution.resolveQuery(part, inside);
    if (member.columns.length !== first.columns.length)
      throw new SpanError(
        'type_mismatch',
        `The parts of "${name}" have ${first.columns.length} and ${member.columns.length} columns`,
        part,
      );
    query.members.push(member);
    query.operators.push('UNION ALL');
  }
  const whole = withTypedNulls(first, query.members.slice(1));
  query.members[0] = whole;
  query.columns = whole.columns;
  set.subsequent_select_queries.forEach(({ select_query: part }, index) =>
    checkPart(whole.columns, query.members[index + 1] as ResolvedQuery, part),
  );
  return cte;
}

function checkPart(columns: readonly OutputColumn[], member: ResolvedQuery, part: Span): void {
  columns.forEach((column, at) => {
    const later = member.columns[at]?.type ?? plain('unknown', true);
    checkFits(column.name, column.type, later, (member.kind === 'select' ? member.values[at] : undefined) ?? part);
  });
}

function settled(query: ResolvedQuery): ResolvedQuery {
  if (query.kind === 'select') {
    const values = query.values.map(settledValue);
    return {
      ...query,
      values,
      columns: query.columns.map((column, at) => ({ ...column, type: values[at]?.type ?? column.type })),
    };
  }
  const members = query.members.map(settled);
  return {
    ...query,
    members,
    columns: query.columns.map((column, at) => ({ ...column, type: commonType(typesAt(members, at)) })),
  };
}

function withTypedNulls(first: ResolvedQuery, others: readonly ResolvedQuery[]): ResolvedQuery {
  if (first.kind !== 'select' || !first.columns.some(({ type }) => type.kind === 'null')) return first;
  const values = first.values.map((value, at) => typedNull(value, typesAt(others, at)) ?? value);
  return {
    ...first,
    values,
    columns: first.columns.map((column, at) => ({ ...column, type: values[at]?.type ?? column.type })),
  };
}
