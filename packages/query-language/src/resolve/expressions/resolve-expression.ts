import { spelledAggregate } from '../../functions/aggregate-spellings.ts';
import { costOf, spend } from '../../budget.ts';
import { findFunction } from '../../functions/find-function.ts';
import { scalarCall } from '../../functions/scalar-calls.ts';
import { specialFunctions } from '../../functions/special-functions.ts';
import { checkTypeName } from '../../functions/type-names.ts';
import { calculate } from '../../operators/calculations.ts';
import { between, distinctFrom, type Use } from '../../operators/comparisons.ts';
import { castTo } from '../../operators/casts.ts';
import { alignBranches, asText, toCondition, toNumber, toTime } from '../../operators/conversions.ts';
import { isProperty } from '../../operators/property-order.ts';
import { placeholderChain } from '../../placeholders/placeholders.ts';
import { boundedTime } from '../../operators/bounded-time.ts';
import { readByType } from '../../operators/learned-types.ts';
import { searchText } from '../../operators/text-searches.ts';
import { toVersionKey } from '../../operators/version-keys.ts';
import { SpanError, type Span } from '../../query-error.ts';
import { anyNullable, call, constant, openPlaceholderAt, type Resolved } from '../../resolved.ts';
import { intervalOf } from '../../parse/interval-text.ts';
import type { ArrayAccess, Call, Expression, Placeholder, TypeCast } from '../../tree/expressions.ts';
import { plain } from '../../types.ts';
import { argumentsOf } from './arguments-of.ts';
import { literal } from './literal.ts';
import { elementOf, memberOf, tupleOf } from './members.ts';
import { operatorCall } from './operator-calls.ts';
import { resolveAggregate } from './resolve-aggregate.ts';
import { resolveComparison } from './resolve-comparison.ts';
import { resolveAlias, resolveInnerAlias } from '../names/resolve-alias.ts';
import { isKnownName, resolveField } from '../names/resolve-field.ts';
import { sliceOf } from './resolve-slice.ts';
import { resolveRowCondition } from './row-condition.ts';
import { resolveWindow } from './resolve-window.ts';
import { unknownItem, type Scope } from '../names/scope.ts';
import { spelledOut } from './spelled-out.ts';
import { scalarQuery, subQuery } from './sub-query.ts';

const readAs = {
  number: toNumber,
  time: toTime,
  bounded: boundedTime,
  version: toVersionKey,
  stored: (expr: Resolved): Resolved => (isProperty(expr) ? asText(expr) : expr),
};

// The tree has fewer levels; aliases that stand for later ones go from one to the next.
const depthMax = 600;

/** Settles names, functions and types of an expression. Throws `SpanError`. */
export function resolveExpression(expr: Expression, scope: Scope, use: Use = 'value'): Resolved {
  const { resolution } = scope;
  if (resolution.depth >= depthMax)
    throw new SpanError(
      'too_deep',
      'The aliases refer to one another in too long a chain; define each alias before it is used',
      expr,
    );
  resolution.depth += 1;
  spend(expr.node === 'Constant' ? costOf.literal : costOf.expression, expr);
  const resolved = resolveNode(expr, scope, use);
  resolution.depth -= 1;
  return resolved;
}

