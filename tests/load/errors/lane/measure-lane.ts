import { readdirSync, renameSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { delay } from '@millrace/runtime/clock.ts';
import { eventually } from '@millrace/runtime/testing/eventually.ts';
import { containerOf, scriptAndMap } from '@millrace/symbolication/testing/containers.ts';
import { timesToVisible, watchInserts } from '../../consumer/visibility.ts';
import { sendLoad } from '../../generator/send-load.ts';
import { sendSteadily } from '../../generator/steady-load.ts';
import { judge } from '../../report/bars.ts';
import { count, figure } from '../../report/format.ts';
import { joined, type Bench, type Finding } from '../../report/measurement.ts';
import { quantile, quantiles } from '../../report/statistics.ts';
import { cpuBetween, type SystemUnderTest, withSystem } from '../../system-under-test.ts';
import { type GeneratedBundle, generateBundle } from '../generated-bundle.ts';
import { exceptionsOf, framesOfStack, sendExceptions, stacksOfChunk } from './exception-events.ts';
import { exceptionsVisible, type Visible } from './exceptions-visible.ts';
import { uploadSets } from './upload-sets.ts';
import { watchConsumer } from './watch-consumer.ts';

/** Segments of maps: a usual one of 0.6 MB, and one of 50 MB. */
const segments = { usual: 20_000, large: 2_000_000 };
const sets = { usual: 200, large: 10, away: 5 };
/** Ordinary events, before and while large maps are read, one each four seconds. */
const ordinary = { perSecond: 2_000, ofRequest: 100, persons: 10_000, seconds: 20 };
const apartMs = 4_000;
const warm = { events: 200, apartMs: 25 };
const waiting = 20_000;
const bars = { share: 1.2, loopMs: 50, warmMs: 3_000, coldMs: 10_000, perSecond: 5_000, residentMb: 1_536 };
const names = (kind: string, howMany: number): string[] => Array.from({ length: howMany }, (_, at) => `${kind}-${at}`);

/** Exceptions on their way, and ordinary events beside them: with real engines, from capture until queries see them. */
export const measureLane = (bench: Bench): Promise<Finding> =>
  withSystem(bench.stop, async (system) => {
    const usual = generateBundle(segments.usual);
    await uploadSets(system.local, [...names('usual', sets.usual), ...names('away', sets.away)], fileOf(usual));
    bench.say(`lane: ${sets.usual} maps are uploaded`);
    const visible = await firstAndAgain(system, usual, bench);
    const many = await backlog(system, usual, bench);
    const large = generateBundle(segments.large);
    await uploadSets(system.local, names('large', sets.large), fileOf(large));
    bench.say(`lane: ${sets.large} maps of ${figure(Buffer.byteLength(large.map) / 1e6)} MB are uploaded`);
    const beside = await besideMaps(system, large, bench);
    return joined(beside, visible, await withoutStorage(system, usual, bench), many);
  });

const fileOf = ({ script, map }: GeneratedBundle) => new Uint8Array(containerOf(scriptAndMap(script, map)));

/** Ordinary events alone, and while large maps are read for the first time. */
async function besideMaps(system: SystemUnderTest, { places }: GeneratedBundle, { say }: Bench): Promise<Finding> {
  const { perSecond, ofRequest, persons, seconds } = ordinary;
  const shape = { path: '/batch/', eventsPerRequest: ofRequest, persons, profiles: 'mixed' } as const;
  const storedBefore = await system.storedEvents();
  await sendLoad(system, { ...shape, requests: 400, connections: 8 });
  await system.untilStored(storedBefore + 400 * ofRequest, 60_000);
  const p95Of = async (seconds: number, others = 0): Promise<number> => {
    const order = { ...shape, schedule: { requestsPerSecond: perSecond / ofRequest, seconds } };
    const before = await system.storedEvents();
    const { seen, result } = await watchInserts(system, 50, async () => {
      const sent = await sendSteadily(system, order);
      while ((await system.storedEvents()) < before + perSecond * seconds + others) await delay(50);
      return sent;
    });
    return quantile(await timesToVisible(system, order, result, seen), 0.95);
  };
  const alone = await watchConsumer(system, () => p95Of(seconds));
  say(`lane: ordinary events alone: p95 ${figure(alone.result)} ms, loop p99 ${figure(alone.loopP99Ms)} ms`);
  const exceptions = async () => {
    const events = exceptionsOf(sets.large, names('large', sets.large), places);
    return await exceptionsVisible(system, sendApart(system, events, apartMs), events.length);
  };
  const beside = await watchConsumer(
    system,
    async () => await Promise.all([p95Of((sets.large * apartMs) / 1_000, sets.large), exceptions()]),
  );
  // Maps that are too late for their exceptions are compiled nevertheless, and would be in the way of all that follows.
  await eventually(
    () => {
      if (readdirSync(join(system.dataDir, 'objects/symbolindexes')).length < sets.large)
        throw new Error('maps are compiled');
    },
    { deadlineMs: 120_000 },
  );
  const [p95, cold] = beside.result;
  const share = p95 / alone.result;
  const slowest = quantile(cold.waitsMs, 0.95);
  say(
    `lane: beside maps: p95 ${figure(p95)} ms, loop p99 ${figure(beside.loopP99Ms)} ms; exceptions ${figure(slowest)} ms`,
  );
  const during = `${sets.large} maps of 50 MB are read, one each ${apartMs / 1000} s`;
  return {
    lines: [
      {
        what: `errors: ${count(perSecond)} ordinary events/s while ${during}, time to visible p95`,
        millrace: `${figure(p95)} ms`,
        beside: `without: ${figure(alone.result)} ms`,
        ratio: figure(share),
        verdicts: [judge(share, { most: bars.share })],
      },
      {
        what: 'errors: event loop of the consumer meanwhile, a timer is late: p99, longest',
        millrace: `${figure(beside.loopP99Ms)}, ${figure(beside.loopMaxMs)} ms`,
        beside: `without: ${figure(alone.loopP99Ms)}, ${figure(alone.loopMaxMs)} ms`,
        ratio: '',
        verdicts: [judge(beside.loopP99Ms, { name: 'p99', most: bars.loopMs, unit: ' ms' })],
      },
      {
        what: 'errors: exceptions whose map of 50 MB is read for the first time, time to visible p50 / p95',
        millrace: `${figure(quantile(cold.waitsMs, 0.5))} / ${figure(slowest)} ms; ${cold.resolved} of ${sets.large} resolved`,
        beside: '',
        ratio: '',
        verdicts: [judge(slowest, { name: 'p95', most: bars.coldMs, unit: ' ms' })],
      },
    ],
    figures: {
      errors_ordinary_p95_ms: alone.result,
      errors_ordinary_beside_maps_p95_ms: p95,
      errors_ordinary_beside_maps_share: share,
      errors_loop_beside_maps_p99_ms: beside.loopP99Ms,
      errors_cold_visible_p95_ms: slowest,
      errors_cold_resolved: cold.resolved,
      errors_resident_beside_maps_mb: beside.residentMb,
    },
  };
}

/** Sends exceptions one after the other, each so long after the one before. */
async function sendApart(system: SystemUnderTest, events: ReturnType<typeof exceptionsOf>, everyMs: number) {
  const accepted = new Map<string, number>();
  const begun = performance.now();
  for (const [index, event] of events.entries()) {
    await delay(Math.max(0, begun + index * everyMs - performance.now()));
    for (const [uuid, at] of await sendExceptions(system, [event])) accepted.set(uuid, at);
  }
  return accepted;
}

/** Exceptions of many maps that are new, and again when these are in memory. */
async function firstAndAgain(system: SystemUnderTest, { places }: GeneratedBundle, { say }: Bench): Promise<Finding> {
  const chunks = names('usual', sets.usual);
  const first = exceptionsOf(sets.usual, chunks, places);
  const loaded = await exceptionsVisible(system, sendExceptions(system, first, { ofRequest: 20 }), first.length);
  const events = exceptionsOf(warm.events, chunks, places);
  const again = await exceptionsVisible(system, sendApart(system, events, warm.apartMs), events.length);
  const what = `${sets.usual} maps of 0.7 MB are read for the first time, at once`;
  return joined(
    foundVisible({ what, name: 'cold_many', barMs: bars.coldMs }, loaded, say),
    foundVisible({ what: 'maps are in memory', name: 'warm', barMs: bars.warmMs }, again, say),
  );
}

/** Exceptions of maps that were not read before, while the storage is away: files stand where its folders were, so that every read fails. */
async function withoutStorage(system: SystemUnderTest, { places }: GeneratedBundle, { say }: Bench): Promise<Finding> {
  const folders = ['symbolsets', 'symbolindexes'].map((name) => join(system.dataDir, 'objects', name));
  for (const folder of folders) {
    renameSync(folder, `${folder}-away`);
    writeFileSync(folder, '');
  }
  try {
    const unread = exceptionsOf(sets.away, names('away', sets.away), places);
    const away = await exceptionsVisible(system, sendApart(system, unread, 1_000), unread.length);
    return foundVisible(
      { what: 'maps are new while the storage is away', name: 'away', barMs: bars.coldMs },
      away,
      say,
    );
  } finally {
    for (const folder of folders) {
      rmSync(folder);
      renameSync(`${folder}-away`, folder);
    }
  }
}

function foundVisible(
  { what, name, barMs }: { what: string; name: string; barMs: number },
  { waitsMs, resolved }: Visible,
  say: Bench['say'],
): Finding {
  const [p50, p95] = quantiles(waitsMs, [0.5, 0.95]) as [number, number];
  const millrace = `${figure(p50)} / ${figure(p95)} ms; ${resolved} of ${waitsMs.length} resolved`;
  say(`lane: exceptions whose ${what}: ${millrace}`);
  const verdicts = [judge(p95, { name: 'p95', most: barMs, unit: ' ms' })];
  const line = `errors: exceptions whose ${what}, time to visible p50 / p95`;
  return {
    lines: [{ what: line, millrace, beside: '', ratio: '', verdicts }],
    figures: { [`errors_${name}_visible_p95_ms`]: p95 },
  };
}

/** Rate of the consumer alone, from a full backlog of exceptions of one project. */
async function backlog(system: SystemUnderTest, { places }: GeneratedBundle, { say }: Bench): Promise<Finding> {
  const chunks = names('usual', sets.usual);
  // All frames are stored before.
  const stacks = exceptionsOf(sets.usual * stacksOfChunk, chunks, places);
  await exceptionsVisible(system, sendExceptions(system, stacks, { ofRequest: 50 }), stacks.length);
  const before = await system.storedEvents();
  const events = exceptionsOf(waiting, chunks, places);
  await system.withHeld('consumer', async () => {
    await sendExceptions(system, events, { ofRequest: 50, atOnce: 8 });
  });
  say(`lane: ${count(waiting)} exceptions lie in the log`);
  const used = system.cpuByProcess();
  const begun = performance.now();
  const { residentMb, loopP99Ms } = await watchConsumer(system, () => system.untilStored(before + waiting, 240_000));
  const perSecond = (waiting * 1_000) / (performance.now() - begun);
  const cpu = cpuBetween(used, system.cpuByProcess());
  const us = (seconds: number): number => (seconds * 1e6) / waiting;
  say(`lane: ${count(perSecond)} exceptions/s, ${figure(us(cpu.consumer))} us of CPU each, ${figure(residentMb)} MB`);
  return {
    lines: [
      {
        what: `errors: ${count(waiting)} waiting exceptions of one project, ${framesOfStack} frames each, ${sets.usual} sets: until visible`,
        millrace: `${count(perSecond)} exceptions/s`,
        beside: '',
        ratio: '',
        verdicts: [judge(perSecond, { least: bars.perSecond, unit: '/s' })],
      },
      {
        what: 'errors: CPU of one of them',
        millrace: `consumer ${figure(us(cpu.consumer))} µs, Postgres ${figure(us(cpu.postgres))} µs`,
        beside: `ClickHouse ${figure(us(cpu.clickhouse))} µs`,
        ratio: '',
      },
      {
        what: 'errors: most resident memory of the consumer meanwhile',
        millrace: `${figure(residentMb)} MB; a timer is late, p99: ${figure(loopP99Ms)} ms`,
        beside: '',
        ratio: '',
        verdicts: [judge(residentMb, { most: bars.residentMb, unit: ' MB' })],
      },
    ],
    figures: {
      errors_backlog_per_second: perSecond,
      errors_backlog_consumer_us: us(cpu.consumer),
      errors_backlog_postgres_us: us(cpu.postgres),
      errors_backlog_clickhouse_us: us(cpu.clickhouse),
      errors_backlog_resident_mb: residentMb,
    },
  };
}
