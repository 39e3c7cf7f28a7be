import type { FilterGroup } from '../filters/query-filters.ts';
import type { Statement } from '../tree/statements.ts';
import { eventsWhere } from './event-rows.ts';
import { intervalNumber, startOfEarlier, type IntervalsFrom } from './interval-number.ts';
import { all, compare, constant, eventField, field, moment } from './nodes.ts';
import { template } from './template.ts';

/** Lifecycle of the actors of one series (contract/insights 8). */
export interface LifecyclePlan {
  /** Name of the events; null: all. */
  event: string | null;
  conditions: FilterGroup;
  /** Intervals of the range. */
  intervals: IntervalsFrom;
  /** Last moment, inclusive: UTC text. */
  to: string;
  /** Type of the groups that are the actors; null: persons. */
  groupTypeIndex: number | null;
}

const byInterval = `
  SELECT insight_active.1 AS insight_interval, count() AS insight_actors, countIf(insight_active.2 = 1) AS insight_returning,
    countIf(insight_active.2 = 0 AND insight_active.1 = insight_created) AS insight_new
  FROM (
    SELECT arrayJoin(arrayZip(insight_intervals, arrayDifference(insight_intervals))) AS insight_active, insight_created
    FROM (
      SELECT {actor} AS insight_actor, arraySort(groupUniqArray({interval})) AS insight_intervals
      FROM events WHERE {rows} GROUP BY insight_actor
    ) AS actors
    LEFT JOIN {created} AS created ON created.insight_key = actors.insight_actor
  )
  GROUP BY insight_interval`;

// Only those who are created in the range can be new in it.
const createdPersons = `
  SELECT id AS insight_key, {interval} AS insight_created FROM persons WHERE created_at >= {start}`;
const createdGroups = `
  SELECT key AS insight_key, {interval} AS insight_created FROM groups WHERE index = {index} AND created_at >= {start}`;

/**
 * A row for each interval, from the one before the range on, in which an actor was active: number of the interval (0:
 * the first of the range), actors, and how many of them are returning and how many new. The others are resurrecting,
 * and who does not return is dormant in the next interval. Pure.
 */
export function buildLifecycle(plan: LifecyclePlan): Statement {
  const { event, conditions, intervals, to, groupTypeIndex } = plan;
  const actor = groupTypeIndex === null ? eventField('person_id') : eventField(`$group_${groupTypeIndex}`);
  const created = { interval: intervalNumber(intervals, field('created_at')), start: moment(intervals.start) };
  return template(byInterval, {
    actor,
    interval: intervalNumber(intervals, eventField('timestamp')),
    rows: all(
      compare(eventField('timestamp'), '>=', startOfEarlier(intervals)),
      eventsWhere({ event, to, conditions }),
      // Events that say `$process_person_profile: false` have another mode.
      compare(eventField('person_mode'), '==', constant('full')),
      ...(groupTypeIndex === null ? [] : [compare(actor, '!=', constant(''))]),
    ),
    created:
      groupTypeIndex === null
        ? template(createdPersons, created)
        : template(createdGroups, { ...created, index: constant(groupTypeIndex) }),
  });
}
