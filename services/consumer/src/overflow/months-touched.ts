import type { EventDraft } from '../events/event-draft.ts';

/** Events of one batch that lie within five years are nothing special; */
const monthsFree = 60;
/** each further month of theirs is one more part in ClickHouse, which costs merging as much as about so many bytes. */
const bytesPerMonth = 1_000_000;

/** While ClickHouse has too many parts already, this month and the one before are free, */
const monthsFreeWhenMany = 2;
/** and a further one uses up the project's share. */
const bytesPerMonthWhenMany = 64_000_000;

/**
 * Counts the bytes that events of a batch, in order, are charged for the months that they touch. Each month of each
 * insert makes a part: tiny batches over 125 years would otherwise make parts faster than they are merged, up to
 * `max_parts_in_total`, where all inserts fail.
 */
export function createMonthsTouched(areMany: boolean): (draft: EventDraft) => number {
  const [free, bytes] = areMany ? [monthsFreeWhenMany, bytesPerMonthWhenMany] : [monthsFree, bytesPerMonth];
  const monthsOf = new Map<number, Set<string>>();
  return ({ project, head }) => {
    const month = head.timestamp.slice(0, 7);
    const months = monthsOf.get(project.id);
    if (months === undefined) {
      monthsOf.set(project.id, new Set([month]));
      return 0;
    }
    if (months.has(month)) return 0;
    months.add(month);
    return months.size > free ? bytes : 0;
  };
}
