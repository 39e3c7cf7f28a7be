import { costOf, spend } from '../../budget.ts';
import { otherTableNames } from '../../schema/logical-issues.ts';
import { logicalTables } from '../../schema/logical-schema.ts';
import { nearestName } from '../../nearest-name.ts';
import { SpanError, type Span } from '../../query-error.ts';
import { joinTypeOf, type JoinType } from '../../join-types.ts';
import { resolveConstraint } from './resolve-constraint.ts';
import { resolveExpression } from '../expressions/resolve-expression.ts';
import { starNames } from '../names/source-columns.ts';
import type { ResolvedJoin, Source } from '../../resolved.ts';
import { checkAlias, type Scope } from '../names/scope.ts';
import { withColumnNames } from './named-columns.ts';
import { bounded, isFixed } from './fixed-values.ts';
import { resolveSeries } from './resolve-series.ts';
import { isUnnest, unnestedRows } from './unnest.ts';
import type { Expression, Field } from '../../tree/expressions.ts';
import type { JoinConstraint, JoinExpr } from '../../tree/statements.ts';
import { numbersMax } from '../../work/numbers.ts';

const tablesMax = 50;

/** Resolves the tables of FROM and their joins into the scope. Throws `SpanError`, also for more than 50 tables. */
export function resolveFrom(from: JoinExpr, scope: Scope): ResolvedJoin[] {
  const joins: ResolvedJoin[] = [];
  for (let join: JoinExpr | undefined = from; join; join = join.next_join) {
    if (joins.length >= tablesMax)
      throw new SpanError('query_too_large', `One FROM has more than ${tablesMax} tables`, join);
    joins.push(resolveJoin(join, scope));
  }
  return joins;
}

function resolveJoin(join: JoinExpr, scope: Scope): ResolvedJoin {
  const type = joinTypeOf(join.join_type);
  if (!type) throw new SpanError('not_supported', `${join.join_type} is not supported`, join);
  const source = resolveSource(join, scope);
  source.optional = type.ownMayMiss;
  if (type.earlierMayMiss) for (const earlier of scope.sources) earlier.optional = true;
  if (source.name !== undefined && scope.sources.some((other) => other.name === source.name))
    throw new SpanError('invalid_name', `Two tables are named "${source.name}"; give one an alias`, join);
  const earlier = [...scope.sources];
  scope.sources.push(source);
  if (type.sql === 'FROM' || type.sql === 'CROSS JOIN') return { type: type.sql, source, on: undefined };
  if (join.natural)
    return {
      type: type.sql,
      source,
      on: resolveConstraint(naturalConstraint(join, type, earlier, source), type, earlier, source, scope),
    };
  if (!join.constraint)
    throw new SpanError('syntax_error', `${join.join_type} needs ON and a condition, or USING and columns`, join);
  return { type: type.sql, source, on: resolveConstraint(join.constraint, type, earlier, source, scope) };
}

const naturalMax = 40;

// USING of the columns that `*` shows on both sides.
function naturalConstraint(join: JoinExpr, type: JoinType, earlier: readonly Source[], own: Source): JoinConstraint {
  const span = { start: join.start, end: join.end };
  if (type.nearest)
    throw new SpanError(
      'not_supported',
      'NATURAL cannot be used together with ASOF: write USING, whose last column picks the nearest row',
      span,
    );
  const names = earlier.map(starNames);
  spend(names.reduce((sum, { length }) => sum + length, 0) * costOf.visit, span);
  const known = new Set(names.flat());
  const exprs = starNames(own)
    .filter((name) => known.has(name))
    .map((name): Field => ({ node: 'Field', chain: [name], ...span }));
  if (exprs.length > naturalMax)
    throw new SpanError(
      'query_too_large',
      `NATURAL JOIN finds more than ${naturalMax} columns that both sides have; name the columns to compare with USING`,
      span,
    );
  if (exprs.length === 0)
    throw new SpanError(
      'wrong_arguments',
      'NATURAL JOIN finds no column that both sides have; write ON and a condition, or CROSS JOIN',
      span,
    );
  return { node: 'JoinConstraint', constraint_type: 'USING', expr: { node: 'Tuple', exprs, ...span }, ...span };
}

function resolveSource(join: JoinExpr, scope: Scope): Source {
  if (join.table_final) throw new SpanError('not_supported', 'FINAL is not needed: a table shows each row once', join);
  const name = join.alias === undefined ? undefined : checkAlias(join.alias, join);
  const alias = scope.resolution.freshName('t');
  const { table } = join;
  if (table.node === 'Placeholder')
    throw new SpanError('not_allowed', 'A placeholder stands for a value, not for a table', table);
  const own = { alias, optional: false, needed: new Map(), lookups: new Map() };
  if (table.node === 'Field')
    return { ...own, name: name ?? table.chain[table.chain.length - 1], from: namedSource(join, table.chain, scope) };
  const query = withColumnNames(scope.resolution.resolveQuery(table, scope), join.columns, join);
  return { ...own, name, from: { kind: 'query', query } };
}

function namedSource(join: JoinExpr, chain: readonly string[], scope: Scope): Source['from'] {
  const name = chain.join('.');
  if (join.table_args) return tableFunction(join, name, join.table_args, scope);
  const rows = chain.length === 1 ? scope.resolution.stored.get(name) : undefined;
  if (rows) return { kind: 'stored', rows };
  const cte = chain.length === 1 ? scope.findCte(name, join) : undefined;
  if (cte) {
    scope.resolution.selects.add(cte.selects, join);
    return { kind: 'cte', cte };
  }
  const table = logicalTables.get(otherTableNames.get(name) ?? name);
  if (!table) throw unknownTable(name, [...logicalTables.keys(), ...scope.ctes.keys()], join.table);
  return { kind: 'table', table };
}

function unknownTable(name: string, known: readonly string[], span: Span): SpanError {
  const near = nearestName(name, known);
  return new SpanError(
    'unknown_table',
    `Unknown table "${name}"${near === undefined ? `; the tables are ${known.join(', ').slice(0, 500)}` : ''}`,
    span,
    near,
  );
}

function tableFunction(join: JoinExpr, name: string, args: readonly Expression[], scope: Scope): Source['from'] {
  const known = name.toLowerCase();
  if (known === 'numbers') return numbersSource(join, args, scope);
  if (known === 'generate_series') return { kind: 'query', query: resolveSeries(join, args, scope) };
  if (isUnnest(join)) return { kind: 'query', query: scope.resolution.resolveQuery(unnestedRows(join), scope) };
  throw new SpanError(
    'not_allowed',
    `The table function ${name}() is not part of the query language; numbers(), generate_series() and unnest() are`,
    join,
  );
}

function numbersSource(join: JoinExpr, given: readonly Expression[], scope: Scope): Source['from'] {
  if (join.columns)
    throw new SpanError('not_supported', 'The column of numbers() is named number; give it an alias in SELECT', join);
  const args = given.map((arg) => resolveExpression(arg, scope));
  const bad = args.find((arg) =>
    arg.kind === 'constant'
      ? typeof arg.value !== 'number' || !Number.isSafeInteger(arg.value) || arg.value < 0 || arg.value > numbersMax
      : !isFixed(arg),
  );
  if (bad || args.length < 1 || args.length > 2)
    throw new SpanError(
      'wrong_arguments',
      `numbers() takes one or two whole numbers up to ${numbersMax}, or expressions of fixed values such as dateDiff('day', toDate('2026-01-01'), today())`,
      bad ?? join,
    );
  return { kind: 'numbers', args: args.map((arg) => (arg.kind === 'constant' ? arg : bounded(arg))) };
}
