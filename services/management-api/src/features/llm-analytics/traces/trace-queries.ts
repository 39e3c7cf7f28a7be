import { prepareQuery } from '@millrace/query-language/compile.ts';

// Queries of the events of traces (contract/llm-surveys 6.3), in the language of saved queries, so that one project's events are all there is.
// The property is a column with an index, though no query says so (contract/decisions 58).

/** Names of the events of a trace. */
export const traceEventNames = [
  '$ai_span',
  '$ai_generation',
  '$ai_embedding',
  '$ai_metric',
  '$ai_feedback',
  '$ai_trace',
];

/** Names of the events that can be read alone. */
export const generationEventNames = ['$ai_generation', '$ai_span', '$ai_embedding', '$ai_evaluation'];

/** Columns of a row for `readStoredEvents`. */
const stored = 'toString(uuid) AS id, event, timestamp, length(properties) AS size, properties';
const ofTrace =
  'event IN {names} AND timestamp >= {first} AND timestamp <= {last} AND properties.$ai_trace_id = {trace}';

/**
 * Rows of a trace, each uuid once, in no order: sorted, ClickHouse would hold all of them in memory. Those of the first moment begin with
 * `{firstId}`.
 */
export const eventsOfTrace = prepareQuery(
  `SELECT ${stored} FROM events WHERE ${ofTrace} AND (timestamp > {first} OR toString(uuid) >= {firstId}) LIMIT 1 BY uuid`,
);

/**
 * `[events that do not fit, events in the real window, time of the oldest event that fits, its uuid]` of a trace. The newest `{eventsMax}` fit as far as their
 * texts have `{bytesMax}` bytes together, the newest at any size.
 */
export const measureTrace = prepareQuery(`
  SELECT countIf(isLeft) AS omitted, countIf(at >= {windowFirst} AND at <= {windowLast}) AS inside,
    argMin(at, tuple(isLeft, at, id)) AS oldest, argMin(id, tuple(isLeft, at, id)) AS oldestId FROM (
    SELECT id, at, place > 1 AND (place > {eventsMax} OR bytes > {bytesMax}) AS isLeft FROM (
      SELECT id, at, row_number() OVER (ORDER BY at DESC, id DESC) AS place,
        sum(size) OVER (ORDER BY at DESC, id DESC ROWS BETWEEN UNBOUNDED PRECEDING AND CURRENT ROW) AS bytes
      FROM (
        SELECT toString(uuid) AS id, max(timestamp) AS at, max(length(properties)) AS size
        FROM events WHERE ${ofTrace} GROUP BY uuid)))`);

/** The row of one event. */
export const generationByUuid = prepareQuery(
  `SELECT ${stored} FROM events
  WHERE event IN {names} AND timestamp >= {first} AND timestamp <= {last} AND uuid = {uuid} LIMIT 1`,
);
