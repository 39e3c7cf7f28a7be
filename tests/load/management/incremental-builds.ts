import { createPool } from '@millrace/postgres/pool.ts';
import { delay } from '@millrace/runtime/clock.ts';
import { sendRequest } from '../../support/api.ts';
import { judge } from '../report/bars.ts';
import { addGeneratedEvents, generatedEvent, generatedEvents } from '../generated-events.ts';
import { figure } from '../report/format.ts';
import { saveMaterialized } from './materialized-endpoint.ts';
import { joined, type Bench, type Finding } from '../report/measurement.ts';
import type { Local } from '../../support/system.ts';
import type { SystemUnderTest } from '../system-under-test.ts';

/** Buckets of the two endpoints. */
const units = { days: 'toDate', hours: 'toStartOfHour' } as const;
type Unit = keyof typeof units;
const nameOf = (unit: Unit): string => `by_${unit}_and_plan`;
const queryOf = (
  unit: Unit,
): string => `SELECT ${units[unit]}(timestamp) AS bucket, properties.plan AS plan, count() AS total
  FROM events WHERE event = '${generatedEvent}' GROUP BY bucket, plan`;
/** 1 % of all, after all others. */
const newEvents = generatedEvents / 100;
/** All lie within 90 days. */
const apartSeconds = 8;
const shareBar = 5;
const buildMsMax = 60_000;

interface Status {
  status: string;
  last_materialized_at: string;
  buckets_rebuilt: number | null;
  rows_read: number | null;
}

/** Rows that a rebuild reads after 1 % of new events, beside those of the whole build. @throws when it was a whole build again */
export async function measureIncrementalBuilds(
  system: SystemUnderTest,
  projectId: number,
  bench: Bench,
): Promise<Finding> {
  const local = { ...system.local, projectId };
  // Events of the last minutes would be new to every rebuild.
  const others = { agoSeconds: 3_600, endsSeconds: newEvents * apartSeconds };
  await addGeneratedEvents(system, bench, [{ projectId, events: generatedEvents, apartSeconds, ...others }]);
  const all = Object.keys(units) as Unit[];
  const wholes = new Map<Unit, Status>();
  for (const unit of all) {
    // One build a day is a whole one.
    const fields = { data_freshness_seconds: 3_600 };
    await saveMaterialized(local, nameOf(unit), { query: queryOf(unit), variables: {} }, fields);
    wholes.set(unit, await statusOf(local, unit));
  }
  await addGeneratedEvents(system, bench, [{ projectId, events: newEvents, apartSeconds }]);
  await makeDue(local);
  const findings: Finding[] = [];
  for (const [unit, whole] of wholes) findings.push(compared(unit, whole, await afterBuild(local, unit, whole), bench));
  return joined(...findings);
}

function compared(unit: Unit, whole: Status, rebuilt: Status, { say }: Bench): Finding {
  if (whole.rows_read === null || rebuilt.rows_read === null || rebuilt.buckets_rebuilt === null)
    throw new Error(`no rebuild by buckets: ${JSON.stringify({ whole, rebuilt })}`);
  const percent = (rebuilt.rows_read / whole.rows_read) * 100;
  const line = {
    what: `endpoints: rows read by a rebuild after ${newEvents} new events, ${rebuilt.buckets_rebuilt} ${unit} of 90 days`,
    millrace: `${rebuilt.rows_read}`,
    beside: `the whole build: ${whole.rows_read}`,
    ratio: `${figure(percent)} %`,
    verdicts: [judge(percent, { most: shareBar, unit: ' %' })],
  };
  say(`${line.what}: ${line.millrace}; ${line.beside}; ${line.ratio}`);
  return {
    lines: [line],
    figures: {
      [`endpoints_rebuild_${unit}_rows_read`]: rebuilt.rows_read,
      [`endpoints_rebuild_${unit}_rows_read_percent`]: percent,
    },
  };
}

async function statusOf(local: Local, unit: Unit): Promise<Status> {
  const path = `/api/projects/${local.projectId}/endpoints/${nameOf(unit)}/materialization_status`;
  return (await sendRequest<Status>(local, 'GET', path)).body;
}

/** As the schedule does, hours later. */
async function makeDue({ postgresUrl, projectId }: Local): Promise<void> {
  const pool = createPool(postgresUrl, {
    applicationName: 'bench',
    max: 1,
    statementTimeoutMs: 0,
    onError: () => undefined,
  });
  try {
    await pool.query(
      'UPDATE materializations m SET next_build_at = statement_timestamp() FROM endpoints e WHERE e.id = m.endpoint_id AND e.project_id = $1',
      [projectId],
    );
  } finally {
    await pool.end();
  }
}

async function afterBuild(local: Local, unit: Unit, before: Status): Promise<Status> {
  for (const deadline = Date.now() + buildMsMax; Date.now() < deadline; await delay(100)) {
    const status = await statusOf(local, unit);
    if (status.status === 'Completed' && status.last_materialized_at !== before.last_materialized_at) return status;
  }
  throw new Error('the table was not built again within a minute');
}
