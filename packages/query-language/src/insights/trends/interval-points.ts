import type { Expression } from '../../tree/expressions.ts';
import type { Statement } from '../../tree/statements.ts';
import { call, compare, constant, eventField } from '../nodes.ts';
import { overEvents, type SeriesParts } from './series-parts.ts';
import type { TrendsActor } from './trends-plan.ts';

/** Points of an aggregate over the events of each interval. */
export function intervalPoints(parts: SeriesParts, number: Expression): Statement {
  return overEvents(
    `SELECT {points}, {number} AS insight_number FROM events WHERE {matching} GROUP BY {pointKeys}`,
    parts,
    { number },
  );
}

/** Number of different actors. Events without one count for none. */
export function differentActors(actor: TrendsActor): Expression {
  const id = actorOf(actor);
  return actor === 'person' ? call('uniqExact', id) : call('uniqExactIf', id, compare(id, '!=', constant('')));
}

/** Id of an event's actor; `''` when it has none. */
export function actorOf(actor: TrendsActor): Expression {
  if (actor === 'person') return eventField('person_id');
  return eventField(actor === 'session' ? '$session_id' : `$group_${actor.group}`);
}
