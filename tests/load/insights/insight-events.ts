import { figure } from '../report/format.ts';
import type { Bench } from '../report/measurement.ts';
import type { SystemUnderTest } from '../system-under-test.ts';

export const insightEvents = 1_000_000;
const insightPersons = 50_000;
export const insightDays = 90;

const eventsAtOnce = 50_000;

/** Which person an event is of: some come often, and most a few times. */
const person = `toUInt32(${insightPersons} * pow(intHash32(number) / 4294967296, 2))`;
const idOf = (of: string): string =>
  `toUUID(concat('00000000-0000-4000-8000-', leftPad(hex(toUInt64(${of})), 12, '0')))`;
const plan = `concat('plan ', toString(intHash32(number + 2) % 25))`;
const amount = 'toString((intHash32(number + 3) % 10000) / 100)';
/** Seconds since an event: it lies in the last 90 days. */
const ago = `intHash32(number + 1) % ${insightDays * 86_400}`;

const columns: Readonly<Record<string, string>> = {
  team_id: '{team:Int64}',
  uuid: 'generateUUIDv4()',
  event: `multiIf(intHash32(number + 4) % 100 < 60, 'view', intHash32(number + 4) % 100 < 85, 'cart', 'buy')`,
  distinct_id: `concat('person-', toString(${person}))`,
  timestamp: `now64(6) - toIntervalSecond(${ago}) - toIntervalMicrosecond(number)`,
  created_at: 'now64(6)',
  person_id: idOf(person),
  person_mode: `'full'`,
  properties_text: `concat('{"plan":"', ${plan}, '","amount":', ${amount}, '}')`,
  properties: `CAST(map('plan', ${plan}, 'amount', ${amount}), 'Map(String, Nullable(String))')`,
  person_properties_text: `'{}'`,
};
const insertEvents = `INSERT INTO analytics.events (${Object.keys(columns).join(', ')}) SELECT ${Object.values(columns).join(', ')} FROM numbers({first:UInt64}, {events:UInt64})`;

const insertPersons = `INSERT INTO analytics.persons (team_id, id, created_at, last_seen_at, is_identified, is_deleted, version, properties_text, properties)
  SELECT team_id, person_id, min(timestamp), max(timestamp), true, false, 1, '{}', CAST(map(), 'Map(String, Nullable(String))')
  FROM analytics.events WHERE team_id = {team:Int64} GROUP BY team_id, person_id`;

/** Adds 1,000,000 events of 50,000 persons in 90 days, three names and 25 plans, and the persons, each made by its first event. */
export async function addInsightEvents({ store }: SystemUnderTest, projectId: number, { say }: Bench): Promise<void> {
  const begun = performance.now();
  for (let first = 0; first < insightEvents; first += eventsAtOnce)
    await store.send({ sql: insertEvents, params: { team: projectId, first, events: eventsAtOnce } });
  await store.send({ sql: insertPersons, params: { team: projectId } });
  await store.send({ sql: 'OPTIMIZE TABLE analytics.events FINAL' });
  say(`${insightEvents} events of ${insightPersons} persons made in ${figure((performance.now() - begun) / 1000)} s`);
}
