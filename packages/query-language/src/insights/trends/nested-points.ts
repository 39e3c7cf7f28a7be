import type { Expression } from '../../tree/expressions.ts';
import type { Statement } from '../../tree/statements.ts';
import { call, compare, constant, field } from '../nodes.ts';
import { template } from '../template.ts';
import { actorOf } from './interval-points.ts';
import { overNumbers } from '../number-math.ts';
import { bucketOf, overEvents, pointKeys, valueKeys, type SeriesParts } from './series-parts.ts';
import type { NumberMath } from '../number-math.ts';
import type { TrendsActor } from './trends-plan.ts';

// Maths that group twice: by actor or session, and then by interval.

/** Points of actors that count once each, in the interval of the first event of the range. */
export function firstSeenPoints(parts: SeriesParts, actor: TrendsActor): Statement {
  const firsts = overEvents(
    `SELECT {values}, {actor} AS insight_actor, min(timestamp) AS insight_first
    FROM events WHERE {matching} GROUP BY {valueKeys}, insight_actor`,
    parts,
    { actor: actorOf(actor) },
  );
  const isActor = compare(field('insight_actor'), '!=', constant(''));
  return template('SELECT {valueKeys}, {bucket}, {number} AS insight_number FROM {firsts} GROUP BY {pointKeys}', {
    firsts,
    valueKeys: valueKeys(parts),
    pointKeys: pointKeys(parts),
    bucket: bucketOf(field('insight_first'), parts.unit),
    number: actor === 'person' ? call('count', field('insight_first')) : call('countIf', isActor),
  });
}

/** Points of the durations of sessions, each once in every interval that it has events in. */
export function sessionPoints(parts: SeriesParts, math: NumberMath): Statement {
  const sessions = overEvents(
    `SELECT {points}, $session_id AS insight_session, any(session.$session_duration) AS insight_duration
    FROM events WHERE {matching} GROUP BY {pointKeys}, insight_session`,
    parts,
  );
  return overRows(sessions, parts, overNumbers(math, field('insight_duration')));
}

/** Points of the numbers of events that each person has in an interval. */
export function eventsByActorPoints(parts: SeriesParts, math: NumberMath): Statement {
  const actors = overEvents(
    `SELECT {points}, {actor} AS insight_actor, count(timestamp) AS insight_events
    FROM events WHERE {matching} GROUP BY {pointKeys}, insight_actor`,
    parts,
    { actor: actorOf('person') },
  );
  return overRows(actors, parts, overNumbers(math, field('insight_events')));
}

const overRows = (rows: Statement, parts: SeriesParts, number: Expression): Statement =>
  template('SELECT {keys}, {number} AS insight_number FROM {rows} GROUP BY {keys}', {
    rows,
    number,
    keys: pointKeys(parts),
  });
