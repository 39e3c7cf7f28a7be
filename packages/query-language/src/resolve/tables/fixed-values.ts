import { safeCast } from '../../operators/casts.ts';
import { toNumber } from '../../operators/conversions.ts';
import { call, constant, type Resolved } from '../../resolved.ts';
import { plain } from '../../types.ts';
import { numbersMax } from '../../work/numbers.ts';

/** Is it the same for every row, and nothing that reads one? */
export function isFixed(arg: Resolved): boolean {
  return (
    arg.kind === 'constant' ||
    arg.kind === 'fixed' ||
    (arg.kind === 'call' && !arg.aggregate && arg.params.length === 0 && arg.args.every(isFixed))
  );
}

/** A fixed value as a whole number from 0 to `numbersMax`. */
export function bounded(arg: Resolved): Resolved {
  const number = safeCast(toNumber(arg), 'integer', 'Int64', arg);
  const whole = (value: number): Resolved => constant(value, plain('integer'), arg);
  return call(
    'least',
    [
      call('greatest', [call('ifNull', [number, whole(0)], plain('integer'), arg), whole(0)], plain('integer'), arg),
      whole(numbersMax),
    ],
    plain('integer'),
    arg,
  );
}
