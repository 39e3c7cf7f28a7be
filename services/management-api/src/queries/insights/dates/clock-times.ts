import { dayMs, instantOf } from '@millrace/query-language/filters/zone-time.ts';
import { dayOf, dayStart, wallAt } from './zone-calendar.ts';

/**
 * Time that clocks of the zone show, in microseconds as if it were UTC. The start of a day is its midnight, also when
 * clocks go forward just then, so that days can be counted from it. Pure.
 */
export function clockTimeAt(micros: bigint, timeZone: string): bigint {
  const { ms, rest } = parts(micros);
  const day = dayOf(ms, timeZone);
  return BigInt(dayStart(day, timeZone) === ms ? day : wallAt(ms, timeZone)) * 1_000n + rest;
}

/**
 * The moment, in microseconds, at which clocks of the zone show the time: the first of two; of a time that they leave out as
 * much later; of a midnight the start of the day. Pure.
 */
export function instantAt(clockTime: bigint, timeZone: string): bigint {
  const { ms, rest } = parts(clockTime);
  const at = ms % dayMs === 0 ? dayStart(ms, timeZone) : instantOf(ms, timeZone);
  return BigInt(at) * 1_000n + rest;
}

function parts(micros: bigint): { ms: number; rest: bigint } {
  const rest = ((micros % 1_000n) + 1_000n) % 1_000n;
  return { ms: Number((micros - rest) / 1_000n), rest };
}
