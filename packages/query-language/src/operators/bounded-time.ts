import { costOf, spend } from '../budget.ts';
import { call, constant, fixed, type Resolved } from '../resolved.ts';
import { timeZone, zonedTime } from '../time-zone.ts';
import { plain } from '../types.ts';
import { toMicroseconds, toTime } from './conversions.ts';

// Between these, in every zone, the engine's functions that cut times have a result of their own for each bucket.
const [first, last] = ['1970-01-12 00:00:00.000000', '2105-12-30 00:00:00.000000'];

/**
 * A time, in the project's zone, of those that the engine can cut: an earlier or later one is the first or the last of them. The engine would
 * take an hour of 2120 for one of 1983.
 */
export function boundedTime(expr: Resolved): Resolved {
  spend(costOf.conversion, expr);
  const given = toTime(expr);
  const time = given.type.kind === 'date' ? toMicroseconds(given, given) : given;
  const [from, to] = [first, last].map((text) => constant(text, plain('datetime'), expr)) as [Resolved, Resolved];
  const { nullable } = time.type;
  const boolean = plain('boolean', nullable);
  const bounded = call(
    'multiIf',
    [call('less', [time, from], boolean, expr), from, call('greater', [time, to], boolean, expr), to, time],
    plain('datetime', nullable),
    expr,
  );
  return call('toTimeZone', [bounded, fixed(timeZone(), expr)], zonedTime(nullable), expr);
}
