import type { Expression } from '../../tree/expressions.ts';
import type { Statement } from '../../tree/statements.ts';
import { call, constant, eventField } from '../nodes.ts';
import { template } from '../template.ts';
import { actorOf } from './interval-points.ts';
import { overEvents, valueKeys, type SeriesParts } from './series-parts.ts';
import type { ActiveSlots, ActiveWindow } from './trends-plan.ts';

/**
 * Points at which the number of active persons changes: `insight_bucket` is a slot, `insight_number` the change from it on. A person is
 * active from each of its slots for the width of the window, or up to its next slot. So a person-slot is two numbers and not as many as the window is wide.
 */
export function activePoints(parts: SeriesParts, window: ActiveWindow): Statement {
  const { first, last, width, slots } = window;
  const keys = valueKeys(parts);
  const persons = overEvents(
    `SELECT {values}, {actor} AS insight_actor, arraySort(groupUniqArray({slot})) AS insight_slots
    FROM events WHERE {matching} GROUP BY {valueKeys}, insight_actor`,
    parts,
    { actor: actorOf('person'), slot: slotOf(eventField('timestamp'), slots) },
  );
  // Rows of persons become rows of slots before anything is computed of them: a person may have thousands.
  const spells = template(
    `SELECT {keys}, greatest(insight_slot, {first}) AS insight_from,
      least(insight_slot + {width}, insight_next, {end}) AS insight_until
    FROM {persons}
    ARRAY JOIN insight_slots AS insight_slot, arrayPushBack(arraySlice(insight_slots, 2), {end}) AS insight_next`,
    { persons, keys, first: constant(first), width: constant(width), end: constant(last + 1) },
  );
  return template(
    `SELECT {keys}, insight_bucket, countIf(insight_bucket = insight_from) - countIf(insight_bucket = insight_until) AS insight_number
    FROM (SELECT {keys}, insight_from, insight_until FROM {spells} WHERE insight_from < insight_until)
    ARRAY JOIN [insight_from, insight_until] AS insight_bucket
    GROUP BY {keys}, insight_bucket`,
    { spells, keys },
  );
}

/** Slot of a moment in the zone of the run. */
function slotOf(moment: Expression, slots: ActiveSlots): Expression {
  if (slots === 'day') return call('toInt', call('toDate', moment));
  return call('toInt', call('toUnixTimestamp', call(slots === 'hour' ? 'toStartOfHour' : 'toStartOfMinute', moment)));
}
