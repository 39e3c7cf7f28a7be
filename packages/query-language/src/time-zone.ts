import { costOf, spend } from './budget.ts';
import { instantText, isZoneless, utcText, wallMsOf } from './filters/zone-time.ts';
import { call, fixed, type Resolved } from './resolved.ts';
import { timeType, type ValueType } from './types.ts';
import type { Span } from './query-error.ts';
import { parseTime } from './values.ts';

// Set while `withTimeZone` runs, which never waits, as the budget is. Columns are stored in UTC, and stay so where only instants
// are compared: ClickHouse finds rows by its key then. What cuts a time, or writes it, reads it in the project's zone.
let open = 'UTC';

/** Runs `work`; times without a zone are of this one. */
export function withTimeZone<Result>(zone: string, work: () => Result): Result {
  const outer = open;
  open = zone;
  try {
    return work();
  } finally {
    open = outer;
  }
}

/** The zone of the statement that is being compiled. */
export function timeZone(): string {
  return open;
}

/** The zone that an argument names; empty when only ClickHouse knows which. */
export function zoneNamed(expr: Resolved): string {
  return expr.kind === 'constant' && typeof expr.value === 'string' ? expr.value : '';
}

/** A time that is to be cut or written, in the project's zone, unless the query has given it one. */
export function inZone(expr: Resolved): Resolved {
  if (open === 'UTC' || expr.type.kind !== 'datetime' || expr.type.zone !== undefined) return expr;
  return call('toTimeZone', [expr, fixed(open, expr)], { ...expr.type, zone: open }, expr);
}

/** The type of a time that is made in the project's zone. */
export function zonedTime(nullable: boolean, digits?: number): ValueType {
  return timeType(nullable, open === 'UTC' ? undefined : open, digits);
}

/** Reads an ISO date or time as `parseTime` does; without a zone it is of the project's. */
export function readTime(text: string, span: Span): string | undefined {
  const time = parseTime(text);
  if (time === undefined || open === 'UTC' || !isZoneless(text)) return time;
  spend(costOf.time + 2 * costOf.clock, span);
  return instantText(time, open);
}

/** The day that begins at this instant in the project's zone; undefined where none does. Throws `query_too_large`. */
export function dayAt(time: string, span: Span): string | undefined {
  if (!time.endsWith('.000000')) return undefined;
  spend(open === 'UTC' ? costOf.literal : costOf.clock, span);
  const wall = open === 'UTC' ? wallOf(time) : wallMsOf(wallOf(time), open);
  const text = utcText(wall, '000000');
  return text.endsWith(' 00:00:00.000000') ? text.slice(0, 10) : undefined;
}

const wallOf = (time: string): number => Date.parse(`${time.slice(0, 19).replace(' ', 'T')}Z`);
