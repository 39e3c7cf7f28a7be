import { figure } from './report/format.ts';
import type { Bench } from './report/measurement.ts';
import type { SystemUnderTest } from './system-under-test.ts';

export const generatedEvents = 1_000_000;

/** As many as fit well into the memory of the local ClickHouse; the consumer's largest batches are as large. */
const eventsAtOnce = 50_000;

/** The name of all of them. */
export const generatedEvent = 'generated';

interface GeneratedProperty {
  name: string;
  /** Its value as text, by the number of the event. */
  sql: string;
  isText: boolean;
}

const text = (name: string, sql: string): GeneratedProperty => ({ name, sql, isText: true });
const number = (name: string, sql: string): GeneratedProperty => ({ name, sql: `toString(${sql})`, isText: false });
const oneOf = (words: readonly string[], of: string): string =>
  `arrayElement([${words.map((word) => `'${word}'`).join(', ')}], 1 + ${of} % ${words.length})`;

/** As SDKs send them: texts of few and of many values, addresses, numbers. */
const generatedProperties: readonly GeneratedProperty[] = [
  text('plan', oneOf(['free', 'trial', 'pro', 'scale', 'enterprise'], 'intHash32(number)')),
  number('amount', '(intHash32(number + 1) % 100000) / 100'),
  text('city', `concat('City ', leftPad(toString(intHash32(number + 2) % 50), 2, '0'))`),
  text('$browser', oneOf(['Chrome', 'Safari', 'Firefox', 'Edge', 'Opera'], 'intHash32(number + 3)')),
  text('$os', oneOf(['Windows', 'Mac OS X', 'Linux', 'iOS', 'Android'], 'intHash32(number + 4)')),
  number('$browser_version', '100 + intHash32(number + 5) % 40'),
  text('$device_type', oneOf(['Desktop', 'Mobile', 'Tablet'], 'intHash32(number + 6)')),
  text(
    '$current_url',
    `concat('https://shop.example.com/products/', toString(intHash32(number + 7) % 20000), '?utm_source=newsletter')`,
  ),
  text('$pathname', `concat('/products/', toString(intHash32(number + 7) % 20000))`),
  text('$host', `'shop.example.com'`),
  text('$referrer', `concat('https://search.example.net/?q=', toString(intHash32(number + 8) % 5000))`),
  number('$screen_width', '800 + 160 * (intHash32(number + 9) % 12)'),
  number('$screen_height', '600 + 120 * (intHash32(number + 10) % 10)'),
  text('$lib', `'web'`),
  text('$lib_version', `'1.449.2'`),
  text('$device_id', `hex(MD5(toString(intHash32(number + 11) % 50000)))`),
  text('$insert_id', 'lower(hex(sipHash128(number)))'),
  number('$time', '1790000000 + number / 1000'),
  number('quantity', '1 + intHash32(number + 12) % 9'),
  text('experiment', oneOf(['control', 'variant-a', 'variant-b'], 'intHash32(number + 13)')),
];

/** The same values twice, as the consumer stores them: a JSON text, and a map of the texts. */
function insertStatement(): string {
  const members = generatedProperties.map(({ name, sql, isText }) =>
    isText ? `'"${name}":"', ${sql}, '"'` : `'"${name}":', ${sql}`,
  );
  const entries = generatedProperties.map(({ name, sql }) => `'${name}', ${sql}`);
  const columns: Record<string, string> = {
    team_id: '{team:Int64}',
    uuid: 'generateUUIDv4()',
    event: `'${generatedEvent}'`,
    distinct_id: `concat('person-', toString(number % 20000))`,
    timestamp: `now64(6) - toIntervalSecond({ends:UInt32} + number % 1000000 * {apart:UInt32})`,
    created_at: 'now64(6)',
    inserted_at: 'now64(3) - toIntervalSecond({ago:UInt32})',
    person_mode: `'propertyless'`,
    properties_text: `concat('{', ${members.join(", ',', ")}, '}')`,
    properties: `CAST(map(${entries.join(', ')}), 'Map(String, Nullable(String))')`,
    person_properties_text: `'{}'`,
  };
  return `INSERT INTO analytics.events (${Object.keys(columns).join(', ')}) SELECT ${Object.values(columns).join(', ')} FROM numbers({first:UInt64}, {events:UInt64})`;
}

/** How many events one project gets. */
export interface GeneratedShare {
  projectId: number;
  events: number;
  /** Seconds since they came; default 0. */
  agoSeconds?: number;
  /** Seconds between two events; default 1. */
  apartSeconds?: number;
  /** Seconds since the last one happened; default 0. */
  endsSeconds?: number;
}

/**
 * Adds events with 20 properties (by default 1,000,000 to the demo project), made inside ClickHouse, and lets it merge
 * them.
 */
export async function addGeneratedEvents(
  { store, local }: SystemUnderTest,
  { say }: Bench,
  shares: readonly GeneratedShare[] = [{ projectId: local.projectId, events: generatedEvents }],
): Promise<void> {
  const begun = performance.now();
  const sql = insertStatement();
  const blocks = shares.flatMap(
    ({ projectId, events, agoSeconds: ago = 0, apartSeconds: apart = 1, endsSeconds: ends = 0 }) =>
      blocksOf(events).map((block) => ({ team: projectId, ago, apart, ends, ...block })),
  );
  const work = async (): Promise<void> => {
    for (let params = blocks.pop(); params !== undefined; params = blocks.pop())
      await store.send({ sql, params, settings: { max_threads: '1' } });
  };
  await Promise.all([work(), work()]);
  const inserted = performance.now();
  await store.send({ sql: 'OPTIMIZE TABLE analytics.events FINAL' });
  const bytes = await store.number({
    sql: 'SELECT avg(length(properties_text)) FROM analytics.events WHERE event = {event:String}',
    params: { event: generatedEvent },
  });
  const events = shares.reduce((sum, share) => sum + share.events, 0);
  say(
    `${events} events with ${generatedProperties.length} properties of ${figure(bytes)} bytes made in ${figure((inserted - begun) / 1000)} s, merged in ${figure((performance.now() - inserted) / 1000)} s`,
  );
}

const blocksOf = (events: number): { first: number; events: number }[] =>
  Array.from({ length: Math.ceil(events / eventsAtOnce) }, (_, index) => ({
    first: index * eventsAtOnce,
    events: Math.min(eventsAtOnce, events - index * eventsAtOnce),
  }));
