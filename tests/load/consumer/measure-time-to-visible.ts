import { delay } from '@millrace/runtime/clock.ts';
import { figure } from '../report/format.ts';
import { createHttpClient } from '../http-client.ts';
import type { Bench, Finding, Measurement } from '../report/measurement.ts';
import { renumber, singleEvent } from '../generator/payloads.ts';
import { quantile } from '../report/statistics.ts';
import { type SystemUnderTest, withSystem } from '../system-under-test.ts';

const eventsPerSecond = 50;
const eventsWarm = 50;
const eventsMeasured = 300;
const pollEveryMs = 10;
const deadlineMs = 30_000;

/** Milliseconds from the reply to an event until a query returns it, under a light load. Seen by looking every 10 ms. */
export const timeToVisibleMeasurement: Measurement = {
  name: 'time-to-visible',
  measure: (bench) => withSystem(bench.stop, (system) => measure(system, bench)),
};

async function measure(system: SystemUnderTest, { say }: Bench): Promise<Finding> {
  /** By uuid: when it was answered. */
  const replied = new Map<string, number>();
  const seen = new Map<string, number>();
  await Promise.all([sendAll(system, replied), pollUntilAllSeen(system, seen)]);
  const waits = [...replied].slice(eventsWarm).map(([uuid, at]) => Math.max(0, (seen.get(uuid) as number) - at));
  const [p50, p95, most] = [quantile(waits, 0.5), quantile(waits, 0.95), quantile(waits, 1)];
  say(`time to visible: p50 ${figure(p50)} ms, p95 ${figure(p95)} ms, longest ${figure(most)} ms`);
  return {
    lines: [
      {
        what: `time to visible at ${eventsPerSecond} events/s, p50 / p95`,
        millrace: `${figure(p50)} / ${figure(p95)} ms`,
        beside: '',
        ratio: '',
      },
    ],
    figures: { time_to_visible_p50_ms: p50, time_to_visible_p95_ms: p95, time_to_visible_longest_ms: most },
  };
}

/** One event every 20 ms, whether the one before was answered or not. */
async function sendAll({ local }: SystemUnderTest, responded: Map<string, number>): Promise<void> {
  const http = createHttpClient(local.captureUrl);
  const begun = performance.now();
  const replies: Promise<void>[] = [];
  for (let index = 0; index < eventsWarm + eventsMeasured; index++) {
    await delay(Math.max(0, begun + (index * 1000) / eventsPerSecond - performance.now()));
    const event = singleEvent({ token: local.projectToken, persons: 100 }, index);
    renumber(event, index);
    const { uuid } = JSON.parse(event.bytes.toString()) as { uuid: string };
    const reply = http.send({
      method: 'POST',
      path: '/i/v0/e/',
      headers: { 'content-type': 'application/json' },
      body: event.bytes,
    });
    replies.push(reply.then(() => void responded.set(uuid, performance.now())));
  }
  await Promise.all(replies);
  http.close();
}

async function pollUntilAllSeen({ store, local }: SystemUnderTest, seen: Map<string, number>): Promise<void> {
  const sql = 'SELECT uuid FROM analytics.events WHERE team_id = {team:Int64}';
  for (const deadline = Date.now() + deadlineMs; seen.size < eventsWarm + eventsMeasured; await delay(pollEveryMs)) {
    if (Date.now() > deadline)
      throw new Error(`only ${seen.size} of ${eventsWarm + eventsMeasured} events became visible`);
    const response = (await store.send({ sql, params: { team: local.projectId } })).toString();
    const now = performance.now();
    for (const uuid of response.split('\n')) if (uuid !== '' && !seen.has(uuid)) seen.set(uuid, now);
  }
}
