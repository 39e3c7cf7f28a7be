import { createPool } from '@millrace/postgres/pool.ts';
import { delay } from '@millrace/runtime/clock.ts';
import { sendRequest } from '../../support/api.ts';
import { judge } from '../report/bars.ts';
import { addGeneratedEvents, generatedEvent, generatedEvents } from '../generated-events.ts';
import { figure } from '../report/format.ts';
import { saveMaterialized } from './materialized-endpoint.ts';
import type { Bench, Finding } from '../report/measurement.ts';
import type { SystemUnderTest } from '../system-under-test.ts';

const name = 'by_hour_and_plan';
const query = `SELECT toStartOfHour(timestamp) AS hour, properties.plan AS plan, count() AS total
  FROM events WHERE event = '${generatedEvent}' GROUP BY hour, plan`;
/** 1 % of all, all of the last hours. */
const newEvents = generatedEvents / 100;
const shareBar = 5;
const buildMsMax = 60_000;

interface Status {
  status: string;
  last_materialized_at: string;
  buckets_rebuilt: number | null;
  rows_read: number | null;
}

/** Rows that a rebuild reads after 1 % of new events, beside those of the whole build. @throws when it was a whole build again */
export async function measureIncrementalBuilds(system: SystemUnderTest, bench: Bench): Promise<Finding> {
  const { local } = system;
  // One build a day is a whole one.
  await saveMaterialized(local, name, { query, variables: {} }, { data_freshness_seconds: 3_600 });
  const whole = await statusOf(system);
  await addGeneratedEvents(system, bench, [{ projectId: local.projectId, events: newEvents }]);
  await makeDue(local.postgresUrl);
  const rebuilt = await afterBuild(system, whole);
  if (whole.rows_read === null || rebuilt.rows_read === null || rebuilt.buckets_rebuilt === null)
    throw new Error(`no rebuild by buckets: ${JSON.stringify({ whole, rebuilt })}`);
  const percent = (rebuilt.rows_read / whole.rows_read) * 100;
  const line = {
    what: `endpoints: rows read by a rebuild after ${newEvents} new events, ${rebuilt.buckets_rebuilt} buckets`,
    millrace: `${rebuilt.rows_read}`,
    beside: `the whole build: ${whole.rows_read}`,
    ratio: `${figure(percent)} %`,
    verdicts: [judge(percent, { most: shareBar, unit: ' %' })],
  };
  bench.say(`${line.what}: ${line.millrace}; ${line.beside}; ${line.ratio}`);
  return {
    lines: [line],
    figures: { endpoints_rebuild_rows_read: rebuilt.rows_read, endpoints_rebuild_rows_read_percent: percent },
  };
}

async function statusOf({ local }: SystemUnderTest): Promise<Status> {
  const path = `/api/projects/${local.projectId}/endpoints/${name}/materialization_status`;
  return (await sendRequest<Status>(local, 'GET', path)).body;
}

/** As the schedule does, hours later. */
async function makeDue(postgresUrl: string): Promise<void> {
  const pool = createPool(postgresUrl, {
    applicationName: 'bench',
    max: 1,
    statementTimeoutMs: 0,
    onError: () => undefined,
  });
  try {
    await pool.query(
      'UPDATE materializations m SET next_build_at = statement_timestamp() FROM endpoints e WHERE e.id = m.endpoint_id AND e.name = $1',
      [name],
    );
  } finally {
    await pool.end();
  }
}

async function afterBuild(system: SystemUnderTest, before: Status): Promise<Status> {
  for (const deadline = Date.now() + buildMsMax; Date.now() < deadline; await delay(100)) {
    const status = await statusOf(system);
    if (status.status === 'Completed' && status.last_materialized_at !== before.last_materialized_at) return status;
  }
  throw new Error('the table was not built again within a minute');
}
