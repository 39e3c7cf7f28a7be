/** A statement of the job; its parameters are bound. */
export interface SquashStatement {
  sql: string;
  params: Record<string, string | number>;
  settings?: Record<string, string | number>;
}

// One text for both columns: `transform` takes no tuples. Nothing else looks like it, for a team id has no colon.
const key = "concat(toString(team_id), ':', distinct_id)";

/**
 * SQL of a value that the run found for a row's distinct id. The chosen overrides are one scalar, computed once per part; without any (the
 * run is over) every row is left as it is.
 */
function found(column: 'person_id' | 'version', fallback: string): string {
  const values = column === 'person_id' ? 'groupArray(toString(person_id))' : 'groupArray(version)';
  const chosen = `(SELECT (groupArray(${key}), ${values}) FROM analytics.person_folds WHERE run = {run:UUID})`;
  return `transform(${key}, tupleElement(${chosen}, 1), tupleElement(${chosen}, 2), ${fallback})`;
}

const isChosen =
  '(team_id, distinct_id) IN (SELECT team_id, distinct_id FROM analytics.person_folds WHERE run = {run:UUID})';
const foundPerson = found('person_id', 'toString(person_id)');
const carriesAnother = `${isChosen} AND toString(person_id) != ${foundPerson}`;
const foundVersion = found('version', 'toUInt64(0)');

/** Overrides that there are, how many of them are older than `ageMs`, and the age of the oldest in milliseconds. */
export function countOverrides(ageMs: number): SquashStatement {
  return {
    sql: `SELECT count() AS overrides, countIf(inserted_at < now64(6) - toIntervalMillisecond({age:UInt64})) AS old,
  if(count() = 0, 0, dateDiff('millisecond', min(inserted_at), now64(6))) AS oldest_ms
FROM analytics.person_overrides`,
    params: { age: ageMs },
  };
}

/** Mutations of the events that read `person_folds` and are not done, of this run or of one that was killed. */
export const unfinishedRewrites: SquashStatement = {
  sql: `SELECT count() AS unfinished, max(latest_fail_reason) AS reason FROM system.mutations
WHERE database = 'analytics' AND table = 'events' AND NOT is_done AND position(command, 'person_folds') > 0`,
  params: {},
};

/** Ends every run before. */
export const clearChosen: SquashStatement = { sql: 'TRUNCATE TABLE analytics.person_folds', params: {} };

/** Records the newest override of distinct ids that no merge has moved for `ageMs`, of at most `max` of them. */
export function chooseOverrides(run: string, ageMs: number, max: number): SquashStatement {
  return {
    sql: `INSERT INTO analytics.person_folds (run, team_id, distinct_id, person_id, version)
SELECT {run:UUID}, team_id, distinct_id, argMax(person_id, version), max(version)
FROM analytics.person_overrides GROUP BY team_id, distinct_id
HAVING max(inserted_at) < now64(6) - toIntervalMillisecond({age:UInt64})
ORDER BY team_id, distinct_id LIMIT {max:UInt64}`,
    params: { run, age: ageMs, max },
  };
}

export function countChosen(run: string): SquashStatement {
  return { sql: 'SELECT count() AS chosen FROM analytics.person_folds WHERE run = {run:UUID}', params: { run } };
}

/** The months (yyyymm) with events that carry another person than the run found, and how many there are. */
export function monthsToRewrite(run: string): SquashStatement {
  return {
    sql: `SELECT toYYYYMM(timestamp) AS month, count() AS events FROM analytics.events WHERE ${carriesAnother} GROUP BY month ORDER BY month`,
    params: { run },
  };
}

/** Begins to write the person that the run found into those events; ClickHouse continues by itself, also after a crash. */
export function rewriteMonth(run: string, month: number): SquashStatement {
  if (!Number.isInteger(month) || month < 100_000 || month > 999_999) throw new Error(`not a month: ${month}`);
  return {
    sql: `ALTER TABLE analytics.events UPDATE person_id = toUUID(${foundPerson}) IN PARTITION ${month} WHERE ${carriesAnother}`,
    params: { run },
    // The sub-queries: on replicas they would be refused else.
    settings: { mutations_sync: '0', allow_nondeterministic_mutations: 1 },
  };
}

/**
 * Removes overrides that the run has squashed: those that a newer one hides (`hidden`), or all. A removal is not one moment
 * for all parts of a table: hidden ones go first, or one of them would rule for an instant.
 */
export function removeOverrides(run: string, which: 'hidden' | 'all'): SquashStatement {
  return {
    sql: `DELETE FROM analytics.person_overrides WHERE ${isChosen} AND version ${which === 'hidden' ? '<' : '<='} ${foundVersion}`,
    params: { run },
    settings: { lightweight_deletes_sync: 2, allow_nondeterministic_mutations: 1 },
  };
}
