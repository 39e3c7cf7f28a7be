import { SpanError, type Span } from '../../query-error.ts';
import {
  call,
  constant,
  fixed,
  type Resolved,
  type ResolvedCall,
  type ResolvedQuery,
  type ResolvedSelect,
} from '../../resolved.ts';
import { readTime } from '../../time-zone.ts';
import type { Expression } from '../../tree/expressions.ts';
import type { JoinExpr, SelectQuery } from '../../tree/statements.ts';
import { isTime, plain } from '../../types.ts';
import { boundedMessage } from '../../work/messages.ts';
import { numbersMax } from '../../work/numbers.ts';
import { resolveExpression } from '../expressions/resolve-expression.ts';
import type { Scope } from '../names/scope.ts';
import { isFixed } from './fixed-values.ts';

/** One row is left for what would be too many. */
const seriesMax = numbersMax - 1;

/** Seconds of a unit at least: a day in which clocks go forward has 23 hours. */
const unitSeconds: Readonly<Record<string, number>> = {
  Second: 1,
  Minute: 60,
  Hour: 3_600,
  Day: 82_800,
  Week: 601_200,
  Month: 2_415_600,
  Quarter: 7_772_400,
  Year: 31_532_400,
};

/** The arguments, resolved. */
interface Values {
  from: Resolved;
  to: Resolved;
  by: Resolved | undefined;
}

/** The rows of a series: the value of each, which of them count, and how many there are at most. */
interface Series {
  value: Expression;
  where?: Expression;
  count: Expression;
}

/**
 * `generate_series(first, last, step)` in FROM: numbers, dates or times, the last included. The arguments are fixed values. It is made of
 * numbers(): of more than 9,999,999 rows the run fails. Throws `SpanError`.
 */
export function resolveSeries(join: JoinExpr, args: readonly Expression[], scope: Scope): ResolvedQuery {
  const span: Span = { start: join.start, end: join.end };
  const [first, last, step] = args;
  if (!first || !last || args.length > 3 || (join.columns && join.columns.length !== 1))
    throw seriesError('generate_series() takes the first value, the last value and a step, and gives one column', span);
  const values = args.map((arg) => resolveExpression(arg, scope));
  const open = values.find((value) => !isFixed(value));
  if (open) throw seriesError('generate_series() takes fixed values, or expressions of them such as today() - 7', open);
  const [from, to, by] = values as [Resolved, Resolved, ...Resolved[]];
  const series =
    by?.type.kind === 'interval' || values.some(({ type }) => isTime(type)) || knownSeconds(from) !== undefined
      ? timesOf(first, last, { from, to, by }, span)
      : numbersOf(first, last, step, { from, to, by }, span);
  const name = join.columns?.[0] ?? join.alias ?? 'generate_series';
  const tree: SelectQuery = {
    node: 'SelectQuery',
    select: [{ node: 'Alias', alias: name, expr: series.value, ...span }],
    select_from: {
      node: 'JoinExpr',
      table: { node: 'Field', chain: ['numbers'], ...span },
      table_args: [series.count],
      ...span,
    },
    ...(series.where ? { where: series.where } : {}),
    ...span,
  };
  const query = scope.resolution.resolveQuery(tree, scope) as ResolvedSelect;
  return series.count.node === 'Constant' ? query : guarded(query, span);
}

function seriesError(message: string, span: Span): SpanError {
  return new SpanError(
    'wrong_arguments',
    `${message}: generate_series(1, 10, 2), generate_series('2026-01-01', today(), INTERVAL 1 DAY)`,
    span,
  );
}

const arithmetic = (op: '+' | '-' | '*' | '/', left: Expression, right: Expression, span: Span): Expression => ({
  node: 'ArithmeticOperation',
  op,
  left,
  right,
  ...span,
});
const callOf = (name: string, args: Expression[], span: Span): Expression => ({ node: 'Call', name, args, ...span });
const literal = (value: number | string, { start, end }: Span): Expression => ({ node: 'Constant', value, start, end });
const numberOf = (span: Span): Expression => ({ node: 'Field', chain: ['number'], from: 0, ...span });

function numbersOf(
  first: Expression,
  last: Expression,
  step: Expression = literal(1, last),
  { from, to, by }: Values,
  span: Span,
): Series {
  const known = [from, to, by].map((value) => (value ? knownNumber(value) : 1)) as [number?, number?, number?];
  if (known[2] === 0) throw seriesError('The step of generate_series() must not be 0', by ?? span);
  return {
    value: arithmetic('+', first, arithmetic('*', numberOf(span), step, span), span),
    count:
      countOf(known, span) ??
      plusOne(callOf('floor', [arithmetic('/', arithmetic('-', last, first, span), step, span)], span), span),
  };
}