function resolveNode(expr: Expression, scope: Scope, use: Use): Resolved {
  const inner = (part: Expression): Resolved => resolveExpression(part, scope);
  switch (expr.node) {
    case 'Field':
      return resolveField(expr, scope, (alias) => resolveAlias(alias, scope, inner));
    case 'Constant':
      return literal(expr);
    case 'Placeholder':
      return resolvePlaceholder(expr, scope);
    case 'And':
    case 'Or':
      return logic(
        expr.node === 'And' ? 'and' : 'or',
        expr.exprs.map((part) => toCondition(resolveExpression(part, scope, use))),
        expr,
      );
    case 'Not': {
      const condition = toCondition(inner(expr.expr));
      return call('not', [condition], plain('boolean', condition.type.nullable), expr);
    }
    case 'ArithmeticOperation':
      return expr.op === '-' &&
        expr.left.start === expr.start &&
        expr.left.node === 'Constant' &&
        expr.left.end === expr.left.start + 1 &&
        expr.left.value === 0
        ? negate(inner(expr.right), expr)
        : calculate(expr.op, inner(expr.left), inner(expr.right), expr);
    case 'CompareOperation':
      return resolveComparison(expr, scope, use, inner);
    case 'BetweenExpr':
      return between(expr.negated, inner(expr.expr), inner(expr.low), inner(expr.high), use, expr);
    case 'IsDistinctFrom':
      return distinctFrom(expr.negated, inner(expr.left), inner(expr.right), expr);
    case 'Call':
      return resolveCall(expr, scope, use);
    case 'WindowFunction':
      return resolveWindow(expr, scope, inner);
    case 'Array':
      return arrayOf(expr.exprs.map(inner), expr);
    case 'Tuple':
      return tupleOf(
        expr.exprs.map((part) => readByType(inner(part))),
        expr,
      );
    case 'ArrayAccess':
      if (isArrayLiteral(expr, scope)) return arrayOf([inner(expr.property)], expr);
      return elementOf(inner(expr.array), inner(expr.property), expr);
    case 'ArraySlice':
      return sliceOf(
        inner(expr.array),
        expr.start_expr && inner(expr.start_expr),
        expr.end_expr && inner(expr.end_expr),
        expr,
      );
    case 'Dict':
      return specialCall(
        'map',
        { node: 'Call', name: 'map', args: expr.items.flat(), start: expr.start, end: expr.end },
        scope,
      );
    case 'TupleAccess':
      return memberOf(inner(expr.tuple), expr);
    case 'TypeCast':
    case 'TryCast':
      return resolveCast(expr, inner);
    case 'ReadAs':
      return readAs[expr.type](inner(expr.expr));
    case 'TextSearch':
      return searchText(expr.search, inner(expr.text), expr.sought.map(inner), expr);
    case 'RowCondition':
      return resolveRowCondition(expr, scope, resolveExpression);
    case 'SelectQuery':
    case 'SelectSetQuery':
      return scalarQuery(expr, scope);
    case 'Lambda':
      throw new SpanError(
        'wrong_arguments',
        "A lambda is only allowed as an argument of functions such as arrayMap; write a member of JSON in quotes: properties->'plan'",
        expr,
      );
    case 'ColumnsExpr':
      throw new SpanError(
        'syntax_error',
        '* is only allowed in the SELECT list and in count(*), COLUMNS(…) in the SELECT list alone',
        expr,
      );
    case 'Alias':
      return resolveInnerAlias(expr, scope, inner);
  }
}

// `ARRAY[5]` is a list where nothing is named "array".
function isArrayLiteral({ array, nullish }: ArrayAccess, scope: Scope): boolean {
  const [name = ''] = array.node === 'Field' && array.chain.length === 1 && !nullish ? array.chain : [];
  return name.toLowerCase() === 'array' && !isKnownName(name, scope, array);
}

function resolveCast({ expr, type_name, ...span }: TypeCast, inner: (part: Expression) => Resolved): Resolved {
  checkTypeName(type_name, span);
  if (type_name === 'interval' && expr.node === 'Constant' && typeof expr.value === 'string')
    return inner(intervalOf(expr.value, span, expr));
  return castTo(inner(expr), type_name, span);
}

function resolvePlaceholder(expr: Placeholder, scope: Scope): Resolved {
  const chain = placeholderChain(expr);
  if (chain.length === 0)
    throw new SpanError('syntax_error', 'Only a name is allowed in braces, as in {variables.country}', expr);
  const given = scope.resolution.placeholder(chain, expr, scope.sources);
  if (given === 'any') return openPlaceholderAt(expr);
  if ('node' in given) return resolveExpression(given, scope);
  return { ...constant(given.value, given.type, expr), placeholder: chain.join('.') };
}

