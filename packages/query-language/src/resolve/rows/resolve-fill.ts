import { costOf, spend } from '../../budget.ts';
import { mismatch, toMicroseconds, toNumber, toTime } from '../../operators/conversions.ts';
import { SpanError } from '../../query-error.ts';
import { resolveExpression } from '../expressions/resolve-expression.ts';
import {
  call,
  constant,
  type OutputColumn,
  type Resolved,
  type ResolvedFill,
  type ResolvedOrder,
  type ResolvedSelect,
} from '../../resolved.ts';
import { nameOf, Scope, unknownColumn } from '../names/scope.ts';
import { Shapes } from './shapes.ts';
import type { Expression } from '../../tree/expressions.ts';
import type { SelectQuery, WithFillExpr } from '../../tree/statements.ts';
import { describeType, isNumeric, isTime, plain, timeType } from '../../types.ts';

// The columns of the SELECT, and what they are compared by.
interface Selected {
  columns: readonly OutputColumn[];
  values: Resolved[];
  shapes: Shapes;
}

/**
 * Resolves WITH FILL of an entry of ORDER BY, which must be a column of the SELECT. A column of times becomes one of microseconds:
 * the engine wants the bounds to have exactly its type, and we do not know which times have seconds only.
 */
export function resolveFill(
  fill: WithFillExpr,
  key: Resolved,
  selected: Selected,
  scope: Scope,
): { expr: Resolved; fill: ResolvedFill } {
  const at = columnOf(key, selected);
  const { values } = selected;
  const column = selected.columns[at];
  const value = values[at];
  if (!column || !value)
    throw new SpanError(
      'wrong_arguments',
      'WITH FILL needs a column of the SELECT: give it an alias there and sort by that',
      key,
    );
  const { type } = value;
  if (!isNumeric(type) && !isTime(type) && type.kind !== 'unknown')
    throw mismatch(
      `WITH FILL fills in numbers, dates and times, not ${describeType(type)}; convert the column with toInt(…), toDate(…) or toDateTime(…)`,
      key,
    );
  if (type.kind === 'datetime')
    values[at] = call(
      'toDateTime64',
      [value, constant(6, plain('integer'), value)],
      timeType(type.nullable, type.zone),
      value,
    );
  const bound = (expr: Expression | undefined): Resolved | undefined =>
    expr && boundOf(fixedValue(expr, scope), type.kind);
  const step = fill.step_value && fixedValue(fill.step_value, scope);
  return {
    expr: nameOf(column.sqlName, value, key),
    fill: { from: bound(fill.from_value), to: bound(fill.to_value), step: step && stepOf(step, type.kind) },
  };
}

function columnOf(key: Resolved, { columns, values, shapes }: Selected): number {
  const named = key.kind === 'name' ? columns.findIndex((column) => column.sqlName === key.name) : -1;
  if (named !== -1) return named;
  return values.findIndex((value) => value.kind === key.kind && shapes.of(value) === shapes.of(key));
}

function fixedValue(expr: Expression, scope: Scope): Resolved {
  const value = resolveExpression(expr, scope);
  if (value.local || value.aggregate || value.kind === 'query')
    throw new SpanError(
      'wrong_arguments',
      'FROM, TO and STEP of WITH FILL are fixed values; they cannot depend on rows',
      expr,
    );
  return value;
}

function boundOf(value: Resolved, kind: string): Resolved {
  if (kind === 'date') return call('toDate', [toTime(value)], plain('date'), value);
  if (kind !== 'datetime') return toNumber(value);
  return toMicroseconds(toTime(value), value);
}

// A number beside times is one of seconds, as beside the engine's own times of seconds.
function stepOf(value: Resolved, kind: string): Resolved {
  if (value.type.kind === 'interval') {
    if (kind === 'date' || kind === 'datetime' || kind === 'unknown') return value;
    throw mismatch('Numbers are filled in by steps that are numbers', value);
  }
  const step = toNumber(value);
  return kind === 'datetime' ? call('toIntervalSecond', [step], plain('interval'), value) : step;
}

/**
 * Resolves INTERPOLATE: what it says is of the columns of the row before. Without a list it names all columns that the rows are not sorted by,
 * as the engine does, which ignores it in a sub-query.
 */
export function resolveInterpolate(
  query: SelectQuery,
  { columns, values, orderBy }: Pick<Selected, 'columns' | 'values'> & { orderBy: readonly ResolvedOrder[] },
  scope: Scope,
): ResolvedSelect['interpolate'] {
  const { interpolate } = query;
  if (!interpolate) return undefined;
  if (!query.order_by?.some((item) => item.with_fill))
    throw new SpanError('syntax_error', 'INTERPOLATE needs ORDER BY … WITH FILL before it', interpolate[0] ?? query);
  spend(columns.length * costOf.column, query);
  if (interpolate.length === 0) return unsorted({ columns, values, shapes: new Shapes(query) }, orderBy);
  const row = new Scope(scope.resolution, undefined);
  const known = Map.groupBy(columns, ({ name }) => name);
  for (const column of columns)
    row.arrayItems.set(column.name, nameOf(column.sqlName, constant(null, column.type, query), query));
  return interpolate.map((entry) => {
    const [column] = known.get(entry.name) ?? [];
    if (!column)
      throw unknownColumn(
        entry.name,
        columns.map(({ name }) => name),
        entry,
      );
    const value = entry.value && resolveExpression(entry.value, row);
    if (value?.aggregate)
      throw new SpanError(
        'illegal_aggregate',
        'INTERPOLATE computes a row from the one before; aggregates are not allowed in it',
        entry,
      );
    return { name: column.sqlName, value };
  });
}

function unsorted(
  { columns, values, shapes }: Selected,
  orderBy: readonly ResolvedOrder[],
): ResolvedSelect['interpolate'] {
  const names = new Set(orderBy.map(({ expr }) => (expr.kind === 'name' ? expr.name : undefined)));
  const keys = new Set(orderBy.map(({ expr }) => shapes.of(expr)));
  const rest = columns.filter(({ sqlName }, at) => {
    const value = values[at];
    return !names.has(sqlName) && (value === undefined || !keys.has(shapes.of(value)));
  });
  return rest.length === 0 ? undefined : rest.map(({ sqlName }) => ({ name: sqlName, value: undefined }));
}