function knownNumber({ kind, ...value }: Resolved): number | undefined {
  const number = kind === 'constant' && 'value' in value && value.value !== null ? Number(value.value) : NaN;
  return Number.isFinite(number) ? number : undefined;
}

function countOf([from, to, by]: readonly [number?, number?, number?], span: Span): Expression | undefined {
  if (from === undefined || to === undefined || by === undefined) return undefined;
  // The last value counts, though fractions are not exact.
  return checkedCount(Math.floor((to - from) / by + 1e-9) + 1, span);
}

function checkedCount(count: number, span: Span): Expression {
  if (count > seriesMax) throw new SpanError('wrong_arguments', boundedMessage.series, span);
  return literal(Math.max(0, count), span);
}

const plusOne = (count: Expression, span: Span): Expression => arithmetic('+', count, literal(1, span), span);

function timesOf(first: Expression, last: Expression, { from, to, by }: Values, span: Span): Series {
  const { unit, times } = by ? stepOf(by) : { unit: 'Day', times: 1 };
  const isOfDays = /^(?:Day|Week|Month|Quarter|Year)$/.test(unit) && [from, to].every(isDay);
  const ends = [first, last].map((end, at) => asTime(end, [from, to][at] as Resolved, isOfDays, span)) as [
    Expression,
    Expression,
  ];
  const [early, late] = times > 0 ? ends : [ends[1], ends[0]];
  const steps = arithmetic('*', numberOf(span), literal(times, span), span);
  const value = arithmetic('+', ends[0], callOf(`toInterval${unit}`, [steps], span), span);
  const difference = callOf('dateDiff', [literal(unit.toLowerCase(), span), early, late], span);
  return {
    value,
    where: { node: 'CompareOperation', op: times > 0 ? '<=' : '>=', left: value, right: ends[1], ...span },
    count:
      knownCount(from, to, (unitSeconds[unit] ?? 1) * times, span) ??
      plusOne(callOf('intDiv', [difference, literal(Math.abs(times), span)], span), span),
  };
}

// One unit, a fixed number of times.
function stepOf(step: Resolved): { unit: string; times: number } {
  const [, unit] = /^toInterval(\w+)$/.exec(step.kind === 'call' ? step.name : '') ?? [];
  const times = unit === undefined ? undefined : knownNumber((step as ResolvedCall).args[0] as Resolved);
  if (unit === undefined || times === undefined || !Number.isInteger(times) || times === 0)
    throw seriesError('The step of dates and times must be an interval of one unit, and not 0', step);
  return { unit, times };
}

// A text that is a date, or a date.
function isDay({ kind, type, ...value }: Resolved): boolean {
  if (type.kind === 'date') return true;
  return (
    kind === 'constant' &&
    type.kind === 'text' &&
    'value' in value &&
    /^\s*\d{4}-\d{2}-\d{2}\s*$/.test(String(value.value))
  );
}

function asTime(end: Expression, { type }: Resolved, isOfDays: boolean, span: Span): Expression {
  if (isTime(type)) return end;
  return callOf(isOfDays ? 'toDate' : 'toDateTime', [end], span);
}

// The largest possible number of rows: the condition decides which of them count.
function knownCount(from: Resolved, to: Resolved, stepSeconds: number, span: Span): Expression | undefined {
  const [begin, end] = [knownSeconds(from), knownSeconds(to)];
  if (begin === undefined || end === undefined) return undefined;
  return checkedCount(Math.floor((end - begin) / stepSeconds) + 2, span);
}

function knownSeconds(value: Resolved): number | undefined {
  if (value.kind !== 'constant' || typeof value.value !== 'string') return undefined;
  const time = isTime(value.type) ? value.value : readTime(value.value, value);
  return time === undefined
    ? undefined
    : Date.parse(`${time.slice(0, 10)}T${time.slice(11, 19) || '00:00:00'}Z`) / 1000;
}

// Only the run knows how many rows there are, and numbers() would give no more than it has.
function guarded(query: ResolvedSelect, span: Span): ResolvedSelect {
  const source = query.joins[0]?.source;
  if (!source) return query;
  const row: Resolved = {
    kind: 'column',
    source,
    location: { column: 'number' },
    type: plain('integer'),
    aggregate: false,
    local: true,
    start: span.start,
    end: span.end,
  };
  const boolean = plain('boolean');
  const beyond = call('greaterOrEquals', [row, constant(seriesMax, plain('integer'), span)], boolean, span);
  const thrown = call('throwIf', [beyond, fixed(boundedMessage.series, span)], plain('integer'), span);
  const within = call('equals', [thrown, constant(0, plain('integer'), span)], boolean, span);
  return { ...query, where: query.where ? call('and', [within, query.where], boolean, span) : within };
}