function logic(name: string, conditions: readonly Resolved[], span: Span): Resolved {
  const [only] = conditions;
  if (conditions.length === 1 && only) return only;
  return call(name, conditions, plain('boolean', anyNullable(conditions)), span);
}

function negate(value: Resolved, span: Span): Resolved {
  const zero = constant(0, plain('integer'), span);
  return calculate('-', zero, value, span);
}

function arrayOf(members: readonly Resolved[], span: Span): Resolved {
  const { exprs, type } = alignBranches(members);
  return call('array', exprs, { kind: 'array', nullable: false, item: members.length > 0 ? type : unknownItem }, span);
}

function resolveCall(expr: Call, scope: Scope, use: Use): Resolved {
  if (expr.name === '_caseWithExpression' || expr.name === '_overlap') return specialCall(expr.name, expr, scope);
  const spelled = spelledAggregate(expr);
  if (spelled !== expr) return resolveExpression(spelled, scope);
  const found = findFunction(expr);
  if (found.kind === 'aggregate')
    return resolveAggregate(expr, found, scope, {
      value: (part, use) => resolveExpression(part, scope, use),
      list: (args) => resolveArguments(args, scope),
    });
  if (expr.order_by || expr.nulls)
    throw new SpanError(
      'wrong_arguments',
      `ORDER BY and NULLS are only allowed in aggregate functions`,
      expr.order_by?.[0] ?? expr,
    );
  if (expr.filter_expr)
    throw new SpanError('wrong_arguments', `FILTER is only allowed after an aggregate function`, expr.filter_expr);
  if (expr.params)
    throw new SpanError('wrong_arguments', `${expr.name} takes no parameters before its arguments`, expr);
  if (expr.distinct) throw new SpanError('wrong_arguments', `DISTINCT is only allowed in aggregate functions`, expr);
  const operator = operatorCall(expr);
  if (operator !== expr) return resolveExpression(operator, scope, use);
  if (found.kind === 'special' && found.name === 'grouping') return resolveGrouping(expr, scope);
  if (found.kind === 'special') return specialCall(found.name, expr, scope);
  return scalarCall(found.signature, resolveArguments(spelledOut(expr, scope), scope), expr);
}

function specialCall(name: string, expr: Call, scope: Scope): Resolved {
  const special = specialFunctions[name];
  if (!special) throw new Error(`The function ${name} is listed but not written`);
  return special(
    name === 'exists' ? expr.args.map((arg) => existing(arg, scope)) : resolveArguments(spelledOut(expr, scope), scope),
    expr,
  );
}

// 1 where the row is not grouped by the key; of several keys a bit each, the last the lowest.
function resolveGrouping(expr: Call, scope: Scope): Resolved {
  if (!scope.groupsDiffer || !scope.aggregatesAllowed)
    throw new SpanError(
      'illegal_aggregate',
      'grouping() is only allowed in the columns, HAVING and ORDER BY of a query with GROUP BY ROLLUP, CUBE or GROUPING SETS',
      expr,
    );
  if (expr.args.length === 0)
    throw new SpanError('wrong_arguments', 'grouping() takes one or more keys of GROUP BY', expr);
  return call('grouping', resolveArguments(expr.args, scope), plain('integer'), expr, { aggregate: true });
}

function existing(arg: Expression, scope: Scope): Resolved {
  return arg.node === 'SelectQuery' || arg.node === 'SelectSetQuery'
    ? subQuery(arg, scope)
    : resolveExpression(arg, scope);
}

function resolveArguments(args: readonly Expression[], scope: Scope): Resolved[] {
  return argumentsOf(args, scope, (part) => resolveExpression(part, scope));
}
