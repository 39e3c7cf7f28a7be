import { startBuilds, type Builds } from '../error-tracking/builds.ts';
import { exceptionsOf, mergeIssues, shownIssues, storedExceptions } from '../error-tracking/exceptions.ts';
import { hurtLateMaps, withoutLateMaps } from '../error-tracking/late-maps.ts';
import { settleExceptions, type ExceptionsSettlement, type Outage } from '../error-tracking/settle-exceptions.ts';
import { defaultLoad, startLoad } from '../rig/load.ts';
import { bothLogs, type Scenario, type Stage } from '../stage/scenario.ts';

const refs = { there: ['t0', 't1'], later: ['l0', 'l1', 'l2'], last: ['z0', 'z1'], begun: ['b0'] };
const thrown = [...refs.there, ...refs.later, ...refs.last, ...refs.begun, 'never'];
const awayMsMax = 2_500;
const aliveMsMax = 1_200;
const compiledWithinMs = 300;
/** As long as a file may take to count, and the storage is left alone. */
const restMs = 6_500;

export const exceptions: Scenario = {
  name: 'exceptions',
  number: 16,
  does: 'exceptions of minified code come in while their maps are uploaded; kill -9 of consumer and management API, also in the middle of uploads and as maps are compiled, and outages of the object storage; then kill -9 of consumer and ClickHouse, and outages, in the middle of resolving stored exceptions anew',
  logs: bothLogs,
  load: { clients: 12, perSecond: 100 },
  async run(stage) {
    const { rig, projects } = stage;
    const builds = startBuilds(rig.api.url, projects, refs);
    const outages: Outage[] = [];
    await withoutLateMaps(rig, async () => {
      await hurtExceptions(stage, builds, outages);
      const { late } = await settle(stage, { builds, outages, isLate: false });
      if (late.length > 0) stage.note(`${late.length} exceptions came while the storage was away`);
    });
    await hurtLateMaps(stage, [killConsumer, killClickhouse, leaveStorage([])], stage.short ? 2 : 6);
    const { resolved, unresolved } = await settle(stage, { builds, outages, isLate: true });
    if (resolved === 0 || builds.finished === 0) stage.wrong('no exception was resolved by an uploaded map');
    stage.note(`${builds.finished} finished uploads; ${resolved} exceptions resolved, ${unresolved} not`);
  },
};

async function hurtExceptions(stage: Stage, builds: Builds, outages: Outage[]): Promise<void> {
  const { rig, projects, ledger, rounds, pause } = stage;
  const load = startLoad(() => rig.capture.url, projects, ledger, {
    ...defaultLoad,
    clients: 6,
    perSecond: 40,
    repeatEvery: 10,
    people: 'thrower',
    makes: exceptionsOf(thrown),
  });
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
}

type Harm = (stage: Stage, builds: Builds) => Promise<void>;

const killConsumer = ({ rig }: Stage): Promise<void> => rig.consumer.kill();
const killClickhouse = async ({ rig: { clickhouse } }: Stage): Promise<void> => {
  await clickhouse.kill();
  await clickhouse.start();
};
const killApi: Harm = ({ rig }) => rig.api.kill();

/** The next exception after a finish has the map compiled, in a thread of the consumer. */
const killConsumerAsMapsAreCompiled: Harm = async ({ rig, pause }, builds) => {
  const { finished } = builds;
  for (let waits = 0; builds.finished === finished && waits < 200; waits++) await pause(20);
  await pause(Math.random() * compiledWithinMs);
  await rig.consumer.kill();
};

const leaveStorage =
  (outages: Outage[]) =>
  async ({ rig: { objects }, pause }: Stage): Promise<void> => {
    const outage = { fromMs: Date.now(), untilMs: Infinity };
    outages.push(outage);
    await objects.goAway();
    await pause(500 + Math.random() * (awayMsMax - 500));
    await objects.comeBack();
    outage.untilMs = Date.now();
  };

interface Uploaded {
  builds: Builds;
  outages: readonly Outage[];
  isLate: boolean;
}

async function settle(stage: Stage, { builds, outages, isLate }: Uploaded): Promise<ExceptionsSettlement> {
  const { rig, projects, ledger } = stage;
  const sentMs = new Map(ledger.events().map(({ uuid, firstSentMs }) => [uuid, firstSentMs]));
  const exceptions = await storedExceptions(
    rig,
    projects.map(({ id }) => id),
    (uuid) => sentMs.get(uuid) ?? 0,
  );
  const issues = await shownIssues(rig, projects);
  const settled = settleExceptions({ exceptions, sets: builds.sets, issues, outages, isLate });
  for (const wrong of settled.wrong) stage.wrong(wrong);
  return settled;
}
