import type { Expression } from '../tree/expressions.ts';
import type { IntervalUnit } from './interval-start.ts';
import { call, compare, constant, moment } from './nodes.ts';
import { expressionTemplate } from './template.ts';

/** Intervals of a range: consecutive ones of the zone of the run. `start`: UTC text, the start of the first. */
export interface IntervalsFrom {
  unit: IntervalUnit;
  start: string;
  /**
   * Runs of hours that are an hour long each, in the order of time, where clocks change by a part of an hour; undefined:
   * all are.
   */
  runs?: readonly HourRun[] | undefined;
}

/** `start`: of the first hour, seconds since 1970. `number`: place of that hour in the range. */
interface HourRun {
  start: number;
  number: number;
}

// Day 0 of the engine, 1970-01-01, is a Thursday: three days before a Sunday.
const daysFromSunday = 4;

const running: Readonly<Record<IntervalUnit, (time: Expression) => Expression>> = {
  minute: (time) => call('intDiv', call('toUnixTimestamp', time), constant(60)),
  // Not all zones have hours that begin with an hour of UTC.
  hour: (time) => call('intDiv', call('toUnixTimestamp', call('toStartOfHour', time)), constant(3_600)),
  day: (time) => call('toRelativeDayNum', time),
  week: (time) => call('intDiv', call('plus', call('toRelativeDayNum', time), constant(daysFromSunday)), constant(7)),
  month: (time) => call('toRelativeMonthNum', time),
};

/** Place of the interval that holds a time, as a whole number: 0 is the first of the range, -1 the one before. */
export function intervalNumber({ unit, start, runs = [] }: IntervalsFrom, time: Expression): Expression {
  const [first, ...others] = runs;
  if (first === undefined) return call('minus', running[unit](time), running[unit](moment(start)));
  const hour = call('toUnixTimestamp', call('toStartOfHour', time));
  const within = (run: HourRun): Expression =>
    expressionTemplate('{number} + toInt(floor(({hour} - {start}) / 3600))', {
      hour,
      number: constant(run.number),
      start: constant(run.start),
    });
  const cases = others.toReversed().flatMap((run) => [compare(hour, '>=', constant(run.start)), within(run)]);
  return call('multiIf', ...cases, within(first));
}

const beforeStart: Readonly<Record<IntervalUnit, (start: Expression) => Expression>> = {
  minute: (start) => call('subtractMinutes', start, constant(1)),
  hour: (start) => call('subtractHours', start, constant(1)),
  day: (start) => dayOf(call('subtractDays', start, constant(1))),
  week: (start) => dayOf(call('subtractWeeks', start, constant(1))),
  month: (start) => dayOf(call('subtractMonths', start, constant(1))),
};

// Where clocks change at midnight, the same time of an earlier day need not be its start.
const dayOf = (time: Expression): Expression => call('toStartOfDay', time);

/** Start of the interval before the first. */
export const startOfEarlier = ({ unit, start }: IntervalsFrom): Expression => beforeStart[unit](moment(start));
