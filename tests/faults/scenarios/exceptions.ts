import { startBuilds, type Builds } from '../error-tracking/builds.ts';
import { exceptionsOf, mergeIssues, shownIssues, storedExceptions } from '../error-tracking/exceptions.ts';
import { settleExceptions, type Outage } from '../error-tracking/settle-exceptions.ts';
import { defaultLoad, startLoad } from '../rig/load.ts';
import { bothLogs, type Scenario, type Stage } from '../stage/scenario.ts';

const refs = { there: ['t0', 't1'], later: ['l0', 'l1', 'l2'], begun: ['b0'] };
const thrown = [...refs.there, ...refs.later, ...refs.begun, 'never'];
const awayMsMax = 2_500;
const aliveMsMax = 1_200;
const compiledWithinMs = 300;
/** As long as a file may take to count, and the storage is left alone. */
const restMs = 6_500;

export const exceptions: Scenario = {
  name: 'exceptions',
  number: 16,
  does: 'exceptions of minified code come in while their maps are uploaded; kill -9 of consumer and management API, also in the middle of uploads and as maps are compiled, and outages of the object storage',
  logs: bothLogs,
  load: { clients: 12, perSecond: 100 },
  async run(stage) {
    const { rig, projects, ledger, rounds, pause } = stage;
    const builds = startBuilds(rig.api.url, projects, refs);
    const load = startLoad(() => rig.capture.url, projects, ledger, {
      ...defaultLoad,
      clients: 6,
      perSecond: 40,
      repeatEvery: 10,
      people: 'thrower',
      makes: exceptionsOf(thrown),
    });
    const outages: Outage[] = [];
    const harms = [killConsumer, killApi, leaveStorage(outages), killConsumerAsMapsAreCompiled];
    try {
      await rounds({ short: 4, long: 40 }, async (number) => {
        await pause(Math.random() * aliveMsMax);
        await harms[number % harms.length]?.(stage, builds);
        stage.faulted();
        for (const wrong of await builds.check()) stage.wrong(wrong);
      });
      await mergeIssues(rig, projects[0] as (typeof projects)[number]);
      await builds.stop();
      await pause(restMs);
    } finally {
      await load.stop();
    }
    await stage.recovered();
    for (const wrong of await builds.check(true)) stage.wrong(wrong);
    await settleAll(stage, builds, outages);
  },
};

type Harm = (stage: Stage, builds: Builds) => Promise<void>;

const killConsumer: Harm = ({ rig }) => rig.consumer.kill();
const killApi: Harm = ({ rig }) => rig.api.kill();

/** The next exception after a finish has the map compiled, in a thread of the consumer. */
const killConsumerAsMapsAreCompiled: Harm = async ({ rig, pause }, builds) => {
  const { finished } = builds;
  for (let waits = 0; builds.finished === finished && waits < 200; waits++) await pause(20);
  await pause(Math.random() * compiledWithinMs);
  await rig.consumer.kill();
};

const leaveStorage =
  (outages: Outage[]): Harm =>
  async ({ rig: { objects }, pause }) => {
    const outage = { fromMs: Date.now(), untilMs: Infinity };
    outages.push(outage);
    await objects.goAway();
    await pause(500 + Math.random() * (awayMsMax - 500));
    await objects.comeBack();
    outage.untilMs = Date.now();
  };

async function settleAll(stage: Stage, builds: Builds, outages: readonly Outage[]): Promise<void> {
  const { rig, projects, ledger } = stage;
  const sentMs = new Map(ledger.events().map(({ uuid, firstSentMs }) => [uuid, firstSentMs]));
  const stored = await storedExceptions(
    rig,
    projects.map(({ id }) => id),
    (uuid) => sentMs.get(uuid) ?? 0,
  );
  const settled = settleExceptions({
    exceptions: stored,
    sets: builds.sets,
    issues: await shownIssues(rig, projects),
    outages,
  });
  for (const wrong of settled.wrong) stage.wrong(wrong);
  const { resolved, unresolved, late } = settled;
  if (resolved === 0 || builds.finished === 0) stage.wrong('no exception was resolved by an uploaded map');
  stage.note(`${builds.finished} finished uploads; ${resolved} exceptions resolved, ${unresolved} not`);
  expectLateOnesResolved(stage, late);
}

/** Exceptions whose map could not be read in time. The late job is to resolve them: until it does in this system, they are only counted. */
function expectLateOnesResolved({ note }: Stage, late: readonly string[]): void {
  if (late.length > 0) note(`${late.length} exceptions came while the storage was away`);
}
