import { dayMs, instantOf, wallMsOf } from '../../filters/zone-time.ts';
import { parseTime } from '../../values.ts';
import { bucketFunctions } from './buckets.ts';

const minuteMs = 60_000;

const starts: Readonly<Record<string, (wall: Date) => boolean>> = {
  [bucketFunctions.minute]: every(minuteMs),
  [bucketFunctions.fifteen_minutes]: every(15 * minuteMs),
  [bucketFunctions.hour]: every(60 * minuteMs),
  [bucketFunctions.day]: every(dayMs),
  [bucketFunctions.week]: (wall) => every(dayMs)(wall) && wall.getUTCDay() === 0,
  [bucketFunctions.month]: (wall) => every(dayMs)(wall) && wall.getUTCDate() === 1,
};

function every(unit: number): (wall: Date) => boolean {
  return (wall) => wall.getTime() % unit === 0;
}

// Before and after these the engine's results of the functions are other times.
const [first, last] = [Date.UTC(1970, 1, 1), Date.UTC(2100, 0, 1)];

/**
 * Is this text the first moment of a bucket of `bucketFn`, by the clocks of the zone? A time without a zone is of that one. Then `>=` and
 * `<` find the same times whether or not these are cut. False too for what is no time, and for a time that clocks show twice. Pure.
 */
export function isBucketStart(bucketFn: string, text: string, timeZone: string): boolean {
  const time = parseTime(text);
  if (time === undefined || !time.endsWith('.000000')) return false;
  const shown = Date.parse(`${time.slice(0, 19).replace(' ', 'T')}Z`);
  const isLocal = timeZone !== 'UTC' && !/[z+-]/i.test(text.trim().slice(10));
  const at = isLocal ? instantOf(shown, timeZone) : shown;
  if (at < first || at >= last) return false;
  const wall = timeZone === 'UTC' ? at : wallMsOf(at, timeZone);
  return (timeZone === 'UTC' || instantOf(wall, timeZone) === at) && (starts[bucketFn]?.(new Date(wall)) ?? false);
}
