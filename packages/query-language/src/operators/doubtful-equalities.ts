import { quoted, warn } from '../warnings.ts';
import type { Resolved, ResolvedColumn, ResolvedQuery } from '../resolved.ts';

// Values that may be compared, and are hardly ever equal.

/** Members of a list that are looked at. */
const lookedAtMax = 1_000;
const day = /^\s*\d{4}-\d\d?-\d\d?\s*$/;

/** Warns where a stored time is to equal a day, or one of several: it would have to be its midnight. */
export function warnOfMidnight(sides: readonly Resolved[]): void {
  if (!sides.some(isStoredTime)) return;
  for (const side of sides.slice(0, lookedAtMax)) {
    const isDay = side.kind === 'constant' ? day.test(String(side.value)) : side.type.kind === 'date';
    const words = side.kind === 'constant' ? quoted(side.value) : 'A date';
    if (isDay)
      warn(
        'midnight',
        `${words} is the midnight of that day here: hardly any time equals it. For the whole day write toDate(…) around the time`,
        side,
      );
  }
}

// `last_seen_at` is kept to the hour.
function isStoredTime(side: Resolved): boolean {
  return (
    side.kind === 'column' &&
    side.type.kind === 'datetime' &&
    side.source.from.kind === 'table' &&
    side.location.column !== 'last_seen_at'
  );
}

/** Warns where the id of a person is to equal a distinct id. */
export function warnOfDistinctId(left: Resolved, right: Resolved | undefined): void {
  const sides = [left, right];
  if (right && sides.some((side) => side && isPersonId(side)) && sides.some((side) => side && isDistinctId(side)))
    warn(
      'person_distinct_id',
      'The id of a person is no distinct id: they are hardly ever equal. Compare person_id of both tables, or distinct_id of both; person_distinct_ids has the person of each distinct id',
      { start: Math.min(left.start, right.start), end: Math.max(left.end, right.end) },
    );
}

/** The value of the first column of a query; undefined where it has none of its own. */
export function firstValue(query: ResolvedQuery): Resolved | undefined {
  return query.kind === 'select' ? query.values[0] : undefined;
}

const isNamed = (side: Resolved, ...names: readonly string[]): side is ResolvedColumn =>
  side.kind === 'column' && side.location.key === undefined && names.includes(side.location.column);

const isDistinctId = (side: Resolved): boolean => side.type.kind === 'text' && isNamed(side, 'distinct_id');

function isPersonId(side: Resolved): boolean {
  if (side.type.kind !== 'uuid' || !isNamed(side, 'person_id', 'id')) return false;
  const { location, source } = side;
  return location.column === 'person_id' || (source.from.kind === 'table' && source.from.table.name === 'persons');
}
