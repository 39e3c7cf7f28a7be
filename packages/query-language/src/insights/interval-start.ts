import type { Expression } from '../tree/expressions.ts';
import { call, constant } from './nodes.ts';

/** Length of an interval (contract/insights 4). Weeks begin on Sunday. */
export type IntervalUnit = 'minute' | 'hour' | 'day' | 'week' | 'month';

const starts: Readonly<Record<IntervalUnit, (moment: Expression) => Expression>> = {
  minute: (moment) => call('toStartOfMinute', moment),
  hour: (moment) => call('toStartOfHour', moment),
  day: (moment) => call('toStartOfDay', moment),
  week: (moment) => call('toStartOfWeek', moment, constant(0)),
  month: (moment) => call('toStartOfMonth', moment),
};

/** Start of the interval that holds a moment, in the zone of the run, as seconds since 1970. */
export const intervalStart = (moment: Expression, unit: IntervalUnit): Expression =>
  call('toUnixTimestamp', starts[unit](moment));
