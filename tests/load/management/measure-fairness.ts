import { saveEndpoint } from '../../support/api.ts';
import { judge } from '../report/bars.ts';
import { figure } from '../report/format.ts';
import { addGeneratedEvents, generatedEvent, generatedEvents } from '../generated-events.ts';
import { keepBusy, saveHeavyQueries, secondsOfAll } from './heavy-queries.ts';
import type { Bench, Finding, Measurement } from '../report/measurement.ts';
import { newProject, p50And99, timesOfRuns } from './runs-of-project.ts';
import { type SystemUnderTest, withSystem } from '../system-under-test.ts';

const smallEvents = 20_000;
const runsWarm = 100;
const runs = { computed: 600, kept: 2_000 } as const;
const timesBar = 3;

const text = `SELECT properties.$browser AS browser, count() AS events, round(avg(toFloat(properties.amount)), 2) AS amount
  FROM events WHERE event = '${generatedEvent}' GROUP BY browser ORDER BY events DESC, browser LIMIT 100`;

type Kind = keyof typeof runs;
const bodies: Readonly<Record<Kind, string>> = { computed: '{"refresh":"force"}', kept: '{}' };

/**
 * Times of a project's runs while two others run heavy queries, a slot each, beside what they take when nothing else
 * runs.
 */
export const fairnessMeasurement: Measurement = {
  name: 'fairness',
  measure: (bench) => withSystem(bench.stop, (system) => measure(system, bench)),
};

async function measure(system: SystemUnderTest, bench: Bench): Promise<Finding> {
  const heavy = [await newProject(system.local, 'Heavy A'), await newProject(system.local, 'Heavy B')];
  for (const projectId of heavy) await saveHeavyQueries(system, projectId);
  await saveEndpoint(system.local, 'by_browser', text);
  await addGeneratedEvents(system, bench, [
    ...heavy.map((projectId) => ({ projectId, events: generatedEvents / heavy.length })),
    { projectId: system.local.projectId, events: smallEvents },
  ]);
  const timesOf = (kind: Kind, times: number = runs[kind]): Promise<number[]> =>
    timesOfRuns(system.local, { projectId: system.local.projectId, name: 'by_browser', bodies: [bodies[kind]], times });
  await timesOf('computed', runsWarm);
  const quiet = { computed: await timesOf('computed'), kept: await timesOf('kept') };
  const heavySeconds = await secondsOfAll(system, heavy, bench.stop);
  bench.say(`heavy queries of two projects, three of each, nobody else asks: ${figure(heavySeconds)} s`);
  const busy = heavy.map((projectId) => keepBusy(system, projectId));
  const loaded = { computed: await timesOf('computed'), kept: await timesOf('kept') };
  await Promise.all(busy.map((project) => project.stop()));
  return found({ quiet, loaded }, heavySeconds, bench);
}

function found(
  { quiet, loaded }: Record<'quiet' | 'loaded', Record<Kind, number[]>>,
  heavySeconds: number,
  { say }: Bench,
): Finding {
  const finding: Finding = { lines: [], figures: { fairness_heavy_seconds: heavySeconds } };
  for (const kind of ['computed', 'kept'] as const) {
    const [before, under] = [p50And99(quiet[kind]), p50And99(loaded[kind])];
    const times = under.p99 / before.p99;
    const line = {
      what: `fairness: ${kind} runs while two projects run heavy queries, p50 / p99`,
      millrace: under.shown,
      beside: `nobody else asks: ${before.shown}`,
      ratio: `p99 ${figure(times)} times`,
      verdicts: [judge(times, { most: timesBar, unit: ' times' })],
    };
    say(`${line.what}: ${line.millrace}; ${line.beside}; ${line.ratio}`);
    finding.lines.push(line);
    Object.assign(finding.figures, {
      [`fairness_${kind}_quiet_p50_ms`]: before.p50,
      [`fairness_${kind}_quiet_p99_ms`]: before.p99,
      [`fairness_${kind}_p50_ms`]: under.p50,
      [`fairness_${kind}_p99_ms`]: under.p99,
      [`fairness_${kind}_p99_times`]: times,
    });
  }
  return finding;
}
