import { delay } from '@millrace/runtime/clock.ts';
import { figure } from '../report/format.ts';
import type { Bench } from '../report/measurement.ts';
import type { SystemUnderTest } from '../system-under-test.ts';

export const traceDays = 90;
export const eventsOfTrace = 10;
const persons = 50_000;

const eventsAtOnce = 50_000;
const mergesDeadlineMs = 600_000;

const trace = `intDiv(number, ${eventsOfTrace})`;
const traceId = `concat('trace-', toString(${trace}))`;
/** Position of an event in its trace. */
const place = `number % ${eventsOfTrace}`;
/** Some 1,000 bytes, of which every trace has others. */
const input = `arrayStringConcat(arrayMap(at -> concat('word', toString(intHash32(number * 100 + at))), range(70)), ' ')`;

const columns: Readonly<Record<string, string>> = {
  team_id: '{team:Int64}',
  uuid: 'generateUUIDv4()',
  event: `multiIf(${place} = 0, '$ai_trace', ${place} < 5, '$ai_span', '$ai_generation')`,
  distinct_id: `concat('person-', toString(intHash32(${trace}) % ${persons}))`,
  timestamp: `now64(6) - toIntervalSecond(60 + intHash32(${trace} + 1) % ${traceDays * 86_400 - 120}) + toIntervalSecond(${place} * 3)`,
  created_at: 'now64(6)',
  person_mode: `'full'`,
  properties_text: `concat('{"$ai_trace_id":"', ${traceId}, '","$ai_model":"m","$ai_latency":1.5,"$ai_input":"', ${input}, '"}')`,
  properties: `CAST(map('$ai_trace_id', ${traceId}, '$ai_model', 'm', '$ai_latency', '1.5'), 'Map(String, Nullable(String))')`,
  $ai_trace_id: traceId,
  person_properties_text: `'{}'`,
};
const names = Object.keys(columns).map((name) => `\`${name}\``);
const insertEvents = `INSERT INTO analytics.events (${names.join(', ')}) SELECT ${Object.values(columns).join(', ')} FROM numbers({first:UInt64}, {events:UInt64})`;

/** Adds events of traces, ten each, `trace-0` and so on, in the last 90 days, and waits until their parts are merged. */
export async function addTraceEvents(
  { store }: SystemUnderTest,
  projectId: number,
  events: number,
  { say }: Bench,
): Promise<void> {
  const begun = performance.now();
  for (let first = 0; first < events; first += eventsAtOnce)
    await store.send({
      sql: insertEvents,
      params: { team: projectId, first, events: Math.min(eventsAtOnce, events - first) },
    });
  const merges = { sql: "SELECT count() FROM system.merges WHERE table = 'events'" };
  for (const deadline = Date.now() + mergesDeadlineMs; (await store.number(merges)) > 0; await delay(200))
    if (Date.now() > deadline) throw new Error('the parts were not merged in time');
  const parts = await store.number({
    sql: "SELECT count() FROM system.parts WHERE active AND table = 'events'",
  });
  say(`${events} events of traces made in ${figure((performance.now() - begun) / 1000)} s, in ${parts} parts`);
}
