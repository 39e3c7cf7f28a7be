import { sendRequest } from '../../support/api.ts';
import type { Local } from '../../support/system.ts';
import { newProject } from '../management/runs-of-project.ts';
import { judge } from '../report/bars.ts';
import { figure, spread } from '../report/format.ts';
import { joined, type Bench, type Finding, type Measurement } from '../report/measurement.ts';
import { median, spreadOf } from '../report/statistics.ts';
import { withSystem, type SystemUnderTest } from '../system-under-test.ts';
import { addInsightEvents, insightDays, insightEvents } from './insight-events.ts';
import { checkFigures, insightCases, type InsightCase } from './insight-cases.ts';

const rounds = 5;
const timesBar = 1.3;
const dayMs = 86_400_000;

/** Time of a computed insight at the API, beside SQL for the same question sent straight to ClickHouse, in turns. */
export const insightsMeasurement: Measurement = {
  name: 'insights',
  measure: (bench) =>
    withSystem(bench.stop, async (system): Promise<Finding> => {
      const projectId = await newProject(system.local, 'Insights');
      await addInsightEvents(system, projectId, bench);
      const findings: Finding[] = [];
      for (const measured of insightCases) findings.push(await measure(system, projectId, measured, bench));
      return joined(...findings);
    }),
};

interface Run {
  results: unknown;
  statistics: { rows_read: number };
}

async function measure(
  system: SystemUnderTest,
  projectId: number,
  measured: InsightCase,
  { say }: Bench,
): Promise<Finding> {
  const { local, asTenant, tenantHeadersOf } = system;
  const path = `/api/projects/${projectId}/endpoints/`;
  const saved = await sendRequest(local, 'POST', path, { name: measured.name, query: measured.definition });
  if (saved.status !== 201) throw new Error(`${measured.name} was not saved: ${JSON.stringify(saved.body)}`);
  const bare = { sql: `${measured.sql} FORMAT JSONCompact`, headers: tenantHeadersOf(projectId) };
  const [ours, theirs]: [number[], number[]] = [[], []];
  let rowsRead = 0;
  for (let round = 0; round <= rounds; round += 1) {
    const us = await timed(() => runOf(local, `${path}${measured.name}/run`));
    const other = await timed(() => asTenant.send({ ...bare, params: { from: rangeStart() } }));
    rowsRead = us.response.statistics.rows_read;
    checkFigures(measured, us.response.results, rowsOf(other.response));
    if (round === 0) continue; // to warm both up
    ours.push(us.ms);
    theirs.push(other.ms);
  }
  const times = median(ours.map((ms, at) => ms / (theirs[at] ?? NaN)));
  const [us, other] = [spreadOf(ours), spreadOf(theirs)];
  say(
    `${measured.what}: ${spread(us, 'ms')}; by hand: ${spread(other, 'ms')}; ${figure(times)} times; ${rowsRead} rows read`,
  );
  return {
    lines: [
      {
        what: `insights: ${measured.what}, ${insightEvents / 1e6} 000 000 events of ${insightDays} days, not cached`,
        millrace: spread(us, 'ms'),
        beside: `SQL by hand: ${spread(other, 'ms')}`,
        ratio: `${figure(times)} times`,
        verdicts: [judge(times, { most: timesBar, unit: ' times' })],
      },
    ],
    figures: { [`insights_${measured.name}_ms`]: us.median, [`insights_${measured.name}_by_hand_ms`]: other.median },
  };
}

/** Start of the first day of the range, which is UTC's. */
const rangeStart = (): string =>
  `${new Date(Math.floor(Date.now() / dayMs) * dayMs - (insightDays - 1) * dayMs).toISOString().slice(0, 10)} 00:00:00`;

const rowsOf = (reply: Buffer) => (JSON.parse(reply.toString()) as { data: (string | number)[][] }).data;

async function runOf(local: Local, path: string): Promise<Run> {
  const { status, body } = await sendRequest<Run>(local, 'POST', path, { refresh: 'force' });
  if (status !== 200) throw new Error(`the insight did not run: ${JSON.stringify(body)}`);
  return body;
}

async function timed<Response>(send: () => Promise<Response>): Promise<{ response: Response; ms: number }> {
  const begun = performance.now();
  const response = await send();
  return { response, ms: performance.now() - begun };
}
