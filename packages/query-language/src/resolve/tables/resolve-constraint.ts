import { compare } from '../../operators/comparisons.ts';
import { alignBranches, toCondition } from '../../operators/conversions.ts';
import type { JoinType } from '../../join-types.ts';
import { SpanError, type Span } from '../../query-error.ts';
import { resolveExpression } from '../expressions/resolve-expression.ts';
import { columnNames, hasColumn } from '../names/source-columns.ts';
import { fieldOfSource } from '../names/source-fields.ts';
import { call, type Resolved, type Source } from '../../resolved.ts';
import { unknownColumn, type MergedColumn, type Scope } from '../names/scope.ts';
import type { Expression } from '../../tree/expressions.ts';
import type { JoinConstraint } from '../../tree/statements.ts';
import { plain } from '../../types.ts';

/** Resolves ON or USING of a join, whose own table is already in the scope, after the `earlier` ones. */
export function resolveConstraint(
  constraint: JoinConstraint,
  type: JoinType,
  earlier: readonly Source[],
  own: Source,
  scope: Scope,
): Resolved {
  if (constraint.constraint_type === 'USING') return resolveUsing(constraint, type, earlier, own, scope);
  scope.aggregatesAllowed = false;
  const on = toCondition(resolveExpression(constraint.expr, scope, 'filter'));
  scope.aggregatesAllowed = true;
  if (type.nearest) checkNearest(on, constraint);
  return on;
}

// The engine's own message would name none of the author's words.
function checkNearest(on: Resolved, span: Span): void {
  const conditions = on.kind === 'call' && on.name === 'and' ? on.args : [on];
  const called = (names: readonly string[]): number =>
    conditions.filter((condition) => condition.kind === 'call' && names.includes(condition.name)).length;
  if (called(['equals']) >= 1 && called(['less', 'lessOrEquals', 'greater', 'greaterOrEquals']) === 1) return;
  throw new SpanError(
    'wrong_arguments',
    'ASOF JOIN needs columns that are equal and one comparison with <, <=, > or >= that picks the nearest row',
    span,
  );
}

// USING prints as ON: the columns' names are ours by then, and types are brought together as in every comparison.
function resolveUsing(
  constraint: JoinConstraint,
  type: JoinType,
  earlier: readonly Source[],
  own: Source,
  scope: Scope,
): Resolved {
  const { expr } = constraint;
  const fields = expr.node === 'Tuple' ? expr.exprs : [expr];
  const last = fields.length - 1;
  if (type.nearest && last < 1)
    throw new SpanError(
      'wrong_arguments',
      'ASOF JOIN … USING needs two columns or more; the last is the one that picks the nearest row',
      constraint,
    );
  const conditions = fields.map((field, index) => {
    const name = usingName(field);
    const nearest = type.nearest && index === last;
    const left = earlierColumn(name, earlier, scope, field);
    if (!hasColumn(own, name)) throw unknownColumn(name, columnNames(own), field);
    const condition = compare(
      nearest ? '>=' : '==',
      left.read(field),
      fieldOfSource(own, [name], field),
      'filter',
      field,
    );
    if (!nearest) scope.merged.set(name, mergedColumn(name, type, left, own, scope));
    return condition;
  });
  return conditions.length === 1 ? (conditions[0] as Resolved) : call('and', conditions, plain('boolean'), constraint);
}

function usingName(field: Expression): string {
  const [name] = field.node === 'Field' && field.chain.length === 1 ? field.chain : [];
  if (name === undefined || name === '*')
    throw new SpanError(
      'syntax_error',
      'USING takes plain names of columns that both sides have; write ON for anything else',
      field,
    );
  return name;
}

function earlierColumn(name: string, earlier: readonly Source[], scope: Scope, span: Span): MergedColumn {
  const holders = earlier.filter((source) => hasColumn(source, name));
  const merged = scope.merged.get(name);
  if (merged && holders.every((holder) => merged.sources.has(holder))) return merged;
  const [holder] = holders;
  if (!holder) throw unknownColumn(name, earlier.flatMap(columnNames), span);
  if (holders.length > 1)
    throw new SpanError(
      'ambiguous_column',
      `Column "${name}" is in several tables before this join; write ON with the table before it`,
      span,
    );
  return { sources: new Set(holders), read: (at) => fieldOfSource(holder, [name], at) };
}

// The side that always has a row gives the value; of a full join whichever has one.
function mergedColumn(name: string, type: JoinType, left: MergedColumn, own: Source, scope: Scope): MergedColumn {
  const right = (span: Span): Resolved => fieldOfSource(own, [name], span);
  const sources = new Set([...left.sources, own]);
  if (!type.earlierMayMiss) return { sources, read: left.read };
  if (!type.ownMayMiss) return { sources, read: right };
  return {
    sources,
    read: memoized(scope, (span) => {
      const { exprs, type: common } = alignBranches([left.read(span), right(span)]);
      return call('coalesce', exprs, common, span);
    }),
  };
}

// Built once for all places, until one more table may have made the columns before it nullable.
function memoized(scope: Scope, build: MergedColumn['read']): MergedColumn['read'] {
  let known: { tables: number; column: Resolved } | undefined;
  return (span) => {
    if (known?.tables !== scope.sources.length) known = { tables: scope.sources.length, column: build(span) };
    return { ...known.column, start: span.start, end: span.end };
  };
}
