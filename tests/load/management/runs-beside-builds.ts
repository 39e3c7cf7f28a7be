import { saveEndpoint, sendRequest } from '../../support/api.ts';
import { judge } from '../report/bars.ts';
import { generatedEvent, generatedEvents } from '../generated-events.ts';
import { figure } from '../report/format.ts';
import { saveMaterialized, untilBuilt } from './materialized-endpoint.ts';
import type { Bench, Finding } from '../report/measurement.ts';
import { p50And99, timesOfRuns } from './runs-of-project.ts';
import type { SystemUnderTest } from '../system-under-test.ts';

/** Events of the project that is measured. */
export const eventsBeside = 20_000;

const built = 'by_page';
const query = `SELECT properties.$current_url AS page, properties.$device_type AS device, count() AS events, sum(toFloat(properties.amount)) AS amount
  FROM events WHERE event = '${generatedEvent}' AND timestamp >= {variables.from} GROUP BY page, device ORDER BY events DESC LIMIT 100`;
/** Each of these is another table, so each change builds one. */
const buckets = ['day', 'week'] as const;

const text = `SELECT properties.$browser AS browser, count() AS events, round(avg(toFloat(properties.amount)), 2) AS amount
  FROM events WHERE event = '${generatedEvent}' GROUP BY browser ORDER BY events DESC, browser LIMIT 100`;
const runsWarm = 100;
const kinds = {
  computed: { bodies: ['{"refresh":"force"}'], times: 600 },
  cached: { bodies: ['{}'], times: 6_000 },
} as const;
type Kind = keyof typeof kinds;
const timesBar = 2;

/**
 * Times of a small project's runs while tables of the demo project are built, one after the other, beside what they take when nothing is
 * built.
 */
export async function measureRunsBesideBuilds(
  system: SystemUnderTest,
  projectId: number,
  { say }: Bench,
): Promise<Finding> {
  const { local } = system;
  await saveEndpoint(local, 'by_browser', text, undefined, projectId);
  const variables = { from: { code_name: 'from', type: 'Date' } };
  await saveMaterialized(local, built, { query, variables });
  const runsOf = (kind: Kind, times: number = kinds[kind].times): Promise<number[]> =>
    timesOfRuns(local, { projectId, name: 'by_browser', bodies: kinds[kind].bodies, times });
  await runsOf('computed', runsWarm);
  const quiet = { computed: await runsOf('computed'), cached: await runsOf('cached') };
  const builds = keepBuilding(system);
  const loaded = { computed: await runsOf('computed'), cached: await runsOf('cached') };
  const secondsOfBuild = await builds.stop();
  const finding: Finding = { lines: [], figures: { endpoints_build_seconds: secondsOfBuild } };
  for (const kind of ['computed', 'cached'] as const) {
    const [before, under] = [p50And99(quiet[kind]), p50And99(loaded[kind])];
    const times = under.p99 / before.p99;
    const line = {
      what: `endpoints: ${kind} runs while tables of ${generatedEvents / 1e6} 000 000 events of another project are built (${figure(secondsOfBuild)} s each), p50 / p99`,
      millrace: under.shown,
      beside: `nothing is built: ${before.shown}`,
      ratio: `p99 ${figure(times)} times`,
      verdicts: [judge(times, { most: timesBar, unit: ' times' })],
    };
    say(`${line.what}: ${line.millrace}; ${line.beside}; ${line.ratio}`);
    finding.lines.push(line);
    Object.assign(finding.figures, {
      [`endpoints_${kind}_without_builds_p99_ms`]: before.p99,
      [`endpoints_${kind}_beside_builds_p99_ms`]: under.p99,
      [`endpoints_${kind}_beside_builds_p99_times`]: times,
    });
  }
  return finding;
}

interface Changed {
  materialization: { ready: boolean };
}

/** Builds one table after the other. `stop`: ends after the present one. @returns seconds a build @throws when one fails */
function keepBuilding({ local }: SystemUnderTest): { stop: () => Promise<number> } {
  const path = `/api/projects/${local.projectId}/endpoints/${built}`;
  let isStopped = false;
  const work = async (): Promise<number> => {
    const begun = performance.now();
    let builds = 0;
    for (; !isStopped; builds++) {
      const { status, body } = await sendRequest<Changed>(local, 'PATCH', path, {
        bucket_overrides: { timestamp: buckets[builds % buckets.length] },
      });
      if (status !== 200) throw new Error(`a table is not built: ${JSON.stringify(body)}`);
      // The reply waits for the build, but not for ever. Asking more often would be a load of its own.
      if (!body.materialization.ready) await untilBuilt(local, built);
    }
    return (performance.now() - begun) / 1000 / builds;
  };
  const working = work();
  working.catch(() => undefined); // thrown by `stop`
  return {
    stop: () => {
      isStopped = true;
      return working;
    },
  };
}
