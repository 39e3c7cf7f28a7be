import { prepareQuery } from '@millrace/query-language/compile.ts';

// In the language of saved queries, so that one project's events are all there is.

const exceptions = "event = '$exception' AND timestamp >= {first}";

/** `[exceptions since {first}]`. */
export const countExceptions = prepareQuery(`SELECT count() AS total FROM events WHERE ${exceptions}`);

/** `[time of the oldest of the newest {rowsMax}]`, found without their properties, which are long. */
export const findOldest = prepareQuery(
  `SELECT toString(min(at)) AS oldest FROM (SELECT timestamp AS at FROM events WHERE ${exceptions} ORDER BY at DESC LIMIT {rowsMax})`,
);

/** Rows for `readStoredEvents`, the newest first. */
export const newestExceptions = prepareQuery(
  `SELECT toString(uuid) AS id, event, timestamp, length(properties) AS size, properties FROM events WHERE ${exceptions} ORDER BY timestamp DESC, id DESC`,
);
