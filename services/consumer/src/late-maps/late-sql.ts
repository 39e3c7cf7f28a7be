import { lateEvents } from '@millrace/contracts/tables/late-events.ts';
import type { Pass } from './pass-store.ts';

/** A statement of the job; its parameters are bound. */
export interface LateStatement {
  sql: string;
  params: Record<string, string | number>;
}

/** An exception as it is stored. Times: UTC, as text. */
export interface StoredException {
  uuid: string;
  distinctId: string;
  /** Its place in the order of the table. */
  place: [string, string];
  happenedAt: string;
  receivedAt: string;
  /** Its properties. */
  text: string;
}

/** Exceptions of a project on one day. */
interface Day {
  projectId: number;
  day: string;
}

type Wanted = Day & Pick<Pass, 'frames' | 'oldest' | 'startedAt'>;

const timeText = (column: string): string => `formatDateTime(${column}, '%Y-%m-%dT%H:%i:%S.%fZ')`;

/** In the order of the table, whose parts are read only as far as the day, and the place, want. */
const ofDay = "team_id = {team:Int64} AND event = '$exception' AND toDate32(timestamp) = {day:Date32}";

/**
 * Exceptions with a frame that failed, and one of those that are looked for. By text, since it is one pass over the column; the list itself
 * says later which frames failed. A set, since an array would be searched for each frame.
 */
const isWanted = `timestamp >= parseDateTime64BestEffort({oldest:String}, 6, 'UTC') AND position(properties_text, '"resolve_failure":') > 0
  AND arrayExists(text -> unhex(left(text, 12)) IN (SELECT substring(base64Decode({frames:String}), 1 + 6 * number, 6)
    FROM numbers(intDiv(length(base64Decode({frames:String})), 6))), splitByString('"raw_id":"', properties_text))`;

const wantedParams = ({ projectId, day, frames, oldest, startedAt }: Wanted): LateStatement['params'] => ({
  team: projectId,
  day,
  frames: frames.toString('base64'),
  oldest: oldest ?? new Date(startedAt.getTime() - weekMs).toISOString(),
});

const weekMs = 7 * 86_400_000;

/** How many exceptions there are. Reads no properties. */
export const countDay = ({ projectId, day }: Day): LateStatement => ({
  sql: `SELECT count() AS count FROM analytics.events WHERE ${ofDay}`,
  params: { team: projectId, day },
});

/** The time of the `max`th newest exception that is wanted; no row when there are fewer. */
export const oldestOf = (wanted: Wanted, max: number): LateStatement => ({
  sql: `SELECT ${timeText('timestamp')} AS oldest FROM (SELECT timestamp FROM analytics.events WHERE ${ofDay} AND ${isWanted}
ORDER BY timestamp DESC LIMIT 1 OFFSET {offset:UInt64})`,
  params: { ...wantedParams(wanted), offset: max - 1 },
});

/** The next exceptions that are wanted, behind a place. */
export const nextOf = (wanted: Wanted, after: readonly string[], max: number): LateStatement => ({
  sql: `SELECT uuid, distinct_id AS distinctId, [toString(cityHash64(distinct_id)), toString(cityHash64(uuid))] AS place, ${timeText('timestamp')} AS happenedAt,
  ${timeText('created_at')} AS receivedAt, properties_text AS text
FROM analytics.events
WHERE ${ofDay} AND cityHash64(distinct_id) >= {first:UInt64} AND (cityHash64(distinct_id) > {first:UInt64} OR cityHash64(uuid) > {second:UInt64})
  AND ${isWanted}
ORDER BY cityHash64(distinct_id), cityHash64(uuid) LIMIT {max:UInt64}`,
  params: { ...wantedParams(wanted), first: after[0] ?? '0', second: after[1] ?? '0', max },
});

/** Ends every run of the project before: an update of it that comes late changes nothing. */
export const clearRuns = ({ projectId }: Pick<Day, 'projectId'>): LateStatement => ({
  sql: `ALTER TABLE ${lateEvents.fullName} DROP PARTITION {team:Int64}`,
  params: { team: projectId },
});

const ofRun = `FROM ${lateEvents.fullName} WHERE run = {run:UUID} AND team_id = {team:Int64}`;
const found = `(SELECT (groupArray((distinct_id, uuid)), groupArray(properties_text), groupArray(properties)) ${ofRun})`;
const place = `indexOf(tupleElement(${found}, 1), (distinct_id, uuid))`;
/** Without its row in the run the event would get an empty value. */
const ofEvent = (column: 2 | 3): string =>
  `arrayElement(tupleElement(${found}, ${column}), ${place} + throwIf(${place} = 0, 'an event has no row of the run'))`;

/**
 * Writes the properties of a run into their events, all at once, as patches; the same again changes nothing. An `ALTER TABLE`, since `UPDATE` asks
 * for the right to change every column (ClickHouse 26.7).
 * @throws an error of ClickHouse when the run ends meanwhile: no event is changed
 */
export const writeRun = ({ projectId, day }: Day, run: string): LateStatement => ({
  sql: `ALTER TABLE analytics.events UPDATE properties_text = ${ofEvent(2)}, properties = ${ofEvent(3)}
WHERE ${ofDay} AND (distinct_id, uuid) IN (SELECT distinct_id, uuid ${ofRun})
SETTINGS alter_update_mode = 'lightweight_force'`,
  params: { team: projectId, day, run },
});
