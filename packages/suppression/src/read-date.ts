import type { Scalar } from './filters.ts';

/** Milliseconds since 1970, both inclusive; one moment when they are equal. */
export interface TimeRange {
  first: number;
  last: number;
}

const dayMs = 86_400_000;
const form = /^(\d{4}-\d\d-\d\d)(?:[T ](\d\d:\d\d)(:\d\d)?(\.\d{1,9})?(Z|[+-]\d\d:?\d\d)?)?$/;

/** A date in ISO 8601: a bare one is its UTC day, a time without a zone is UTC (contract/decisions 104); undefined: it is none. Pure. */
export function readDate(value: Scalar): TimeRange | undefined {
  const match = typeof value === 'string' && value.length <= 40 ? form.exec(value) : null;
  if (match === null) return undefined;
  const [, date = '', time, seconds = ':00', fraction = '', zone = 'Z'] = match;
  const midnight = Date.parse(`${date}T00:00:00Z`);
  // A 30th of February is read as a day of March.
  if (Number.isNaN(midnight) || new Date(midnight).toISOString().slice(0, 10) !== date) return undefined;
  if (time === undefined) return { first: midnight, last: midnight + dayMs - 1 };
  const moment = Date.parse(
    `${date}T${time}${seconds}${fraction.slice(0, 4)}${zone.replace(/(\d\d)(\d\d)$/, '$1:$2')}`,
  );
  return Number.isNaN(moment) ? undefined : { first: moment, last: moment };
}

/** The UTC day of a moment, as a number. Pure. */
export const dayOf = (moment: number): number => Math.floor(moment / dayMs);
